#!/usr/bin/env python3
"""Makes the wheel dgtd_bin of a bundle (cmake --install BUILD --component bundle): programs, libraries, cases.

Usage: make_wheel.py BUNDLE VERSION FOLDER. Prints the path of the wheel. The standard library is enough.
"""
import base64
import hashlib
import os
import pathlib
import platform
import sys
import zipfile

PROGRAMS = ("dgtd", "dgtd-mesh", "dgtd-sar", "dgtd-bench")
HERE = pathlib.Path(__file__).resolve().parent


def platform_tag():
    """manylinux_2_36_x86_64: for systems whose C library is that of this one or newer (PEP 600)."""
    version = os.confstr("CS_GNU_LIBC_VERSION").split()[1].split(".")[:2]
    return f"manylinux_{'_'.join(version)}_{platform.machine()}"


def libraries(bundle, binaries):
    """{name in the wheel: file} of BUNDLE/lib. A wheel has no links, so a library is there once, by the name by which the
    programs and other libraries (or its folder) refer to it."""
    names = {}
    for path in sorted((bundle / "lib").rglob("*")):
        if path.is_file():
            names.setdefault(path.resolve(), []).append(path)
    contents = {path: path.read_bytes() for path in [*names, *binaries]}
    found = {}
    for file, paths in names.items():
        used = [path for path in paths if any(path.name.encode() + b"\0" in content
                                              for other, content in contents.items() if other != file)]
        for path in used or [file if file in paths else paths[0]]:
            found[path.relative_to(bundle).as_posix()] = file
    return found


def make_wheel(bundle, version, folder):
    """Path of the wheel. Raises SystemExit with a line where the bundle is not one."""
    bundle = pathlib.Path(bundle).resolve()
    missing = [name for name in ("bin/dgtd", "lib", "share/dgtd/cases") if not (bundle / name).exists()]
    if missing:
        raise SystemExit(f"make_wheel.py: {bundle}: is not a bundle of dgtd, {missing[0]} is missing")
    programs = {f"bin/{name}": bundle / "bin" / name for name in PROGRAMS if (bundle / "bin" / name).is_file()}
    files = {**programs, **libraries(bundle, list(programs.values()))}
    files.update((path.relative_to(bundle).as_posix(), path)
                 for path in sorted((bundle / "share").rglob("*")) if path.is_file())
    tag = f"py3-none-{platform_tag()}"
    info = f"dgtd_bin-{version}.dist-info"
    commands = "\n".join(f"{pathlib.PurePath(name).name} = dgtd_bin:run" for name in programs)
    texts = {
        "dgtd_bin/__init__.py": (HERE / "dgtd_bin.py").read_text(),
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: dgtd-bin\nVersion: {version}\n"
                            "Summary: Programs of dgtd, a solver of Maxwell's equations in time, with their libraries\n"
                            "Requires-Python: >=3.9\n",
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: dgtd\nRoot-Is-Purelib: false\nTag: {tag}\n",
        f"{info}/entry_points.txt": f"[console_scripts]\n{commands}\n",
    }
    licence = HERE.parents[1] / "LICENSE"
    if licence.is_file():  # of the source tree
        texts[f"{info}/LICENSE"] = licence.read_text()
    wheel = pathlib.Path(folder) / f"dgtd_bin-{version}-{tag}.whl"
    wheel.parent.mkdir(parents=True, exist_ok=True)
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        def add(name, content, mode):
            entry = zipfile.ZipInfo(name)  # of 1980: equal bundles give equal wheels
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}")

        for name, path in sorted(files.items()):
            add(f"dgtd_bin/{name}", path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644)
        for name, text in texts.items():
            add(name, text.encode(), 0o644)
        lines = "\n".join([*record, f"{info}/RECORD,,"]) + "\n"
        add(f"{info}/RECORD", lines.encode(), 0o644)
    return wheel


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit("Usage: make_wheel.py BUNDLE VERSION FOLDER")
    print(make_wheel(*sys.argv[1:]))
