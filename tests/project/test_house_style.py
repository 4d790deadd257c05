"""The house rules that a program can check: a rule turns one file into findings, and is itself tried on a fault.

Rules may be broken, consciously: then the file stands in LONG_FILES with the reason.
"""

import ast
import csv
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT_SUFFIXES = {".py", ".rows", ".csv", ".md", ".toml", ".lock", ".txt", ".sha256", ".xml", ".bas", ".cls", ".cfg"}
TEXT_SUFFIXES |= {".ini", ""}
LONGEST = 400
LONG_FILES: dict[str, str] = {}

MACHINE_PATH = re.compile(r"(?<![\w.\-*}])/(?:home|root|work|Users|tmp|mnt|private)/\w|\b[A-Z]:\\{1,2}(?:Users|Temp)\b")
REGISTRY = re.compile(
    r"--(?:extra-)?index-url|--find-links|--trusted-host|/simple/?(?=[\s\"')]|$)"
    r"|\bpypi\.(?:org|python)|\bpythonhosted\.org|\bregistry\.npmjs|\bcrates\.io|\bproxy\.golang|\brepo\d?\.maven"
    r"|\bdeb\.debian\.org"
)
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
SELF = "tests/project/test_house_style.py"

_NOT_UPWARD = {
    f"addin.{name}": "results know nothing of their callers" for name in ("running", "shell", "install", "hosts")
}
# package: what it must not import, and why
FORBIDDEN_IMPORTS = {
    "model": {"addin": "the model knows nothing of the add-in", "xlwings": "the model knows openpyxl only"},
    "addin.kernel": {"model": "the kernel knows no VDI", "xlwings": "the kernel computes without a spreadsheet"},
    "addin": {"xlwings.pro": "not free for commercial use"},
    **{f"addin.{name}": _NOT_UPWARD for name in ("workbook", "sizing", "simulation", "results")},
    "": {
        "pycel": "GPL",
        "formulas": "EUPL: a judge in tests only",
        "formualizer": "not Excel rounding: a judge in tests, and the slow engine of addin/computing",
    },
}
ALLOWED_IMPORTS = {("addin.computing.formualizer_engine", "formualizer")}
IMPORTS_COMMANDS = re.compile(r"addin\.(?:running\.runner|shell\.result_sheet)\b")  # nobody else does


@dataclass(frozen=True)
class File:
    """A text file of the project, by its path from the root."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree of a Python file."""
        return ast.parse(self.text, self.path)

    @property
    def module(self) -> str:
        """The dotted name: `model.read` for model/reading/read.py."""
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def is_test(self) -> bool:
        """Whether the file is part of the tests."""
        return self.path.startswith("tests/")

    def lines(self, pattern: re.Pattern[str]) -> Iterator[tuple[int, str]]:
        """Yield number and match of the lines that the pattern is found in."""
        for number, line in enumerate(self.text.splitlines(), 1):
            if match := pattern.search(line):
                yield number, match[0]


Findings = Iterator[tuple[int, str]]
Rule = Callable[[File], Findings]


def no_machine_paths(file: File) -> Findings:
    """Paths come from arguments, the repository or a temporary folder."""
    yield from ((n, f"a path of one machine: {match}") for n, match in file.lines(MACHINE_PATH))


def no_registry_hosts(file: File) -> Findings:
    """Where packages come from is the business of the machine."""
    yield from ((n, f"names a package registry: {match}") for n, match in file.lines(REGISTRY))


def nothing_unfinished(file: File) -> Findings:
    """Open work is an issue and no comment."""
    yield from ((n, f"unfinished: {match}") for n, match in file.lines(UNFINISHED))


def not_too_long(file: File) -> Findings:
    """Past 400 lines there is a second idea hiding in the file."""
    count = len(file.text.splitlines())
    if file.path.endswith((".py", ".rows")) and count > LONGEST and file.path not in LONG_FILES:
        yield count, f"{count} lines, at most {LONGEST}: split it, or give the reason in LONG_FILES"


def has_docstring(file: File) -> Findings:
    """The first line of a module says what it is for."""
    if not ast.get_docstring(file.tree):
        yield 1, "no module docstring"


def swallows_no_errors(file: File) -> Findings:
    """An error is handled, or it is not caught: no bare except, no silent one of every kind."""
    for node in ast.walk(file.tree):
        if isinstance(node, ast.ExceptHandler):
            kind = ast.unparse(node.type) if node.type else ""
            silent = all(isinstance(s, ast.Pass) or _is_ellipsis(s) for s in node.body)
            if not kind:
                yield node.lineno, "bare except"
            elif silent and kind in {"Exception", "BaseException"}:
                yield node.lineno, f"except {kind} that does nothing"


EMITTER = "addin/kernel/trials/emit_numpy.py"


def never_evaluates_text(file: File) -> Findings:
    """Formulas are parsed, never handed to eval or exec; the numpy emitter compiles the source that it wrote itself."""
    if file.path == EMITTER:
        return
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"eval", "exec"}:
            yield node.lineno, f"calls {node.func.id}"


def imports_point_one_way(file: File) -> Findings:
    """build.py -> model, kernel; commands -> analyses -> kernel; model and kernel know nothing of each other."""
    if file.is_test:
        return
    for number, imported in imports(file):
        for package, forbidden in FORBIDDEN_IMPORTS.items():
            if _inside(file.module, package):
                yield from (
                    (number, f"imports {imported}: {why}")
                    for bad, why in forbidden.items()
                    if _inside(imported, bad) and (file.module, bad) not in ALLOWED_IMPORTS
                )
        if _inside(imported, "addin.commands") and not IMPORTS_COMMANDS.match(file.module):
            yield number, "imports addin.commands: only what runs them does"


def public_functions_are_annotated(file: File) -> Findings:
    """Every argument and result of a public function says its type."""
    if file.is_test and (not file.path.startswith("tests/engines/") or "/test_" in file.path):
        return
    for node in _public_functions(file.tree):
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
        bare = [a.arg for a in arguments if a and a.annotation is None and a.arg not in {"self", "cls"}]
        if bare:
            yield node.lineno, f"{node.name}: no annotation of {', '.join(bare)}"
        if node.returns is None:
            yield node.lineno, f"{node.name}: no annotation of the result"


TEXT_RULES: tuple[Rule, ...] = (no_machine_paths, no_registry_hosts, nothing_unfinished)
PYTHON_RULES: tuple[Rule, ...] = (
    not_too_long,
    has_docstring,
    swallows_no_errors,
    never_evaluates_text,
    imports_point_one_way,
    public_functions_are_annotated,
)


def _is_ellipsis(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...


def _inside(module: str, package: str) -> bool:
    return not package or module == package or module.startswith(package + ".")


def imports(file: File) -> Iterator[tuple[int, str]]:
    """Yield every imported module; `from model import reading` counts as model.reading."""
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = file.module.split(".") + (["__init__"] if file.path.endswith("__init__.py") else [])
            base = ".".join([*parents[: len(parents) - node.level], node.module or ""]) if node.level else node.module
            yield from ((node.lineno, f"{str(base).strip('.')}.{alias.name}") for alias in node.names)


def _public_functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield public functions and the public methods of public classes, not the functions inside functions."""
    bodies: list[list[ast.stmt]] = [tree.body]
    bodies += [node.body for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    for body in bodies:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
                yield node


def project_files() -> list[File]:
    """Return the text files that are part of the project, tracked or about to be."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\0")
    paths = [Path(name) for name in sorted(set(listed)) if name]
    return [
        File(path.as_posix(), (ROOT / path).read_text(encoding="utf-8"))
        for path in paths
        if path.suffix in TEXT_SUFFIXES and (ROOT / path).is_file()
    ]


FILES = project_files()
PYTHON_FILES = [file for file in FILES if file.path.endswith(".py")]


def findings(rule: Rule, files: list[File]) -> str:
    """Return what the rule finds, one line each."""
    return "\n".join(f"{file.path}:{number}: {what}" for file in files for number, what in rule(file))


@pytest.mark.slow
@pytest.mark.parametrize("rule", TEXT_RULES, ids=lambda rule: rule.__name__)
def test_every_text_file_keeps(rule):
    broken = findings(rule, [file for file in FILES if file.path != SELF])  # this file spells out what it looks for
    assert not broken, f"{rule.__doc__}\n{broken}"


@pytest.mark.slow
@pytest.mark.parametrize("rule", PYTHON_RULES, ids=lambda rule: rule.__name__)
def test_every_module_keeps(rule):
    broken = findings(rule, PYTHON_FILES)
    assert not broken, f"{rule.__doc__}\n{broken}"


def test_the_rules_see_the_whole_project():
    paths = {file.path for file in PYTHON_FILES}
    assert {"build.py", "model/__init__.py", "addin/kernel/__init__.py", "tests/project/test_house_style.py"} <= paths


def test_long_files_are_still_long():
    lengths = {file.path: len(file.text.splitlines()) for file in PYTHON_FILES}
    assert [path for path in LONG_FILES if lengths.get(path, 0) <= LONGEST] == []


def test_data_holds_no_formulas():
    broken = []
    for path in sorted((ROOT / "model" / "data").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for number, row in enumerate(csv.reader(file), 1):
                broken += [f"{path.name}:{number}: {field}" for field in row if field.startswith("=")]
    assert broken == []


@pytest.mark.parametrize(
    ("rule", "path", "text", "what"),
    [
        (no_machine_paths, "model/a.py", "x = '/home/ann/book.xlsx'", "a path of one machine: /home/a"),
        (no_machine_paths, "README.md", r"C:\Users\Ann", r"a path of one machine: C:\Users"),
        (no_registry_hosts, "README.md", "pip install --index-url x", "names a package registry: --index-url"),
        (no_registry_hosts, "a.lock", "# from host/simple", "names a package registry: /simple"),
        (nothing_unfinished, "model/a.py", "# TODO later", "unfinished: TODO"),
        (not_too_long, "model/a.py", "\n" * 401, "401 lines, at most 400"),
        (has_docstring, "model/a.py", "x = 1", "no module docstring"),
        (swallows_no_errors, "model/a.py", "try:\n  f()\nexcept:\n  raise", "bare except"),
        (
            swallows_no_errors,
            "model/a.py",
            "try:\n  f()\nexcept Exception:\n  ...",
            "except Exception that does nothing",
        ),
        (never_evaluates_text, "addin/a.py", "eval(text)", "calls eval"),
        (
            imports_point_one_way,
            "model/a.py",
            "from addin.kernel import parse",
            "imports addin.kernel.parse: the model",
        ),
        (imports_point_one_way, "model/sheets/a.py", "import xlwings as xw", "imports xlwings: the model knows"),
        (
            imports_point_one_way,
            "addin/kernel/a.py",
            "from model import layout",
            "imports model.layout: the kernel knows no VDI",
        ),
        (
            imports_point_one_way,
            "addin/kernel/a.py",
            "def f():\n  import xlwings",
            "imports xlwings: the kernel computes",
        ),
        (
            imports_point_one_way,
            "addin/sizing/whatif.py",
            "from .. import commands",
            "imports addin.commands: only what runs them",
        ),
        (imports_point_one_way, "addin/engines/a.py", "from xlwings.pro import x", "imports xlwings.pro.x: not free"),
        (imports_point_one_way, "build.py", "import formulas", "imports formulas: EUPL"),
        (public_functions_are_annotated, "model/a.py", "def f(a, *, b: int) -> int: ...", "f: no annotation of a"),
        (
            public_functions_are_annotated,
            "model/a.py",
            "class A:\n  def f(self): ...",
            "f: no annotation of the result",
        ),
    ],
)
def test_a_fault_is_found(rule, path, text, what):
    assert what in findings(rule, [File(path, text)])


@pytest.mark.parametrize(
    ("rule", "path", "text"),
    [
        (no_machine_paths, "model/a.py", "x = folder / 'home/ann'; y = '/usr/bin/soffice'"),
        (no_registry_hosts, "README.md", "a simple/complex model, pip install vdi-storage-sizing"),
        (not_too_long, "model/a.py", "\n" * 400),
        (swallows_no_errors, "model/a.py", "try:\n  f()\nexcept KeyError:\n  pass"),
        (imports_point_one_way, "addin/running/runner.py", "from addin import commands"),
        (imports_point_one_way, "tests/engines/a.py", "import formulas"),
        (imports_point_one_way, "addin/commands.py", "from model.workbook import assemble"),
        (public_functions_are_annotated, "model/a.py", "def _f(a): ...\nclass _A:\n  def g(self, b): ..."),
    ],
)
def test_a_legal_neighbour_passes(rule, path, text):
    assert findings(rule, [File(path, text)]) == ""
