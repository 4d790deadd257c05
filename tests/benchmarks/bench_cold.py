"""Commands from a cold start beside the start of Python with numpy: what a user waits for.

Run: python -m tests.benchmarks.bench_cold

Processor time, user and system, the least of several turns: the commands take turns, so that neighbours disturb all of
them alike. Python's compiled files are there, as for the second run of a command.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.document import markdown, paragraph

ROOT = Path(__file__).resolve().parents[2]
BOOK = str(ROOT / "templates" / "vdi-storage-sizing.xlsx")
TURNS = 7
NUMPY = 'python -c "import numpy"'
HEADINGS = ("command", "processor, s", "x import numpy")
COMMANDS = {
    NUMPY: ("-c", "import numpy"),
    "size": ("-m", "addin", "size", BOOK),
    "seek": ("-m", "addin", "seek", BOOK, "--vary", "desktops", "--target", "arrays_required=3"),
    "compare": ("-m", "addin", "compare", BOOK),
    "explain": ("-m", "addin", "explain", BOOK, "Out_arrays_required"),
    "simulate, 65,536 trials": ("-m", "addin", "simulate", BOOK, "--trials", "65536"),
}


def seconds(command: tuple[str, ...], environment: dict[str, str]) -> float:
    """Return the processor time of one run of Python."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], cwd=ROOT, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rows() -> list[tuple[str, ...]]:
    """Return a row for each command, texts under HEADINGS."""
    with tempfile.TemporaryDirectory() as compiled:
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = compiled
        for command in COMMANDS.values():
            seconds(command, environment)
        turns = [{name: seconds(command, environment) for name, command in COMMANDS.items()} for _ in range(TURNS)]
    best = {name: min(turn[name] for turn in turns) for name in COMMANDS}
    return [(name, f"{spent:.2f}", f"{spent / best[NUMPY]:.1f}") for name, spent in best.items()]


def section() -> str:
    """Return the table of docs/speed.md and what it is."""
    said = paragraph(
        f"""From a cold start, processor time (user and system, the least of {TURNS} turns that alternate), Python's
        compiled files in place: `python -m tests.benchmarks.bench_cold`."""
    )
    return f"{said}\n\n{markdown(HEADINGS, rows())}"


def main() -> None:
    """Print it."""
    print(section())


if __name__ == "__main__":
    main()
