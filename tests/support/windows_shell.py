"""What stands between RunPython and Python: cmd.exe and the C runtime on Windows, AppleScript and a shell on macOS."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Call:
    """A program that cmd.exe starts: the folder it changed to before, and the arguments that the program sees."""

    folder: str
    arguments: list[str]


def windows_call(line: str) -> Call:
    """Return what `cmd.exe /C LINE` starts last: `C: & cd "folder" & "program" arguments 2> "log"`."""
    assert line.startswith("cmd.exe /C ")
    folder = ""
    for command in _commands(line.removeprefix("cmd.exe /C ")):
        arguments = _arguments(command)
        if arguments[0] in ("cd", "pushd"):
            folder = arguments[1]
        elif not re.fullmatch(r"[A-Za-z]:", arguments[0]):
            return Call(folder, arguments)
    raise AssertionError(f"starts nothing: {line}")


def mac_command(script: str, parameters: str) -> str:
    """Return the line that the AppleScript hands to the shell for the parameters of VBA."""
    text = script.replace("¬\n", "")
    (names,) = re.findall(r"set \{(.+)\} to SplitString\(ParameterString, \"\|\"\)", text)
    values = dict(zip(names.split(", "), parameters.split("|"), strict=True))
    (expression,) = re.findall(r"set ShellCommand to (.+)$", text, flags=re.MULTILINE)
    line = ""
    for literal, name in re.findall(r'"((?:[^"\\]|\\.)*)"|(\w+)', expression):
        line += values[name] if name else re.sub(r"\\(.)", r"\1", literal)
    return line


def _commands(line: str) -> list[str]:
    """Split at & outside quotes, take away the carets, leave out a redirection; cmd.exe knows no backslash."""
    commands, quoted, at = [""], False, 0
    while at < len(line):
        character = line[at]
        quoted ^= character == '"'
        if not quoted and character == "^":
            at += 1
            commands[-1] += line[at]
        elif not quoted and character == "&":
            commands.append("")
        else:
            assert quoted or character not in "|<", f"{character} outside quotes: {line}"
            commands[-1] += character
        at += 1
    return [re.sub(r' 2> "[^"]*" *$', "", command).strip() for command in commands]


def _arguments(command: str) -> list[str]:
    """Split as the C runtime does: 2n backslashes before a quote are n, an odd one makes the quote a character."""
    arguments, current, quoted, at = list[str](), "", False, 0
    started = False
    while at < len(command):
        slashes = len(command) - at - len(command[at:].lstrip("\\"))
        at += slashes
        if at < len(command) and command[at] == '"':
            current += "\\" * (slashes // 2)
            if slashes % 2:
                current += '"'
            else:
                quoted = not quoted
            started = True
            at += 1
        elif slashes:
            current, started = current + "\\" * slashes, True
        elif command[at] in " \t" and not quoted:
            if started:
                arguments.append(current)
            current, started, at = "", False, at + 1
        else:
            current, started, at = current + command[at], True, at + 1
    return [*arguments, current] if started else arguments
