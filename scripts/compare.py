#!/usr/bin/env python3
"""One case by two independent methods, dgtd on tetrahedra and fdtd3d on a grid, two resolutions each: the difference of two
independent methods is an error bar.

  compare.py lossy_sphere
  compare.py my.cfg --resolutions 0.7 1 --set solver.order=3 --dry-run

CASE has [shape.NAME] and [domain] (a case file, or the name of a shipped one). Writes compare.html (results of the four runs,
differences, extrapolated values, costs), compare.csv and compare.json into --output, whose folders have the runs. Runs that are
done are not computed again.
"""
import argparse
import sys

from python_packages import package

dgtd = package()


def pair(text):
    """ "KEY=VALUE" as (KEY, VALUE)."""
    key, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text}: needs =")
    return key.strip(), value.strip()


def number_pair(text):
    key, value = pair(text)
    try:
        return key, float(value)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: needs a number after =") from None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("case", metavar="CASE")
    parser.add_argument("--resolutions", nargs=2, type=float, default=[1, 1.5], metavar=("COARSE", "FINE"),
                        help="factors of the case's elements per length (1 1.5)")
    parser.add_argument("--ranks", type=int, default=1, help="of each run (1)")
    parser.add_argument("--launcher", help="before the program, such as 'mpirun -np 4 --bind-to none'")
    parser.add_argument("--output", help="folder of the page and the runs (out/compare_CASE)")
    parser.add_argument("--set", action="append", default=[], type=pair, metavar="KEY=VALUE", help="for all runs")
    parser.add_argument("--order", action="append", default=[], type=number_pair, metavar="METHOD=Q",
                        help="of the extrapolation, in place of the assumed one")
    parser.add_argument("--exact", action="append", default=[], type=number_pair, metavar="NAME=VALUE",
                        help="exact value of a number by its name in compare.csv, such as power.absorbed_W=4.8256e-3")
    parser.add_argument("--dry-run", action="store_true", help="elements, steps and memory of the runs")
    options = parser.parse_args()
    try:
        case = dgtd.Case.read(options.case)
        for key, value in options.set:
            case.set(key, value)
        found = dgtd.compare(case, options.resolutions, options.ranks, options.output, options.launcher, progress=True,
                             orders=dict(options.order), exact=dict(options.exact), dry_run=options.dry_run)
        if options.dry_run:
            for name, report in found.items():
                print(f"{name}:\n{report}")
            return
        page = found.write()
    except dgtd.Error as error:
        sys.exit(f"compare.py: {error}")
    for quantity in found.quantities:
        value = f"{sum(quantity.fine.values()) / 2:.5g} {quantity.unit}" if quantity.frequencies is None else "spectrum"
        print(f"{quantity.label:45} {value.strip():18} {100 * quantity.difference():+.2g} %")
    print(page)


if __name__ == "__main__":
    main()
