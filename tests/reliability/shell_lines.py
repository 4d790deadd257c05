"""Command lines and workbooks made by chance: every one is an answer, or one clear line with exit 2, within seconds.

    python -m tests.reliability.shell_lines --lines 2000 --books 2000 --seed 7

Whatever happens the workbook keeps its bytes, unless the command was asked to write into it and did. Prints what was
wrong; the exit code is 1 where anything was.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import shlex
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

from addin.shell.main import main
from tests.support import small_workbook
from tests.xlsx import test_fuzz

SEED, LONGEST_S = 20261122, 12  # of this process, whatever else runs on the machine
FORMULAS = {**test_fuzz.FORMULAS, "arrays_required": "=1+INT({x}*3)"}
COMMANDS = (
    *("inputs", "size", "whatif", "scenarios", "compare", "seek", "explain", "simulate", "sensitivity", "audit"),
    *("handoff", "apply", "diff", "text", "do"),
)
OPTIONS = (
    *("--set", "--vary", "--target", "--trials", "--seed", "--save", "--json", "--sheet", "--smallest", "--engine"),
    *("--pipe", "--pid", "--cluster", "--workers", "--find", "--full", "--role", "--with-prices", "--live", "--theme"),
    *("--texts", "--git", "--result", "--depth", "--until", "--sampler", "--bridge", "--plot", "--help"),
)
VALUES = (
    *("x", "x=1", "x=", "=1", "x=1:2", "x=0:1:0.5", "x=2:1", "x=1:2:1000000000", "x=nan", "x=inf", "x=1e308", "x=1,5"),
    *("x=\u0661", "x=1.500", "x=50%", "x=\u00bd", "x=\u2212 1", "x=1\u00a0000", "x\n=1", "x=\t1", "x=1\r\n", "x=0x10"),
    *("twice=1", "twice>=1", "twice<=1", "twice=nan", "words=one", "nosuch=1", "-1", "0", "1", "1e9", "9" * 20, "abc"),
    *("", "\u00e4" * 300, "\udcff", "book.xlsx", "folder", "empty.xlsx", "notes.txt", "none.xlsx", "changes.json"),
    *("list.json", "deep.json", "theme.toml", "/dev/null", "/dev/zero", "../book.xlsx", "~", "*", "--", "-x", "."),
    *("127.0.0.1:9", "http://x", "kernel", "formualizer", "cost", "proposal", "HEAD", "out.xlsx", "out.ods", "out.png"),
    *("new/a.xlsx", "A1", "Inputs!XFD1048576", "Sheet!A1", "'", '"', "sobol", "p95=0.5%", "mean=nan", "p=", "x" * 300),
)
MORE_VALUES = (  # beside those of the fuzz test, for several damages at once
    *(
        "A1:B2",
        "'",
        "\t",
        "_x0000_",
        "1e400",
        "-1e400",
        "18446744073709551616",
        "2147483648",
        "99999999999",
        "str",
        "e",
    ),
    *("inlineStr", "#REF!", "SUM(A1:A1048576)", "=x", "Sheet!A1", "[1]Sheet!A1", "{1,2;3}", 'INDIRECT("A1")', "RAND()"),
    *(
        "OFFSET(A1,1,1)",
        "((((((((((1))))))))))",
        "1" * 400,
        "1900-01-00",
        "\u0661\u0662",
        "rId99",
        "../x.xml",
        "http://x/y",
    ),
)
OF_A_BOOK: tuple[tuple[str, ...], ...] = (
    *(("size",), ("explain", "twice"), ("audit",), ("whatif", "--vary", "x=0:1:0.5"), ("text",), ("inputs",)),
    *(("seek", "--vary", "x", "--target", "twice=1"), ("simulate", "--trials", "64"), ("size", "--set", "x=0.5")),
    *(("sensitivity", "--trials", "64"), ("compare",), ("scenarios",), ("simulate", "--trials", "64", "--sheet")),
)


def lines(count: int, seed: int, folder: Path) -> list[str]:
    """Run command lines made by chance in a folder; return what was wrong."""
    chance, wrong, book = random.Random(seed), list[str](), folder / "book.xlsx"
    whole = _book(folder)
    _surroundings(folder)
    for number in range(count):
        words = [chance.choice(COMMANDS)]
        words += ["book.xlsx"] * (chance.random() < 0.85)
        if words[0] in ("diff", "apply") and chance.random() < 0.8:
            words.append(
                chance.choice(("book.xlsx", "changes.json", "list.json", "deep.json", "empty.xlsx", "none.xlsx"))
            )
        for _ in range(chance.choice((0, 1, 1, 2, 3))):
            words.append(chance.choice(OPTIONS + VALUES[:5]))
            words += [chance.choice(VALUES)] * (chance.random() < 0.85)
        if words[0] == "simulate" and "--trials" not in words:
            words += ["--trials", "64"]
        book.write_bytes(whole)
        if said := _fault(words, "--sheet" in words, book, whole):
            wrong.append(f"line {number}: {shlex.join(words)!a}: {said}")
    return wrong


def books(count: int, seed: int, folder: Path) -> list[str]:
    """Run commands on workbooks with up to three damages each; return what was wrong."""
    chance, wrong, book = random.Random(seed), list[str](), folder / "book.xlsx"
    whole, known = _book(folder), test_fuzz.VALUES
    damages = (test_fuzz.misspelt, test_fuzz.misspelt, test_fuzz.thinned, test_fuzz.flipped)
    test_fuzz.VALUES = known + MORE_VALUES
    try:
        for number in range(count):
            data = whole
            for _ in range(chance.choice((1, 1, 2, 3))):
                try:
                    data = chance.choice(damages)(data, chance)
                except Exception:  # what is damaged already cannot be damaged in every way
                    break
            book.write_bytes(data)
            command = chance.choice(OF_A_BOOK)
            if said := _fault([command[0], book.name, *command[1:]], "--sheet" in command, book, data):
                wrong.append(f"book {number}: {shlex.join(command)}: {said}")
    finally:
        test_fuzz.VALUES = known
    return wrong


def _fault(words: Sequence[str], writes: bool, book: Path, before: bytes) -> str:
    """Run a command line; return what it broke of what must hold, empty where nothing."""
    out, err, start, code = io.StringIO(), io.StringIO(), time.process_time(), 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            with at_most(5 * LONGEST_S):
                code = main(words)
        except SystemExit as end:  # of argparse
            code = end.code if isinstance(end.code, int) else 1
        except BaseException:
            return traceback.format_exc()[-300:]
    said, spent = err.getvalue(), time.process_time() - start
    if spent > LONGEST_S:
        return f"took {spent:.0f} s"
    if "an internal error" in said or "Traceback" in said or code not in (0, 1, 2):
        return f"exit {code}, {said[-300:]!r}"
    if found := test_fuzz.FOREIGN.search(said):
        return f"says {found[0]!r}, which is no word of a user's: {said[-300:]!r}"
    if code == 2 and said.rstrip("\n").count("\n"):
        return f"more than one line: {said[-300:]!r}"
    if book.read_bytes() != before and not (writes and code in (0, 1)):
        return "the workbook was changed"
    return ""


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Interrupt what takes longer, as Ctrl-C does; nowhere to be had, it takes its time."""
    if hasattr(signal, "SIGALRM"):
        before = signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.alarm(seconds)
        try:
            yield
        finally:
            signal.alarm(0)
            signal.signal(signal.SIGALRM, before)
    else:
        yield


def _book(folder: Path) -> bytes:
    return small_workbook.save(folder / "book.xlsx", {"x": small_workbook.UNIFORM}, FORMULAS).read_bytes()


def _surroundings(folder: Path) -> None:
    """Write what the values of options name."""
    (folder / "folder").mkdir()
    (folder / "empty.xlsx").touch()
    (folder / "notes.txt").write_text("hello")
    (folder / "changes.json").write_text('{"inputs": {"x": 1e999}}')
    (folder / "list.json").write_text("[]")
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "theme.toml").write_text("colour = 3\n[x")


def campaign(line_count: int, book_count: int, seed: int = SEED) -> list[str]:
    """Run both in folders of their own; return what was wrong."""
    with tempfile.TemporaryDirectory() as home:
        before = Path.cwd()
        try:
            wrong: list[str] = []
            for run, count in ((lines, line_count), (books, book_count)):
                (folder := Path(home, run.__name__)).mkdir()
                os.chdir(folder)
                wrong += run(count, seed, folder)
            return wrong
        finally:
            os.chdir(before)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m tests.reliability.shell_lines", description=__doc__.splitlines()[0]
    )
    for name, usual in (("lines", 1000), ("books", 1000), ("seed", SEED)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    asked = parser.parse_args()
    faults = campaign(asked.lines, asked.books, asked.seed)
    print("\n".join(faults) or f"{asked.lines:,} command lines and {asked.books:,} workbooks, nothing wrong")
    sys.exit(int(bool(faults)))
