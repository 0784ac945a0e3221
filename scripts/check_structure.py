#!/usr/bin/env python3
"""Checks of the project's structure that no compiler makes; .ci/run and the test check_structure call it.

Usage: scripts/check_structure.py [--self-test]
(a) A module includes only itself and modules above it in cmake/modules.txt.
(b) The table of modules in docs/architecture.md has the rows of that list, in its order.
(c) A source, script or case that a document or a comment names exists. Capitals (NAME.hpp) and * are wildcards.
(d) A docstring, or a comment of its own lines, does not begin with "Of" or "What".
(e) No module includes a header of another one's src folder; tests may.
(f) Names in anonymous namespaces differ within a module that is compiled six sources at a time (UNITY); aliases of the
    same text may be the same.
(g) A relative link of a document leads to a file, and its anchor to a heading of it. A document that a comment names
    as docs/NAME.md exists, and docs/notebook/README.md has a line for each file of the notebook.
(h) Of two folders of a module, only one includes headers of the other.
Prints a line per finding, `file:line: what is wrong, what is allowed`, and exits with 1 if there is any.
"""
import re
import sys
import tempfile
import tokenize
from fnmatch import fnmatchcase
from functools import cache
from itertools import takewhile, zip_longest
from pathlib import Path

CODE = {".hpp", ".cpp", ".cu", ".cuh"}
SCRIPTS = {".py", ".sh", ".cmake", ".txt", ".cfg"}
SKIPPED = re.compile(r"(build|out|generated|__pycache__|\.git)$")
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')
BEFORE = r"(?<![\w<>{}%$/.:*~-])"  # a name behind one of these is a part of another one
SOURCE = r"(?:\.{1,2}/)*[\w*][\w*./-]*\.(?:hpp|cpp|cuh?|inc|py|sh|cmake)"
NAME = re.compile(BEFORE + "(" + SOURCE + r"|cases/[\w*/.-]+\.cfg)(?![\w*/])")

LINK = re.compile(r"\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)")
DOCUMENT = re.compile(BEFORE + r"(docs/[\w/-]+\.md)")

UNITY = re.compile(r"dgtd_module\((\w+)(?:\s+LIGHT)?\s+UNITY\b")
LOCAL = re.compile(r"(?:struct|class|enum class) (?P<type>\w+)[^;]*\{"
                   r"|using (?P<alias>\w+) = (?P<meaning>.*);"
                   r"|constexpr [\w:<>, ]+?[ >](?P<value>\w+)(?:\[\w*\])?(?: =|\{)"
                   r"|(?!\s|return|using|template)[\w:<>,*& ]+?[ *&](?P<function>\w+\([^()]*\)) \{")


def walk(folder):
    """Files below a folder, without what git ignores."""
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or SKIPPED.match(path.name):
            continue
        if path.is_dir():
            yield from walk(path)
        else:
            yield path


def module_of(file):
    """The module that a path, relative to the root, belongs to; None for other files."""
    match = re.match(r"(?:include/dgtd|src|cuda)/(\w+)/", file)
    return match and match[1]


def comments(path, lines):
    """(number, text) of what people read: all of a document, the comments and docstrings of a source."""
    if path.suffix == ".py":
        with tokenize.open(path) as file:
            for token in tokenize.generate_tokens(file.readline):
                if token.type == tokenize.COMMENT or token.type == tokenize.STRING and token.string.startswith('"""'):
                    yield from enumerate(token.string.splitlines(), token.start[0])
        return
    comment = {".md": ".*"}.get(path.suffix, r"(?<!:)//.*" if path.suffix in CODE else r"(?:^|\s)#.*")
    for number, line in enumerate(lines, 1):
        if match := re.search(comment, line):
            yield number, match[0]


def anchors(lines):
    """Anchors of a document's headings, as GitHub makes them."""
    found, code = {}, False
    for line in lines:
        code ^= line.startswith("```")
        if not code and (heading := re.match(r"#+ (.*)", line)):
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            anchor = re.sub(r"[^\w\- ]", "", text).strip().replace(" ", "-")
            found[anchor] = found.get(anchor, -1) + 1
    return {f"{a}-{i}" if i else a for a, last in found.items() for i in range(last + 1)}


def broken_links(file, path, lines, headings):
    """Findings in the links of a document. headings(path): anchors of another document."""
    code = False
    for number, line in enumerate(lines, 1):
        code ^= line.startswith("```")
        for name, anchor in () if code else LINK.findall(re.sub(r"`[^`]*`", "", line)):
            target = path.parent / name if name else path
            if not target.exists():
                yield f"{file}:{number}: links to {name}, which does not exist"
            elif anchor and target.suffix == ".md" and anchor not in headings(target):
                yield f"{file}:{number}: links to {name}#{anchor}, of which the file has no heading"


def local_names(lines):
    """(number, name, meaning) in anonymous namespaces: types, constants, functions with the types of their arguments,
    and aliases, which alone have a meaning."""
    anonymous = False
    for number, line in enumerate(lines, 1):
        if line in ("namespace {", "}  // namespace"):
            anonymous = line == "namespace {"
        elif anonymous and (match := LOCAL.match(line)):
            name = match["type"] or match["value"] or match["alias"] or re.sub(r" \w+(?=[,)])", "", match["function"])
            yield number, name, match["meaning"]
            if match["value"]:  # constexpr double a = 1, b = 2;
                yield from ((number, name, None) for name in re.findall(r", (\w+) = ", line.split("//")[0]))


def check(root):
    """Findings in the tree below root, and counts of what was checked."""
    modules = (root / "cmake/modules.txt").read_text().split()
    files = {path.relative_to(root).as_posix(): path for path in walk(root)}
    findings, counts = [], dict.fromkeys(("files", "includes", "names", "comments"), 0)

    table = "docs/architecture.md"
    lines = files[table].read_text().splitlines()
    start = lines.index("| module | contents |") + 2
    rows = [line.split("|")[1].strip() for line in takewhile(lambda line: line.startswith("|"), lines[start:])]
    for i, (row, module) in enumerate(zip_longest(rows, modules, fillvalue="nothing")):
        if row != module:
            findings.append(f"{table}:{start + i + 1}: row {row}, cmake/modules.txt has {module}")
            break

    joined = {m for f, path in files.items() if f.endswith("CMakeLists.txt") for m in UNITY.findall(path.read_text())}
    headings = cache(lambda document: anchors(document.read_text().splitlines()))
    index = "docs/notebook/README.md"
    for file in files:
        if index in files and fnmatchcase(file, "docs/notebook/*.md") and file != index:
            if f"]({Path(file).name})" not in files[index].read_text():
                findings.append(f"{index}:1: has no line for {file}")

    between = {}  # (folder, other folder) of src: the first line that includes
    named = {}  # (module, name in an anonymous namespace): the first source that has it, meaning there

    for file, path in files.items():
        suffix = path.suffix
        if suffix not in CODE | SCRIPTS | {".md"} and file != ".ci/run":
            continue
        counts["files"] += 1
        lines, own = path.read_text().splitlines(), module_of(file)
        if own and own not in modules:
            findings.append(f"{file}:1: module {own} is not in cmake/modules.txt")
            continue
        for number, name, meaning in local_names(lines) if suffix == ".cpp" and own in joined else ():
            first, first_meaning = named.setdefault((own, name), (file, meaning))
            if first != file and not (meaning and meaning == first_meaning):
                findings.append(f"{file}:{number}: {name} is also in {first}, with which it may be compiled as one; "
                                "names in anonymous namespaces differ")
        for number, line in enumerate(lines, 1):
            include = suffix in CODE and INCLUDE.match(line)
            if include and own:
                folders = (path.parent, root / "include", root / "src", root / "cuda", root / "src" / own)
                target = next((f for f in ((d / include[1]).resolve() for d in folders) if f.is_file()), None)
                target = target and target.relative_to(root.resolve()).as_posix()
                counts["includes"] += 1
                other = target and module_of(target)
                folders = file.rpartition("/")[0], (target or "").rpartition("/")[0]
                if other == own and all(f.startswith("src/") for f in folders) and folders[0] != folders[1]:
                    between.setdefault(folders, f"{file}:{number}")
                if not target:
                    findings.append(f"{file}:{number}: includes {include[1]}, which is not in the tree")
                elif other not in modules:
                    findings.append(f"{file}:{number}: includes {target}; modules include headers of modules")
                elif modules.index(other) > modules.index(own):
                    above = " ".join(modules[:modules.index(own) + 1])
                    findings.append(f"{file}:{number}: includes {target}; {own} may include {above}")
                elif target.startswith("src/") and other != own:
                    findings.append(f"{file}:{number}: includes {target}, which is private to {other}; "
                                    f"allowed are headers of include/dgtd/{other}")
            goes_on = number > 1 and re.match(r"\s*//", lines[number - 2])
            if suffix in CODE and re.match(r"\s*//", line) and not goes_on:
                counts["comments"] += 1
                if odd := re.match(r"\s*///?\s*(Of|What)\b", line):
                    findings.append(f"{file}:{number}: comment begins with '{odd[1]}'; it begins with a noun or a verb")
        findings += broken_links(file, path, lines, headings) if suffix == ".md" else ()
        if path.name == "CHANGELOG.md":
            continue
        for number, text in comments(path, lines):
            findings += [f"{file}:{number}: names {name}, which does not exist" for name in DOCUMENT.findall(text)
                         if suffix != ".md" and name not in files and "NAME" not in name]
            for name in NAME.findall(text):
                counts["names"] += 1
                pattern = "*/" + re.sub(r"[A-Z]+(?![a-z])", "*", re.sub(r"^[./]+", "", name))
                if not any(fnmatchcase("/" + f, pattern) for f in files):
                    findings.append(f"{file}:{number}: names {name}, which does not exist; NAME and * are wildcards")
    findings += [f"{place}: {folder} includes headers of {other}, which includes {folder}'s; one way is allowed"
                 for (folder, other), place in between.items() if folder < other and (other, folder) in between]
    return findings, counts


def self_test():
    """Each gate reports its violation in a tree that has nothing else to report."""
    good = {"cmake/modules.txt": "base\nmesh\n",
            "docs/architecture.md": "| module | contents |\n| --- | --- |\n| base | |\n| mesh | |\n",
            "include/dgtd/base/a.hpp": "/// A number, see a.hpp and X_NAME.hpp.\n", "src/base/x_private.hpp": "",
            "docs/notebook/README.md": "[a](a.md)\n", "docs/notebook/a.md": "",
            "src/mesh/b.hpp": "", "src/mesh/b.cpp": '#include "b.hpp"\n#include "dgtd/base/a.hpp"\n',
            "include/dgtd/mesh/b.hpp": "", "cuda/mesh/d.hpp": "",
            "src/mesh/y/f.hpp": "", "src/mesh/y/g.hpp": '#include "mesh/x/g.hpp"\n', "src/mesh/x/g.hpp": "",
            "tests/base/a_test.cpp": '#include "base/x_private.hpp"\n',
            "src/base/CMakeLists.txt": "dgtd_module(base LIGHT UNITY SOURCES d.cpp e.cpp)\n",
            "src/base/d.cpp": "namespace {\n"
                              "using T = int;\nconstexpr double w = 0, x = 1;\nint f(int a) {\n"
                              "}\n}  // namespace\nint g() {\n"}
    bad = {"a": ("src/base/a.cpp", '#include "dgtd/mesh/b.hpp"\n', "may include base"),
           "a, cuda": ("cuda/base/a.cu", '#include "../mesh/d.hpp"\n', "cuda/mesh/d.hpp; base may include base"),
           "a, new": ("src/new/a.cpp", "", "new is not in cmake/modules.txt"),
           "b": ("cmake/modules.txt", "base\nmesh\nnew\n", "cmake/modules.txt has new"),
           "c": ("scripts/a.sh", "# as in missing.py\n", "names missing.py"),
           "c, document": ("README.md", "`cases/missing.cfg`\n", "names cases/missing.cfg"),
           "g, file": ("README.md", "[a](docs/missing.md)\n", "links to docs/missing.md, which"),
           "g, heading": ("README.md", "# A b\n[a](#a-b) [b](docs/architecture.md#c)\n", "docs/architecture.md#c, of"),
           "g, comment": ("src/base/a.cpp", "// See docs/missing.md.\n", "names docs/missing.md, which"),
           "g, notebook": ("docs/notebook/2026-topic.md", "", "no line for docs/notebook/2026-topic.md"),
           "d": ("src/base/a.hpp", "  /// Of the sources, J.\n", "begins with 'Of'"),
           "d, what": ("src/base/a.cpp", "// What a file has.\n", "begins with 'What'"),
           "f": ("src/base/e.cpp", "namespace {\nconstexpr int x = 1;\n", "x is also in src/base/d.cpp"),
           "f, alias": ("src/base/e.cpp", "namespace {\nusing T = long;\n", "T is also in src/base/d.cpp"),
           "f, function": ("src/base/e.cpp", "namespace {\ndouble f(int b) {\n", "f(int) is also in src/base/d.cpp"),
           "e": ("src/mesh/c.cpp", '#include "../base/x_private.hpp"\n', "private to base"),
           "h": ("src/mesh/x/f.hpp", '#include "mesh/y/f.hpp"\n', "one way is allowed")}
    for gate, (file, text, expected) in {"none": ("README.md", "", None), **bad}.items():
        with tempfile.TemporaryDirectory() as folder:
            for name, content in {**good, file: text}.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content)
            findings, _ = check(Path(folder))
        if len(findings) != (expected is not None) or expected and expected not in findings[0]:
            sys.exit(f"self-test of gate {gate}: expected '{expected}', got {findings}")


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--self-test"]):
        sys.exit("check_structure.py: unknown argument (only --self-test is known)")
    if sys.argv[1:]:
        self_test()
    findings, counts = check(Path(__file__).resolve().parent.parent)
    print("\n".join(findings) if findings else "structure: " + ", ".join(f"{n} {what}" for what, n in counts.items()))
    sys.exit(1 if findings else 0)
