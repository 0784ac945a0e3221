"""A case: sections with keys, whose names, types and units are those of the program's table of keys."""
import copy
import os
import pathlib
import re
import tempfile

from . import program
from .program import Error, unknown

# The three ways to give the length of a run: the one that is set last counts, as with --set.
_LENGTHS = ("end", "periods", "steps")
# Of the ways to give frequencies too.
_FREQUENCIES = ("frequencies", "wavelengths", "frequency_range")
_OF_WORDS = {"tolerance": ("steady",), "decay": ("decayed",), "at_most": ("steady", "decayed")}  # of time.end


def text_of(value):
    """The text of a value in a case file: lists have blanks between their values, lists of lists commas."""
    if hasattr(value, "tolist"):  # NumPy
        value = value.tolist()
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (list, tuple, range)):
        items = [v.tolist() if hasattr(v, "tolist") else v for v in value]
        return (", " if any(isinstance(v, (list, tuple)) for v in items) else " ").join(map(text_of, items))
    return repr(value)


def _number(word):
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    return word


def value_of(text, key):
    """The value of a text of a case file, by the schema of its key: a number, a text, a list, a list of lists."""
    for choice in [key, *key.get("anyOf", [])]:
        types = choice.get("type", [])
        types = [types] if isinstance(types, str) else types
        if ("number" in types or "integer" in types) and not isinstance(_number(text), str):
            return _number(text)
        if "array" not in types:
            continue
        items = choice.get("items", {})
        words = text.split()
        if items.get("type") != "array":
            return [_number(word) for word in words] if len(words) > 1 or "string" not in types and key is choice else text
        if "," in text or len(words) >= items.get("minItems", 1):
            most = items.get("maxItems", 0) - 1  # the last value may be a name with blanks
            return [[_number(word) for word in part.split(None, most)] for part in text.split(",")]
    return text


def _has_expression(value, key):
    """Whether a value that was read by the schema of its key has units or parameters in it: words in place of numbers."""
    allowed, patterns, numeric = set(key.get("enum", [])), [], False
    for choice in [key, *key.get("anyOf", [])]:
        items = choice.get("items", {})
        for part in (choice, items, *choice.get("prefixItems", []), *items.get("prefixItems", []), items.get("items", {})):
            types = part.get("type", [])
            types = [types] if isinstance(types, str) else types
            numeric = numeric or "number" in types or "integer" in types
            allowed.update(part.get("enum", []), [part["const"]] if "const" in part else [])
            if "string" in types:
                patterns.append(part.get("pattern", ""))
    values = [value]
    while any(isinstance(v, list) for v in values):
        values = [w for v in values for w in (v if isinstance(v, list) else [v])]
    words = [v for v in values if isinstance(v, str) and v not in allowed]
    return numeric and any(not any(re.search(p, word) for p in patterns) for word in words)


def _schema_of(title):
    """(title, schema) of a section, by its title: "solver", "shape.sphere". Former spellings give the present title.
    Raises UnknownName."""
    table = program.schema()
    kind, dot, name = title.partition(".")
    for pattern, entry in table["patternProperties"].items():
        if re.match(pattern, title):
            return f"{entry.get('replaced_by', kind)}.{name}", table["$defs"][entry["$ref"].rpartition("/")[2]]
    if not dot and kind in table["properties"]:
        return title, table["$defs"][kind]
    labels = [*table["properties"], *(f"{p[1:].partition('[')[0]}.NAME" for p in table["patternProperties"])]
    if dot and kind in table["properties"]:
        raise program.UnknownName(f"there is no section {title}; did you mean {kind}?")
    if f"{kind}.NAME" in labels:
        raise program.UnknownName(f"section {kind} needs a name: {kind}.NAME")
    near = unknown("section", f"{kind}.NAME" if dot else kind, labels)
    raise program.UnknownName(str(near).replace("NAME", name) if dot else str(near))


class Section:
    """Keys of one section, by attribute or item: section.radius is section["radius"].

    A key that was not given reads as its default, or None where that depends on the case (case.value gives it). Values are
    numbers in the key's unit, texts, lists; None removes a key. A text may have units and parameters ("480 nm", "2*w"): it
    reads as the numbers that the program makes of it, or as itself
    where it makes none (ranges, incomplete cases). An unknown key raises UnknownName with the nearest one.
    """

    def __init__(self, case, title, schema):
        object.__setattr__(self, "_case", case)
        object.__setattr__(self, "_title", title)
        object.__setattr__(self, "_schema", schema)

    def _key(self, name):
        keys = self._schema["properties"]
        if name not in keys and isinstance(self._schema["additionalProperties"], dict):  # [parameters]
            return name, self._schema["additionalProperties"]
        if name not in keys:
            known = [f"{self._title}.{key}" for key, schema in keys.items() if "replaced_by" not in schema]
            raise unknown("key", f"{self._title}.{name}", known)
        name = keys[name].get("replaced_by", name)
        return name, keys[name]

    @property
    def _given(self):
        return self._case._sections.get(self._title, {})

    def __getitem__(self, name):
        name, key = self._key(name)
        if name not in self._given:
            return key.get("default")
        value = value_of(self._given[name], key)
        if not _has_expression(value, key):
            return value
        try:
            completed = self._case.value(f"{self._title}.{name}")
        except Error:
            completed = None
        return self._given[name] if completed is None else completed  # of wavelengths the completed case has frequencies

    def __setitem__(self, name, value):
        name, key = self._key(name)
        if value is None:
            self._given.pop(name, None)
            return
        if key.get("format") == "path":
            value = pathlib.Path(os.path.abspath(value))
        text = text_of(value)
        if not text.strip() or "\n" in text:
            raise Error(f"{self._title}.{name} = {text!r}: must be a value of one line", 2)
        self._case._replace(self._title, name, text)

    def __delitem__(self, name):
        self[name] = None

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __setattr__(self, name, value):
        self[name] = value

    def __dir__(self):
        return [*super().__dir__(), *self._schema["properties"]]

    def keys(self):
        """Names of the keys that were given."""
        return list(self._given)

    def help(self, name):
        """What dgtd --help prints about a key: its meaning, what is allowed, default, methods."""
        name, _ = self._key(name)
        return program.call(f"--help={self._title.partition('.')[0]}.{name}")

    def __repr__(self):
        return "\n".join([f"[{self._title}]", *(f"{name} = {text}" for name, text in self._given.items())])


class Case:
    """A case: case["shape.sphere"].radius = 30e-9. Sections come into being when a key of theirs is set.

    Names are checked here against the table of keys of the program (dgtd --schema), values by the program itself: in
    check(), and before a run.
    """

    def __init__(self, name="case"):
        self.name = name  # of the file, and the default name of the results
        self._sections = {}  # {title: {key: text}}

    @classmethod
    def read(cls, name):
        """A case file, or a shipped case by its name; .cfg may be left out. Paths in it become absolute.

        Raises Error for a file that does not exist or whose lines are not [section] and key = value.
        """
        name = os.fspath(name)
        places = [name, f"{name}.cfg"]
        shipped = [program.shipped_cases() / place for place in places] if os.path.basename(name) == name else []
        file = next((pathlib.Path(place) for place in [*places, *shipped] if os.path.isfile(place)), None)
        if file is None:
            program.call(name, "--print")  # has the message
            raise Error(f"{name}: no such case file", 2)
        case = cls(file.stem)
        # As in dgtd, results of a shipped case are in the working directory.
        case._read(file.resolve(), pathlib.Path.cwd() if file in shipped else file.resolve().parent, [])
        mesh = case["mesh"]
        if mesh.generator and not mesh.file:  # a generated mesh is kept beside the file that was read
            mesh.file = program.call(file, "--print", "mesh.file").strip() or None
        return case

    def _read(self, file, results, seen):
        program.schema()  # without a program an error of its own
        section, title = None, None
        own = set()  # keys of this file
        seen.append(file)
        for number, line in enumerate(file.read_text(encoding="utf-8-sig").splitlines(), 1):
            line = re.sub(r"\s#.*|^[#;].*", "", line.strip()).strip()
            if not line:
                continue
            key, equals, text = (part.strip() for part in line.partition("="))
            if section is None and key == "include" and text:
                self._include(file, number, text, results, seen)
                continue
            try:
                if line[0] == "[" and line[-1] == "]":
                    title, schema = _schema_of(line[1:-1].strip())
                    section = Section(self, title, schema)
                    self._sections.setdefault(title, {})
                    continue
                if section is None or not equals or not key or line[0] == "[":
                    raise Error(f"'{line}': expected [section] or key = value", 2)
                name, entry = section._key(key)
                if entry.get("format") == "path":
                    text = os.path.normpath((results if title == "output" else file.parent) / text)
                own.add((title, name))
                self._replace(title, name, text, own)
            except Error as error:
                raise type(error)(f"{file}:{number}: {error}") if isinstance(error, program.UnknownName) else Error(
                    f"{file}:{number}: {error}", 2) from None

    def _include(self, including, number, text, results, seen):
        """The keys of a file below, which those of the including file replace. A file counts where it is included first."""
        file = (including.parent / text).resolve()
        if not file.is_file():
            raise Error(f"{including}:{number}: include = {text}: no such file as {file}", 2)
        if file in seen:
            return
        below = Case(self.name)
        below._read(file, results, seen)
        for title, keys in below._sections.items():
            self._sections.setdefault(title, {})
            for name, value in keys.items():
                self._replace(title, name, value, {(title, other) for other in keys})

    def _replace(self, title, name, text, kept=()):
        """Sets the text of a key, and removes keys that it excludes, but those in `kept`: pairs of title and key."""
        given = self._sections.setdefault(title, {})
        others = _FREQUENCIES if name in _FREQUENCIES else ()
        if title == "time" and name in _LENGTHS:
            others = _LENGTHS + tuple(key for key, words in _OF_WORDS.items() if text not in words)
        for other in others:
            if (title, other) not in kept:
                given.pop(other, None)
        given[name] = text

    def __getitem__(self, title):
        title, schema = _schema_of(title)
        return Section(self, title, schema)

    def __delitem__(self, title):
        self._sections.pop(_schema_of(title)[0], None)

    def __contains__(self, title):
        return title in self._sections

    def __iter__(self):
        return iter(self._sections)

    def sections(self):
        """Titles of the sections that the case has."""
        return list(self._sections)

    def set(self, key, value):
        """Sets SECTION.KEY or SECTION.NAME.KEY: case.set("shape.sphere.radius", 30e-9)."""
        title, _, name = key.rpartition(".")
        self[title][name] = value

    def copy(self):
        return copy.deepcopy(self)

    def text(self, folder=None):
        """The text of the case file. Paths below `folder` are written relative to it."""
        lines = [f"# {self.name}"]
        for title, keys in self._sections.items():
            lines += ["", f"[{title}]"]
            properties = _schema_of(title)[1]["properties"]
            for name, text in keys.items():
                if folder is not None and properties.get(name, {}).get("format") == "path":
                    path = os.path.relpath(text, os.path.abspath(folder))
                    text = text if path.startswith("..") else path
                lines.append(f"{name} = {text}")
        return "\n".join(lines) + "\n"

    def write(self, path):
        """Writes the case file, with .cfg added to a name without an extension; returns its path."""
        path = pathlib.Path(path)
        path = path if path.suffix else path.with_suffix(".cfg")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.text(path.parent))
        return path

    def _call(self, *arguments):
        """Standard output of dgtd with this case and these arguments."""
        with tempfile.TemporaryDirectory() as folder:
            file = self.write(os.path.join(folder, f"{self.name}.cfg"))
            try:
                return program.call(file, *arguments)
            except Error as error:
                raise Error(str(error).replace(f"{folder}/", ""), error.exit_code) from None

    def value(self, key):
        """The value of SECTION.KEY or SECTION.NAME.KEY in the completed case, with its defaults; None: it has none."""
        title, _, name = key.rpartition(".")
        name, entry = self[title]._key(name)
        text = self._call("--print", f"{title}.{name}").strip()
        return value_of(text, entry) if text else None

    def check(self):
        """Lets the program check the case (dgtd --dry-run): values, geometry, time step, memory. Returns its report.
        Raises Error with the program's line."""
        return self._call("--dry-run")

    def run(self, ranks=1, output=None, wait=True, launcher=None, backend=None, threads=None, restart=False, progress=None,
            environment=None):
        """Starts a run and returns it as a Run.

        ranks: of MPI; one needs no mpirun. output: directory of the results (output.directory, else out/NAME in the
        working directory). wait: for its end, with a progress bar; else run.wait() and run.stop(). launcher: "mpirun",
        "srun" or a whole command before the program (mpirun; srun within a job of Slurm). backend: "cpu", "cuda", "auto".
        threads: per rank. restart: continues from the newest checkpoint in `output`. progress: whether a bar is drawn (on
        terminals and in notebooks). environment: variables that are added. Raises Error where the program fails.
        """
        from .run import Run
        changed = self.copy()
        if backend is not None:
            changed["solver"].backend = backend
        if threads is not None:
            changed["solver"].threads = threads
        directory = output or changed["output"].directory or os.path.join("out", self.name)
        run = Run.start(changed, directory, program.launch(ranks, launcher), restart=restart, environment=environment)
        if wait:
            run.wait(progress=progress)
        return run

    def __repr__(self):
        return self.text()
