#!/usr/bin/env python3
"""SAR of a head at several frequencies from one pulse, against a steady state at each frequency on the same mesh.

  head_band.py [--output FOLDER] [--set KEY=VALUE ...]

The case is cases/head_band.cfg; the sines have its media, mesh and dipole. Differences of the pulse from the sine in
per cent: the mean of all tissues, that of each tissue, and the peaks over each mass.
"""
import argparse

import study

CASE = study.ROOT / "cases/head_band.cfg"


def sine_text(frequency):
    """The case with a sine in place of the pulse."""
    changed = {"bandwidth": "", "frequencies": "", "window": "", "waveform": "waveform = ramped-sine\n",
               "frequency": f"frequency = {frequency:g}\n", "end": f"end = steady\nfrequency = {frequency:g}\n"}
    return "".join(changed.get(line.split(" = ")[0], line) for line in CASE.read_text().splitlines(keepends=True))


def values(tissues, averages):
    """SAR in W/kg by name."""
    bodies = {name: row for name, row in tissues.items() if row["sar_mean"] is not None}
    mass, absorbed = (sum(row[key] for row in bodies.values()) for key in ("mass_kg", "absorbed_W"))
    peaks = {f"peak {name}": average["peak"]["sar"] for name, average in averages.items()}
    return {"all tissues": absorbed / mass} | {name: row["sar_mean"] for name, row in bodies.items()} | peaks


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    study.add_arguments(parser)
    arguments = parser.parse_args()
    folder = study.pathlib.Path(arguments.output)
    folder.mkdir(parents=True, exist_ok=True)
    head = study.dgtd.Case.read(CASE)
    settings = {"mesh.file": str(head["mesh"].file), "output.fields": "none", "output.report_pictures": "off"}
    settings |= study.common_settings(arguments)
    pulse = study.Run("pulse", CASE, settings, folder / "pulse")
    sines = {}
    for frequency in head["dft"].frequencies:
        case = folder / f"sine_{frequency / 1e6:g}MHz.cfg"
        case.write_text(sine_text(frequency))
        sines[frequency] = study.Run(case.stem, case, settings, folder / case.stem)
    study.run_all([pulse, *sines.values()], arguments)
    for row in pulse.summary()["sar_spectrum"]:
        steady = sines[row["frequency_Hz"]].summary()
        print(f"{row['frequency_Hz'] / 1e9:g} GHz: absorbed {100 * row['absorbed_share']:.2f} %, outflow "
              f"{100 * row['outflow_share']:.2f} %, defect {100 * row['defect']:.3f} % of what is emitted "
              f"(sine: {100 * steady['power']['defect']:.3f} %)")
        of_sine = values(steady["tissues"], steady["sar_averages"])
        for name, sar in values(row["tissues"], row["averages"]).items():
            print(f"  {name:12} {sar:9.5g} W/kg, sine {of_sine[name]:9.5g}, difference {100 * (sar / of_sine[name] - 1):7.3f} %")


if __name__ == "__main__":
    main()
