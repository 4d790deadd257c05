"""A small interpreter of VBA: runs the source that the add-in carries, so that what its buttons do is seen.

It knows the statements of RunPython and of our own module: assignments, calls, If, For, Exit, and strings. What Excel
provides (workbooks, message boxes, the shell) is given by the test as Python objects and functions.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

TOKEN = re.compile(r'\s*(?:("(?:[^"]|"")*")|(\d+(?:\.\d+)?)|([A-Za-z_]\w*\$?)|(<>|<=|>=|[=<>&+\-*/(),.]))')
CONSTANTS = {"true": True, "false": False, "nothing": None, "vbnewline": "\r\n", "vbcrlf": "\r\n", "vblf": "\n"}
BUILT_IN: dict[str, Callable[..., Any]] = {
    "chr": lambda code: chr(int(code)),
    "replace": lambda text, old, new: text.replace(old, new),
    "len": len,
    "left": lambda text, count: text[: int(count)],
    "right": lambda text, count: text[-int(count) :],
    "mid": lambda text, start, count: text[int(start) - 1 : int(start) - 1 + int(count)],
    "instr": lambda text, part: text.find(part) + 1,
    "instrrev": lambda text, part: text.rfind(part) + 1,
    "ucase": str.upper,
    "hex": lambda number: f"{int(number) & 0xFFFF:X}",
    "ascw": lambda text: int.from_bytes(text.encode("utf-16-le")[:2], "little", signed=True),
    "typename": lambda thing: type(thing).__name__,
}


@dataclass(frozen=True)
class Procedure:
    """A Sub or Function: parameters with their defaults (None: must be given), and its lines."""

    name: str
    parameters: tuple[tuple[str, str | None], ...]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Changed:
    """What a function of the host returns that also sets a variable of its caller, by reference."""

    result: Any
    variables: Mapping[str, Any]


class Exit(Exception):
    """Exit Sub, Exit Function, Exit For."""


class Raised(Exception):
    """An error that the host raises, such as a refused start of a program; `On Error GoTo` takes it."""


class Vba:
    """The modules of a project, ready to run as on Windows or on a Mac."""

    def __init__(self, modules: Mapping[str, str], mac: bool, host: Mapping[str, Any]) -> None:
        self.procedures: dict[str, Procedure] = {}
        self.globals: dict[str, Any] = dict(CONSTANTS)
        self.module_names = {name.lower() for name in modules}
        for text in modules.values():
            self._load(_lines(text, mac))
        self.host = {name.lower(): value for name, value in host.items()}

    def _load(self, lines: Sequence[str]) -> None:
        number = 0
        while number < len(lines):
            line = lines[number]
            constant = re.match(r"(?:Public |Private )?Const (\w+) As \w+ = (.+)$", line)
            head = re.match(r"(?:Public |Private )?(Sub|Function) (\w+)\((.*?)\)(?: As \w+)?$", line)
            if constant:
                self.globals[constant[1].lower()] = self.value(constant[2], {})
            if head:
                end = lines.index(f"End {head[1]}", number)
                body = tuple(lines[number + 1 : end])
                self.procedures[head[2].lower()] = Procedure(head[2].lower(), _parameters(head[3]), body)
                number = end
            number += 1

    def call(self, name: str, *arguments: Any) -> Any:
        """Run a procedure and return its result; what the host defines goes before what the modules do."""
        key = name.lower().rstrip("$")
        if key in self.host:
            return self.host[key](*arguments)
        if key in self.procedures:
            procedure = self.procedures[key]
            names: dict[str, Any] = {key: ""}
            for index, (parameter, default) in enumerate(procedure.parameters):
                given = index < len(arguments)
                names[parameter] = arguments[index] if given else self.value(default or '""', {})
            try:
                self._run(procedure.lines, names)
            except Exit:
                pass
            except Raised as error:
                if not names.get("on error"):
                    raise
                names["err"] = SimpleNamespace(description=str(error))
                self._run(procedure.lines[procedure.lines.index(f"{names['on error']}:") + 1 :], names)
            return names[key]
        return BUILT_IN[key](*arguments)

    def _run(self, lines: Sequence[str], names: dict[str, Any]) -> None:
        number = 0
        while number < len(lines):
            number = self._statement(lines, number, names)

    def _statement(self, lines: Sequence[str], number: int, names: dict[str, Any]) -> int:
        """Run the statement that starts at a line and return the line behind it."""
        line = lines[number]
        if match := re.match(r"If (.+) Then$", line):
            return self._if(lines, number, names)
        if match := re.match(r"If (.+?) Then (.+)$", line):
            if self.value(match[1], names):
                self._run([match[2]], names)
        elif match := re.match(r"For Each (\w+) In (.+)$", line):
            return self._for(lines, number, names, match[1], list(self.value(match[2], names)))
        elif match := re.match(r"For (\w+) = (.+?) To (.+)$", line):
            low, high = (int(self.value(text, names)) for text in match.groups()[1:])
            return self._for(lines, number, names, match[1], range(low, high + 1))
        elif match := re.match(r"Const (\w+) = (.+)$", line):
            names[match[1].lower()] = self.value(match[2], names)
        elif match := re.match(r"Exit (Sub|Function|For)$", line):
            raise Exit(match[1].lower())
        elif line.startswith("Dim "):
            for name in re.findall(r"(\w+)(?: As \w+)?(?:,|$)", line[4:].split(":")[0]):
                names.setdefault(name.lower(), "")
            if ":" in line:
                self._run([line.split(":", 1)[1].strip()], names)
        elif match := re.match(r"On Error GoTo (\w+)$", line):
            names["on error"] = "" if match[1] == "0" else match[1]
        elif not re.match(r"On Error |\w+:$", line):
            self._simple(line.removeprefix("Set ").removeprefix("Call "), names)
        return number + 1

    def _simple(self, line: str, names: dict[str, Any]) -> None:
        """Run an assignment or a call."""
        if match := re.match(r"(\w+) = (.+)$", line):
            names[match[1].lower()] = self.value(match[2], names)
        elif match := re.match(r"(\w+)\.(\w+) = (.+)$", line):
            setattr(self.value(match[1], names), match[2].lower(), self.value(match[3], names))
        elif match := re.match(r"(\w+) ?\((.*)\)$", line):
            self.call(match[1], *Expression(match[2], self, names).list())
        elif match := re.match(r"(\w+)\.(\w+) (.+)$", line):
            getattr(self.value(match[1], names), match[2].lower())(*Expression(match[3], self, names).list())
        else:
            name, _, rest = line.partition(" ")
            self.call(name, *Expression(rest, self, names).list())

    def _if(self, lines: Sequence[str], number: int, names: dict[str, Any]) -> int:
        """Run the first branch that holds and return the line behind End If."""
        branches: list[tuple[str, list[str]]] = [(lines[number][3:-5], [])]
        depth, number = 1, number + 1
        while True:
            line = lines[number]
            depth += bool(re.match(r"If .+ Then$", line)) - (line == "End If")
            if depth == 0:
                break
            if depth == 1 and (match := re.match(r"ElseIf (.+) Then$", line)):
                branches.append((match[1], []))
            elif depth == 1 and line == "Else":
                branches.append(("True", []))
            else:
                branches[-1][1].append(line)
            number += 1
        for condition, body in branches:
            if self.value(condition, names):
                self._run(body, names)
                break
        return number + 1

    def _for(self, lines: Sequence[str], number: int, names: dict[str, Any], name: str, items: Sequence[Any]) -> int:
        depth, end = 1, number
        while depth:
            end += 1
            depth += lines[end].startswith("For ") - bool(re.match(r"Next\b", lines[end]))
        for item in items:
            names[name.lower()] = item
            try:
                self._run(lines[number + 1 : end], names)
            except Exit as exit_:
                if exit_.args[0] != "for":
                    raise
                break
        return end + 1

    def value(self, text: str, names: dict[str, Any]) -> Any:
        """Return the value of an expression."""
        return Expression(text, self, names).whole()


class Expression:
    """Or < And < Not < comparison < & < + - < call, member; evaluated while it is read."""

    def __init__(self, text: str, vba: Vba, names: dict[str, Any]) -> None:
        self.vba, self.names = vba, names
        self.tokens: list[str] = []
        at = 0
        while at < len(text.rstrip()):
            match = TOKEN.match(text, at)
            assert match, f"cannot read {text[at:]!r}"
            self.tokens.append(match[0].strip())
            at = match.end()

    def whole(self) -> Any:
        value = self.either()
        assert not self.tokens, f"left over: {self.tokens}"
        return value

    def list(self) -> list[Any]:
        """Return the values of arguments, up to a closing bracket or the end."""
        values = []
        while self.tokens and self.tokens[0] != ")":
            values.append(self.either())
            self.skip(",")
        return values

    def skip(self, *wanted: str) -> str:
        return self.tokens.pop(0).lower() if self.tokens and self.tokens[0].lower() in wanted else ""

    def either(self) -> Any:
        value = self.both()
        while self.skip("or"):
            value = self.both() or value
        return value

    def both(self) -> Any:
        value = self.negated()
        while self.skip("and"):
            value = self.negated() and value
        return value

    def negated(self) -> Any:
        return not self.negated() if self.skip("not") else self.compared()

    def compared(self) -> Any:
        value = self.joined()
        while operator := self.skip("=", "<>", "<", ">", "is", "like"):
            other = self.joined()
            value = {
                "=": lambda a, b: a == b,
                "<>": lambda a, b: a != b,
                "<": lambda a, b: a < b,
                ">": lambda a, b: a > b,
                "is": lambda a, b: a is b,
                "like": fnmatch.fnmatchcase,
            }[operator](value, other)
        return value

    def joined(self) -> Any:
        value = self.added()
        while self.skip("&"):
            value = f"{value}{self.added()}"
        return value

    def added(self) -> Any:
        value = self.member()
        while operator := self.skip("+", "-"):
            other = self.member()
            value = value + other if operator == "+" else value - other
        return value

    def member(self) -> Any:
        if self.skip("-"):
            return -self.member()
        value = self.primary()
        while self.skip("."):
            name = self.tokens.pop(0)
            value = getattr(value, name.lower())
            if self.skip("("):
                value = value(*self.list())
                self.skip(")")
        return value

    def primary(self) -> Any:
        token = self.tokens.pop(0)
        if token.startswith('"'):
            return token[1:-1].replace('""', '"')
        if token[0].isdigit():
            return float(token) if "." in token else int(token)
        if token == "(":
            value = self.either()
            self.skip(")")
            return value
        name = token.lower()
        if name in self.vba.module_names - set(self.vba.host) and self.skip("."):
            name = self.tokens.pop(0).lower()
        if self.skip("("):
            arguments = self.list()
            self.skip(")")
            result = self.vba.call(name, *arguments)
            if isinstance(result, Changed):
                self.names.update(result.variables)
                result = result.result
            return result
        for known in (self.names, self.vba.globals, self.vba.host):
            if name in known:
                return known[name]
        return self.vba.call(name)


def _lines(text: str, mac: bool) -> list[str]:
    """Return the lines of a module for one system: continuations joined, comments and other branches left out."""
    kept: list[str] = []
    taken: list[list[bool]] = []  # per open #If: the branch is in, a branch was taken
    for raw in re.sub(r" _\r?\n\s*", " ", text).splitlines():
        line = re.sub(r"""^((?:[^"']|"[^"]*")*)'.*$""", r"\1", raw).strip()
        if match := re.match(r"#(If|ElseIf) (.+) Then$", line):
            holds = _holds(match[2], mac)
            if match[1] == "If":
                taken.append([holds, holds])
            else:
                taken[-1] = [holds and not taken[-1][1], holds or taken[-1][1]]
        elif line == "#Else":
            taken[-1] = [not taken[-1][1], True]
        elif line == "#End If":
            taken.pop()
        elif line and not line.startswith("#") and all(branch[0] for branch in taken):
            kept.append(line)
    return kept


def _holds(condition: str, mac: bool) -> bool:
    known = {"Mac": mac, "Not Mac": not mac, 'App = "Microsoft Excel"': True, "MAC_OFFICE_VERSION >= 15": True}
    return known.get(condition, condition in ("VBA7", "Win64"))


def _parameters(text: str) -> tuple[tuple[str, str | None], ...]:
    parameters = re.findall(r"(?:Optional )?(?:ByVal |ByRef )?(\w+)(?: As \w+)?(?: = (\"[^\"]*\"|\w+))?(?:, |$)", text)
    return tuple((name.lower(), default or None) for name, default in parameters if name)
