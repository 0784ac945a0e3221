"""Cases: names and types of the schema, files, values that the program checks."""
import numpy as np
import pytest

import dgtd


def test_a_shipped_case_reads_as_the_program_does(folder):
    for name in ("gold_sphere", "slab", "hpf_waveguide", "waveguide_crossing", "line_pulse"):
        case = dgtd.Case.read(name)
        assert case.name == name
        assert dgtd.program.call(case.write(folder / f"{name}.cfg"), "--print") == dgtd.program.call(name, "--print")


def test_values_have_the_types_of_the_schema():
    case = dgtd.Case.read("gold_sphere.cfg")
    assert case["shape.sphere"].radius == 40e-9
    assert case["grid"].cells == [34, 34, 68]
    assert case["solver"].method == "fdtd3d" and case["solver"].cfl_fraction == 0.95  # the default
    assert case["flux.absorbed"].wavelengths == "300 nm 1200 nm 46"  # a range, which the program completes to frequencies
    assert case["source.wave"].frequency == 6.25e14
    assert case["shape.sphere"].file is None and case["shape.sphere"].position == [0, 0, 0]
    case["probe.a"].position = np.array([0, 1e-9, 0])
    assert case["probe.a"]["position"] == [0, 1e-9, 0]
    case["material.gold"].poles = [["drude", 1e16, 1e14], ["debye", 7, 8e-12]]
    assert case["material.gold"].poles == [["drude", 1e16, 1e14], ["debye", 7, 8e-12]]
    case["shape.v"].labels = [[3, "grey matter"], [1, "b"]]
    assert case["shape.v"].labels == [[3, "grey matter"], [1, "b"]]
    case["grid"].subpixel = False
    assert case["grid"].subpixel == "off"


def test_unknown_names_raise_with_the_nearest():
    case = dgtd.Case()
    for title, key, message in (("shape.ball", "radus", "there is no key shape.ball.radus; did you mean shape.ball.radius?"),
                                ("solver", "oder", "there is no key solver.oder; did you mean solver.order?")):
        with pytest.raises(dgtd.UnknownName) as error:
            setattr(case[title], key, 1)
        assert str(error.value) == message
    with pytest.raises(dgtd.UnknownName, match="there is no section shap.ball; did you mean shape.ball"):
        case["shap.ball"]
    with pytest.raises(dgtd.UnknownName, match="section probe needs a name: probe.NAME"):
        case["probe"]
    assert not hasattr(case["solver"], "oder") and case.sections() == []


def test_former_spellings_are_those_of_today(folder):
    (folder / "old.cfg").write_text("[solver]\ncourant = 0.5  # comment\n[far.a]\ntheta = 3\n")
    case = dgtd.Case.read("old")
    assert case["solver"].cfl_fraction == 0.5 and case["far_field.a"].theta == 3
    assert case.sections() == ["solver", "far_field.a"]


def test_errors_of_a_file_name_its_line(folder):
    for text, message in (("[solver]\noder = 2\n", "x.cfg:2: there is no key solver.oder; did you mean solver.order?"),
                          ("order = 2\n", "x.cfg:1: 'order = 2': expected"), ("[sorce.a]\n", "x.cfg:1: there is no section")):
        (folder / "x.cfg").write_text(text)
        with pytest.raises(dgtd.Error) as error:
            dgtd.Case.read("x.cfg")
        assert message in str(error.value)
    with pytest.raises(dgtd.Error, match="gold_sphre: no such case file; .* did you mean gold_sphere"):
        dgtd.Case.read("gold_sphre")


def test_the_last_length_of_the_run_counts():
    case = dgtd.Case.read("gold_sphere")
    case["time"].steps = 5
    assert case["time"].keys() == ["steps"]
    case["time"].end = 1e-15
    assert case["time"].keys() == ["end"] and case["time"].steps is None
    case["time"].end = "decayed"
    case["time"].decay, case["time"].at_most = -60, 1e-13
    assert case["time"].end == "decayed" and case.value("time.decay") == -60
    assert case["time"].tolerance == 0.01  # its default
    case["time"].end = "steady"
    assert case["time"].keys() == ["at_most", "end"]
    with pytest.raises(dgtd.Error, match="time.end = steady: requires time.frequency"):
        case.check()
    case["time"].steps = 5
    assert case["time"].keys() == ["steps"]


def test_paths_stay_true_where_the_case_is_written_elsewhere(folder):
    (folder / "a").mkdir()
    (folder / "a" / "c.cfg").write_text("[mesh]\nfile = m.msh\n[output]\ndirectory = res\n")
    case = dgtd.Case.read("a/c")
    assert case["mesh"].file == str(folder / "a/m.msh") and case["output"].directory == str(folder / "a/res")
    assert "file = m.msh\n" in case.write("a/d").read_text()
    assert f"file = {folder}/a/m.msh\n" in case.write("b/d.cfg").read_text()
    assert dgtd.Case.read("gold_sphere")["output"].directory == str(folder / "out/gold_sphere")


def test_the_program_checks_and_completes():
    case = dgtd.Case.read("gold_sphere")
    assert case.value("grid.spacing") == [4e-9, 4e-9, 4e-9] and case.value("time.periods") is None
    assert "[shape.sphere]" in case.check()
    case["shape.sphere"].radius = -1
    with pytest.raises(dgtd.Error) as error:
        case.check()
    assert error.value.exit_code == 2
    assert "gold_sphere.cfg:" in str(error.value) and "shape.sphere.radius = -1: must be a number > 0" in str(error.value)


def test_help_is_that_of_the_program():
    assert "Polynomial degree" in dgtd.Case()["solver"].help("order")


def test_the_schema_accepts_its_own_cases():
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(dgtd.schema())
    case = dgtd.Case.read("gold_sphere")
    document = {title: {key: case[title][key] for key in case[title].keys()} for title in case}
    jsonschema.validate(document, dgtd.schema())
    document["shape.sphere"]["radius"] = 0
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, dgtd.schema())


def test_units_parameters_and_included_files(folder):
    (folder / "common").mkdir()
    (folder / "common/base.cfg").write_text(
        "[parameters]\nw = 450 nm\n[solver]\nmethod = fdtd3d\n[grid]\ncells = 4 5 8\nspacing = 10 nm\n[time]\nperiods = 3\n"
        "frequency = 1 PHz\n[material.glass]\neps_r = 2\n[shape.t]\ntype = stl\nmaterial = glass\nfile = a.stl\n"
        "[flux.f]\ntype = box\nsize = 20 20 20 nm\nfrequencies = 1 2 PHz\n")
    (folder / "own.cfg").write_text(
        "include = common/base.cfg\n[time]\nend = 10 fs\n[flux.f]\nfrequency_range = 1 3 PHz 3\n"
        "[shape.s]\ntype = box\nmaterial = glass\nsize = w 2*w 220 nm\n")
    case = dgtd.Case.read("own")
    assert case["shape.s"].size == [450e-9, 900e-9, 220e-9] and case["grid"].spacing == [10e-9] * 3
    assert case["time"].end == 10e-15 and case["time"].periods is None and case["time"].frequency == 1e15
    assert case["flux.f"].frequencies is None and case["flux.f"].frequency_range == "1 3 PHz 3"
    assert case["shape.t"].file == str(folder / "common/a.stl")
    printed = dgtd.program.call("own", "--print")
    assert dgtd.program.call(case.write(folder / "own.cfg"), "--print") == printed
    case["parameters"].w = "500 nm"
    assert case["parameters"].w == "500 nm" and case["shape.s"].size == [500e-9, 1e-6, 220e-9]
    case["shape.s"].centre = "1 2 3 um"
    assert case["shape.s"].centre == [1e-6, 2e-6, 3e-6]
    case["flux.f"].wavelengths = [300e-9, 400e-9, 2]
    assert case["flux.f"].frequency_range is None
    (folder / "common/base.cfg").write_text("[solver]\noder = 2\n")
    (folder / "own.cfg").write_text("include = common/base.cfg\n")
    with pytest.raises(dgtd.Error, match="base.cfg:2: there is no key solver.oder"):
        dgtd.Case.read("own")
