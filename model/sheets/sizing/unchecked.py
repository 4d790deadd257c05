"""What is missing of the demand, phase by phase: lines of Performance.

A figure that nobody published, of the demand or of the array, leaves its constraint unchecked: it is listed, never
passed, and the answer says "at least".
"""

from model.layout.line import Line
from model.sheets.catalogue.phases import LABELS, SIZED

_SHORT = {**LABELS, "steady": "steady"}


def _mix_missing(phase: str) -> Line:
    load = f"{{load_{phase}}}"
    return Line(
        f"{phase}_mix_missing",
        f"Demand or read share missing in {LABELS[phase]}",
        "flag",
        f'=IF({load}>0,1-SIGN({{{phase}_read_given}}+{{supply_{phase}}}),COUNTIF({load},"=-1"))',
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
    name = _SHORT[phase]
    return Line(
        f"{phase}_missing",
        f"Missing of {LABELS[phase]}",
        "text",
        f'=REPT("{name} "&IF({{{phase}_iops}}>0,"read share","demand")&", ",{{{phase}_mix_missing}})'
        f'&REPT("{name} block size, ",{{{phase}_block_missing}})',
        "Empty where nothing is",
    )


MISSING: tuple[Line, ...] = (
    *(_mix_missing(phase) for phase in SIZED),
    *(_block_missing(phase) for phase in SIZED),
    *(_named(phase) for phase in SIZED),
)
