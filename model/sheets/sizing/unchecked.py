"""What is missing of the demand, phase by phase: lines of Performance.

A figure that nobody published, of the demand or of the array, leaves its constraint unchecked: it is listed, never
passed, and the answer says "at least".
"""

from model.layout.line import Group, Line
from model.sheets.catalogue.phases import LABELS, SCHEDULED, SHORT, SIZED


def known(phase: str) -> str:
    """Return the key of the line of Performance that tells whether a read share is known."""
    return "scheduled_read_given" if phase == SCHEDULED else f"read_known_{phase}"


def _mix_missing(phase: str) -> Line:
    load = f"{{load_{phase}}}"
    return Line(
        f"{phase}_mix_missing",
        SHORT[phase],
        "flag",
        f'=IF({load}>0,1-SIGN({{{known(phase)}}}+{{supply_{phase}}}),COUNTIF({load},"=-1"))',
        "A read share is needed where no rating is",
    )


def _block_missing(phase: str) -> Line:
    return Line(
        f"{phase}_block_missing",
        f"Block size missing in {LABELS[phase]}",
        "flag",
        f"=SIGN(MAX(0,{{load_{phase}}}))*(1-SIGN({{moved_kib_{phase}}}))",
        "Without it there is no throughput",
    )


def _named(phase: str) -> Line:
    name = f"{{label:{phase}_mix_missing}}"
    return Line(
        f"{phase}_missing",
        f"Missing of {LABELS[phase]}",
        "text",
        f'=REPT({name}&" "&IF({{load_{phase}}}>0,"read share","demand")&", ",{{{phase}_mix_missing}})'
        f'&REPT({name}&" block size, ",{{{phase}_block_missing}})',
        "Empty where nothing is",
    )


MISSING: tuple[Line | Group, ...] = (
    Group("Demand or read share missing of"),
    *map(_mix_missing, SIZED),
    Group("What is missing, by phase"),
    *map(_block_missing, SIZED),
    *map(_named, SIZED),
)
