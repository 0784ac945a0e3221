"""Runs the blocks of a tutorial as they are in its text, in a folder of their own, and compares what it says they print.

  run_tutorial.py TUTORIAL.md FOLDER_OF_PROGRAMS

ini: the case file that the text names before it. sh, python: are run. text: what the block before has printed; numbers
agree within 3 %, which leaves room for another mesh of another version of Gmsh.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TOLERANCE = 0.03


def same(said, printed):
    words = [re.split(r"\s+", text.strip()) for text in (said, printed)]
    if len(words[0]) != len(words[1]):
        return False
    for a, b in zip(*words):
        try:
            if abs(float(a) - float(b)) > TOLERANCE * abs(float(a)):
                return False
        except ValueError:
            if a != b:
                return False
    return True


def main():
    tutorial, programs = pathlib.Path(sys.argv[1]).resolve(), os.path.abspath(sys.argv[2])
    text = tutorial.read_text()
    package = tutorial.parents[2] / "scripts/python"
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "PYTHONPATH": str(package),
                   "DGTD_PROGRAM": f"{programs}/dgtd"}
    printed, kinds = "", []
    with tempfile.TemporaryDirectory() as folder:
        for block in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            kind, content = block[1], block[2]
            kinds.append(kind)
            if kind == "ini":
                name = re.findall(r"`([\w.]+\.cfg)`", text[:block.start()])[-1]
                lines = [line for line in content.splitlines() if line]
                assert len(lines) <= 30 and f"{len(lines)} lines" in text, len(lines)
                pathlib.Path(folder, name).write_text(content)
            elif kind == "text":
                assert same(content, printed), f"the text says:\n{content}and this was printed:\n{printed}"
            else:
                command = ["sh", "-ec", content] if kind == "sh" else [sys.executable, "-c", content]
                done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
                assert done.returncode == 0, f"{content}{done.stdout}{done.stderr}"
                printed = done.stdout
        for page in re.findall(r"`(out/[\w./]+\.html)`", text):
            assert pathlib.Path(folder, page).is_file(), page
    assert kinds.count("sh") >= 3 and "python" in kinds and "text" in kinds, kinds
    print(f"{len(kinds)} blocks ran as the text says")


if __name__ == "__main__":
    main()
