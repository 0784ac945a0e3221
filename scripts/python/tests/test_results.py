"""Results of every kind."""
import shutil
import struct
import zlib

import numpy as np
import pytest

import dgtd
from conftest import cavity, everything
from dgtd import grids, packages
from dgtd.tables import unit_of


@pytest.fixture(scope="module")
def grid_run(tmp_path_factory):
    return everything().run(output=tmp_path_factory.mktemp("grid") / "out").results


@pytest.fixture(scope="module")
def mesh_run(tmp_path_factory):
    case = cavity()
    case["probe.a"].position = [0.3, 0.3, 0.3]
    return case.run(output=tmp_path_factory.mktemp("mesh") / "out").results


def test_numbers(grid_run):
    power = grid_run.summary.power
    assert power.source_W == grid_run.summary["power"]["source_W"] > power.absorbed_W > 0
    assert "muscle" in [tissue.name for tissue in grid_run.report.tissues] and grid_run.interrupted is None and grid_run.complete
    with pytest.raises(dgtd.UnknownName, match="there is no key pover; did you mean power?"):
        grid_run.summary.pover
    assert grid_run.case["shape.body"].size == [0.02, 0.02, 0.02]


def test_tables(grid_run, mesh_run):
    assert list(grid_run.probes) == ["ear"] and list(mesh_run.probes) == ["a"]
    ear = grid_run.probes["ear"]
    assert ear.units["Ex_V_per_m"] == "V/m" and len(ear.t_s) == grid_run.summary.steps
    assert np.ptp(np.diff(ear["t_s"])) < 1e-6 * grid_run.summary.dt_s
    assert mesh_run.energy.step[-1] == 8 and mesh_run.energy.energy_J[-1] > 0
    assert list(grid_run.flux["out"].frequency_Hz) == [1e9, 1.8e9]
    pattern, totals = grid_run.far_fields["all"], grid_run.far_field_totals["all"]
    assert pattern.array.shape[0] == 19 * 12 and pattern.directivity.max() == pytest.approx(totals.largest_directivity[0])
    with pytest.raises(dgtd.UnknownName, match="did you mean ear"):
        grid_run.probes["eat"]
    with pytest.raises(dgtd.Error, match="absorbed.csv"):
        grid_run.absorbed


def test_contents_of_files(grid_run):
    plane = grid_run.contents["monitor_plane_0001.pvtr"]
    assert plane.kind == "grid" and plane.series == "monitor_plane.pvd" and [axis.unit for axis in plane.axes] == ["m"] * 3
    assert {array.name for array in plane.arrays} == set(grid_run.grid("plane").cells)
    for array in plane.arrays:
        assert array.unit == unit_of(array.name)
    assert grid_run.contents["monitor_plane.pvd"].axes[0].name == "frequency_Hz"
    for name, entry in grid_run.contents.items():
        assert (grid_run.directory / name).is_file() and entry.kind != "other"


def test_units_are_at_the_end_of_names():
    for name, unit in (("Ex_V_per_m", "V/m"), ("t_s", "s"), ("outward_energy_J_per_Hz", "J/Hz"), ("directivity", ""),
                       ("outward_cross_section_m2", "m2"), ("rE_phi_imag_V_s", "V s"), ("SAR_1g_W_per_kg", "W/kg"), ("m", "")):
        assert unit_of(name) == unit


def test_absorbed_of_several_frequencies(folder):
    case = everything()
    case["dft"].frequencies, case["dft"].window = [1e9, 1.8e9], "all"
    del case["sar"]
    absorbed = case.run(output="out").results.absorbed
    assert list(absorbed) == ["frequency_Hz", "wavelength_m", "(background)_J_per_Hz", "muscle_J_per_Hz"]
    assert absorbed.muscle_J_per_Hz[1] > 0


def test_grids_need_numpy_alone(grid_run):
    sar = grid_run.grid("sar")
    assert sar.cells["tissue"].max() == 1 and sar.texts["tissue_names"] == ["(background)", "muscle"]
    assert sar.cells["SAR_W_per_kg"].shape == sar.cells["tissue"].shape
    peak = grid_run.summary.sar_averages["1g"].peak
    assert sar.cells["SAR_1g_W_per_kg"].max() == pytest.approx(peak.sar, rel=1e-5)
    plane = grid_run.grid("plane", at=1.7e9)
    assert [len(x) for x in plane.nodes] == [11, 11, 1] and "E_real_V_s_per_m" in plane.cells
    fields = grid_run.grid()
    assert fields.cells["E_amplitude_V_per_m"].shape == (20, 20, 20) and fields.centres(0)[0] == pytest.approx(-0.0475)
    with pytest.raises(dgtd.Error, match="no array SAW; it has"):
        grid_run.grid(arrays=["SAW"])
    with pytest.raises(dgtd.UnknownName, match="there is no field file plan; did you mean plane|monitor_plane"):
        grid_run.grid("plan")


def test_pieces_of_several_ranks_are_one_grid(grid_run, monkeypatch):
    parts = everything().run(ranks=2, output="parts").results
    assert len(list(parts.directory.glob("fields_*.vtr"))) == 2
    whole, joined = grid_run.grid(), parts.grid()
    for a in range(3):
        assert np.array_equal(whole.nodes[a], joined.nodes[a])
    name = "E_amplitude_V_per_m"
    assert np.array_equal(whole.cells[name], joined.cells[name])


def compressed(path, block=100):
    """A .vtr or .vti file of dgtd with its arrays in compressed blocks."""
    head, mark, data = path.read_bytes().partition(b'<AppendedData encoding="raw">')
    start = data.index(b"_") + 1
    body, at, old = b"", 0, 0
    while data[start + old:start + old + 1] and data[start + old:start + old + 3] != b"\n  ":
        length, = struct.unpack_from("<Q", data, start + old)
        values = data[start + old + 8:start + old + 8 + length]
        blocks = [values[i:i + block] for i in range(0, length, block)]
        packed = [zlib.compress(b) for b in blocks]
        piece = struct.pack(f"<{3 + len(packed)}Q", len(packed), block, length % block, *map(len, packed)) + b"".join(packed)
        head = head.replace(f'offset="{old}"'.encode(), f'offset="@{at}"'.encode())
        body, at, old = body + piece, at + len(piece), old + 8 + length
    head = head.replace(b'offset="@', b'offset="')
    head = head.replace(b'header_type="UInt64"', b'header_type="UInt64" compressor="vtkZLibDataCompressor"')
    return head + mark + b"\n   _" + body + data[start + old:]


def test_compressed_arrays_are_the_same(grid_run, folder):
    file = folder / "fields_0.vtr"
    file.write_bytes(compressed(grid_run.directory / "fields_0.vtr"))
    plain, packed = grids.read(grid_run.directory / "fields_0.vtr"), grids.read(file)
    assert packed.cells.keys() == plain.cells.keys()
    for name, values in plain.cells.items():
        assert np.array_equal(values, packed.cells[name], equal_nan=values.dtype.kind == "f")


def test_a_damaged_file_is_an_error(grid_run, folder):
    shutil.copytree(grid_run.directory, folder / "copy")
    (folder / "copy/fields_0.vtr").write_bytes(b"<VTKFile")
    with pytest.raises(dgtd.Error, match="fields_0.vtr"):
        dgtd.Results(folder / "copy").grid()
    with pytest.raises(dgtd.Error, match="no results of dgtd"):
        dgtd.Results(folder)


def test_fields_on_grids_are_an_xarray(grid_run):
    pytest.importorskip("xarray")
    plane = grid_run.fields("plane")
    assert plane.E_real_V_s_per_m.dims == ("frequency_Hz", "z", "y", "x", "component") and plane.E_real_V_s_per_m.units == "V s/m"
    assert float(plane.frequency_Hz[1]) == 1.8e9
    assert grid_run.fields().sel(x=0.01, y=0, z=0, method="nearest").E_amplitude_V_per_m > 0


def test_fields_on_meshes_are_of_pyvista(mesh_run):
    pytest.importorskip("pyvista")
    assert mesh_run.fields().n_cells == 48


@pytest.mark.parametrize("package", ["xarray", "pyvista", "pandas"])
def test_a_missing_package_is_named_with_its_command(grid_run, mesh_run, package, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(dgtd.Error, match=f"needs the package {package}: .*python.* -m pip install {package}$"):
        {"xarray": grid_run.fields, "pyvista": mesh_run.fields, "pandas": mesh_run.energy.frame}[package]()
    assert not packages.is_there(package)


def test_show_opens_the_page(mesh_run, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    mesh_run.show()
    assert opened == [(mesh_run.directory / "report.html").resolve().as_uri()]


def test_network(tmp_path):
    (tmp_path / "resolved.cfg").touch()
    results = dgtd.Results(tmp_path)
    with pytest.raises(dgtd.Error, match=r"no S-parameters; they need \[sparameters\]"):
        results.network()
    (tmp_path / "step.s2p").write_text("! Port[1] = in, a waveguide\n# Hz S RI R 75\n"
                                       "1e9 0.1 0 0.9 0.1 0.8 -0.1 0.2 0\n2e9 0.1 0 0.7 0 0.6 0 0.2 0\n")
    if not packages.is_there("skrf"):
        with pytest.raises(dgtd.Error, match="pip install scikit-rf"):
            results.network()
        return
    network = results.network()
    assert network.f.tolist() == [1e9, 2e9] and network.z0[0, 0] == 75
    assert network.s[0, 1, 0] == 0.9 + 0.1j and network.s[0, 0, 1] == 0.8 - 0.1j  # columns first
