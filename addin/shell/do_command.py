"""`python -m addin do COMMAND`: what the buttons do, from a shell, in Excel, in Calc or on a file."""

from __future__ import annotations

import argparse
import inspect
import sys

from addin.errors import RequestError
from addin.running.documents import ENGINES, FILE

NAME = "do"
EXAMPLE = "example: python -m addin do monte_carlo --engine libreoffice --trials 65536"
# option, parameter of the command, type, metavar, what it is
_PARAMETERS = (
    ("--vary", "vary", str, "KEY", "the input to vary or to seek, instead of the selected one"),
    ("--target", "target", str, "RESULT=NUMBER", "what goal_seek keeps to, instead of the present arrays"),
    ("--name", "name", str, "NAME", "the result, input or cell to explain, instead of the selected one"),
    ("--depth", "depth", int, "N", "levels that explain_cell follows (default 3)"),
    ("--trials", "trials", int, "N", "trials of monte_carlo and sensitivity (default 65,536)"),
    ("--seed", "seed", int, "N", "same seed, same figures (default 1)"),
    ("--sampler", "sampler", str, "NAME", "sobol (default), latin or plain"),
    ("--until", "until", str, "P=X", "stop monte_carlo at a precision, such as p95=0.5%%"),
)


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a command line."""
    text = "Do what a button does: read the open workbook, put a result sheet into it."
    sub = commands.add_parser(NAME, help=text, description=text, epilog=EXAMPLE)
    sub.add_argument("button", metavar="COMMAND", help="; ".join(f"{name}: {tip}" for name, tip in BUTTONS.items()))
    sub.add_argument("--engine", default=FILE, metavar="NAME", help=f"one of {', '.join(ENGINES)} (default {FILE})")
    sub.add_argument("--book", metavar="NAME", help="name of an open workbook (default: the active one), or a path")
    sub.add_argument("--pipe", metavar="NAME", help="the pipe that LibreOffice listens on (default: the extension's)")
    for option, _, kind, metavar, tip in _PARAMETERS:
        sub.add_argument(option, type=kind, metavar=metavar, help=tip)
    sub.add_argument("--set", action="append", metavar="KEY=VALUE", help="an input changed for monte_carlo; repeatable")
    sub.add_argument("--result", action="append", metavar="KEY", help="a result of monte_carlo; repeatable")
    sub.add_argument("--smallest", action="store_true", default=None, help="goal_seek finds the smallest value")
    sub.add_argument("--run", metavar="TOKEN", help=argparse.SUPPRESS)  # given by launch.start


# the names of commands.COMMANDS and what they do; a test holds them together, as importing them takes a second
BUTTONS = {
    "scenarios": "every design, and a grid over one input",
    "monte_carlo": "what the uncertain inputs make of the design",
    "sensitivity": "which inputs count",
    "goal_seek": "how far one input can go",
    "compare_arrays": "every array for the same workload",
    "explain_cell": "the cells behind a number",
    "audit_book": "the workbook rules",
    "hand_off": "files for somebody without this program",
}


def run(options: argparse.Namespace) -> int:
    """Run the command; raise RequestError for an unknown one and for a parameter that it does not take."""
    if options.button not in BUTTONS:
        raise RequestError(f"do {options.button}: expected one of {', '.join(BUTTONS)}. Choose one.")
    if options.run:  # xlwings imports matplotlib where it is installed: half a second, and no button draws with it
        sys.modules.setdefault("matplotlib", None)  # type: ignore[arg-type]
    from addin.commands import COMMANDS
    from addin.running.runner import do

    given = {parameter: getattr(options, option[2:]) for option, parameter, *_ in _PARAMETERS}
    given |= {"settings": options.set, "results": options.result, "smallest": options.smallest}
    given = {name: value for name, value in given.items() if value is not None}
    taken = inspect.signature(COMMANDS[options.button].run).parameters
    for name in given:
        if name not in taken:
            raise RequestError(f"do {options.button}: takes no {name}. Leave it out.")
    return do(options.button, options.engine, options.book, options.pipe, given, options.run)
