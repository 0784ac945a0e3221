"""The wheel of the programs, of a small folder in place of a bundle."""
import base64
import hashlib
import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "wheel"))
from make_wheel import make_wheel, platform_tag


@pytest.fixture
def bundle(folder):
    at = folder / "bundle"
    for name in ("bin", "lib/compiler", "share/dgtd/cases"):
        (at / name).mkdir(parents=True)
    for name in ("dgtd", "dgtd-mesh", "fdtd_cuda_test"):
        (at / "bin" / name).write_text(f'#!/bin/sh\necho {name} "$@"; exit 7\n# libvtk.so.9\0')
        (at / "bin" / name).chmod(0o755)
    (at / "lib/libvtk.so.9.1").write_bytes(b"VTK")
    (at / "lib/libvtk.so.9").symlink_to("libvtk.so.9.1")
    (at / "lib/libvtk.so").symlink_to("libvtk.so.9")
    (at / "lib/compiler/libstdc++.so.6").write_bytes(b"C++")
    (at / "share/dgtd/cases/slab.cfg").write_text("[solver]\n")
    return at


def test_wheel(bundle, folder):
    wheel = make_wheel(bundle, "1.2.3", folder / "dist")
    assert wheel.name == f"dgtd_bin-1.2.3-py3-none-{platform_tag()}.whl" and "manylinux_2_" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        names, info = archive.namelist(), "dgtd_bin-1.2.3.dist-info"
        # The library by the name that programs refer to; tests of a GPU are no programs.
        assert sorted(names) == sorted(
            ["dgtd_bin/__init__.py", "dgtd_bin/bin/dgtd", "dgtd_bin/bin/dgtd-mesh", "dgtd_bin/lib/libvtk.so.9",
             "dgtd_bin/lib/compiler/libstdc++.so.6", "dgtd_bin/share/dgtd/cases/slab.cfg",
             *(f"{info}/{name}" for name in ("METADATA", "LICENSE", "WHEEL", "entry_points.txt", "RECORD"))])
        rows = [row.split(",") for row in archive.read(f"{info}/RECORD").decode().splitlines()]
        assert sorted(row[0] for row in rows) == sorted(names)
        for name, digest, size in rows[:-1]:
            content = archive.read(name)
            assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert int(size) == len(content)
        assert rows[-1] == [f"{info}/RECORD", "", ""]
        assert archive.read(f"{info}/entry_points.txt").decode().splitlines() == \
            ["[console_scripts]", "dgtd = dgtd_bin:run", "dgtd-mesh = dgtd_bin:run"]
        assert archive.getinfo("dgtd_bin/bin/dgtd").external_attr >> 16 & 0o111
        assert f"Tag: py3-none-{platform_tag()}" in archive.read(f"{info}/WHEEL").decode()


def test_programs_of_an_unpacked_wheel(bundle, folder):
    site = folder / "site"
    with zipfile.ZipFile(make_wheel(bundle, "1.2.3", folder / "dist")) as archive:
        archive.extractall(site)
        for entry in archive.infolist():
            os.chmod(site / entry.filename, entry.external_attr >> 16 & 0o777)
    package = str(pathlib.Path(__file__).resolve().parents[1])
    environment = {**os.environ, "PYTHONPATH": f"{site}:{package}"}
    environment.pop("DGTD_PROGRAM", None)
    command = [sys.executable, "-c", "import sys, dgtd_bin; sys.argv[0] = '/usr/bin/dgtd-mesh'; dgtd_bin.run()", "a b"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (7, "dgtd-mesh a b\n")
    found = subprocess.run([sys.executable, "-c", "import dgtd.program as p; print(p.find_program()); print(p.shipped_cases())"],
                           env=environment, capture_output=True, text=True, check=True)
    assert found.stdout.split() == [str(site / "dgtd_bin/bin/dgtd"), str(site / "dgtd_bin/share/dgtd/cases")]


def test_what_is_no_bundle_is_refused(folder):
    with pytest.raises(SystemExit, match="is not a bundle of dgtd, bin/dgtd is missing"):
        make_wheel(folder, "1.2.3", folder / "dist")
