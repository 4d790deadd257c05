"""The files of the page: its scripts in the order in which they run, format and model first, start last.

`TRIALS` comes before them, after the program: what a worker runs ends with it, at the line `PAGE_BEGINS`.
"""

from functools import cache
from importlib.resources import files

TRIALS, PAGE_BEGINS = "trials", "//= page"
SCRIPTS = (
    *("format", "model", "repairs", "entries", "fields", "repaint", "charts", "head", "results", "changes"),
    *("link", "kept", "sharing", "pinned", "bridge", "simulate", "chains", "words", "sweep", "opened", "start"),
)


@cache
def asset(name: str) -> str:
    """Return the text of a file in assets."""
    return files("addin.live").joinpath("assets").joinpath(name).read_text(encoding="utf-8")
