"""The work of a desktop: IOPS of a phase, and I/Os of a boot, a patch, a deployment: own, the profile's, the method's.

Lines of a kind stand below each other, in the order in which their inputs do: they share a formula.
"""

from collections.abc import Callable, Iterable

from model.layout.line import Line
from model.sheets.catalogue.phases import LABELS, LISTED, MACHINES, NOUNS

_OWN = {"boot": "ios_per_boot", "patching": "ios_per_patch", "provisioning": "ios_per_provisioning"}
NAMES = {"provisioning": "deployment"}
_METHOD = {"boot": "method_boot_likely", "patching": "method_patch_ios", "provisioning": "method_provision_ios"}


def known() -> tuple[Line, ...]:
    """Return for every phase whether own IOPS are entered, then the IOPS of a desktop; -1 = not known."""
    given = (
        Line(
            f"{phase}_iops_given",
            f"Own IOPS entered for {LABELS[phase]}",
            "flag",
            f"=SIGN(COUNT({{in:{phase}_iops_per_desktop}},{{base:{phase}_iops_per_desktop}}))",
            "1 = not the profile's",
        )
        for phase in LISTED
    )
    iops = (
        Line(
            f"{phase}_known_iops",
            f"IOPS of a desktop in {LABELS[phase]}",
            "IOPS/desktop",
            f"=IF(OR({{{phase}_iops_given}}>0,ISNUMBER({{{phase}_iops_per_desktop_published}})),"
            f"{{{phase}_iops_per_desktop}},{{unit:code_missing}})",
            "Entered, else the profile's; a blank is not published, never 0",
        )
        for phase in LISTED
    )
    return (*given, *iops)


def _measured(phase: str) -> Line:
    iops, run = f"{{{phase}_known_iops}}", f"{{{phase}_run_min}}"
    return Line(
        f"{phase}_measured_ios",
        f"I/Os of {NOUNS[phase]}, from IOPS through a run",
        "I/O/desktop",
        f"=IF({iops}>0,CHOOSE(1+SIGN({run}),{{unit:code_missing}},{iops}*{run}*{{unit:seconds_per_minute}}),{iops})",
        "IOPS x minutes of the run they were measured in; a peak without minutes gives no work",
    )


def _likely(phase: str) -> Line:
    column = f"{{{_METHOD[phase]}}}"
    found, scale = ("{boot_method_ios}", " x its ratio") if phase == "boot" else (column, "")
    return Line(
        f"{phase}_likely_ios",
        f"I/Os of {NOUNS[phase]}, where it was not measured",
        "I/O/desktop",
        f'=IF({column}>0,{found},CHOOSE(1+COUNTIF({column},"=-1"),{{unit:code_none}},{{unit:code_missing}}))',
        f"Likely value of the method{scale}; 0 there = no such work",
    )


def _fallback(phase: str) -> Line:
    measured, likely = f"{{{phase}_measured_ios}}", f"{{{phase}_likely_ios}}"
    return Line(
        f"{phase}_fallback_ios",
        f"I/Os of {NOUNS[phase]}, unless entered",
        "I/O/desktop",
        f"=IF(AND({{{phase}_iops_given}}=0,OR({likely}={{unit:code_none}},AND({measured}={{unit:code_missing}},"
        f"OR({{{phase}_known_iops}}<0,{{fixed:profile_published}}>0)))),{likely},{measured})",
        "As measured, else the method's; not known where you entered or typed IOPS without the minutes of the run",
    )


def _source_row(phase: str) -> Line:
    found = f"1+MIN({{{phase}_measured_ios}},{{{phase}_fallback_ios}})"
    return Line(
        f"{phase}_source_row",
        f"Row of the source of {NOUNS[phase]}",
        "count",
        f"=IF({{{_OWN[phase]}}}={{unit:code_missing}},1+SIGN(MAX({{{phase}_iops_given}},{found}))*(1+{{{phase}_iops_given}}),"
        "ROWS({work_sources}))",
        "Among those on Lists: method, profile, own IOPS, own I/Os",
    )


def _source(phase: str) -> Line:
    return Line(
        f"{phase}_source",
        f"Where the I/Os of {NOUNS[phase]} come from",
        "text",
        f"=INDEX({{work_sources}},{{{phase}_source_row}})",
        "Own I/Os, else own IOPS, else the profile, else the method",
        output=True,
    )


def _work(phase: str) -> Line:
    own = f"{{{_OWN[phase]}}}"
    return Line(
        f"{phase}_work_ios",
        f"I/Os of {NOUNS[phase]}",
        "I/O/desktop",
        f"=IF({own}={{unit:code_missing}},{{{phase}_fallback_ios}},{own})",
        "Entered, else by IOPS through a run, else the method's",
        output=True,
    )


_KINDS: Iterable[Callable[[str], Line]] = (_measured, _likely, _fallback, _source_row, _source, _work)


def _on_disks(phase: str) -> Line:
    return Line(
        f"disk_{phase}_named",
        f"{NAMES.get(phase, LABELS[phase])} on disks",
        "text",
        f'=REPT({{label:disk_{phase}_named}}&", ",SIGN(MAX(0,{{{phase}_work_ios}})))',
        "Not checked on disks of a cloud; empty without such work",
        text_lines=1,
    )


def ios() -> tuple[Line, ...]:
    """Return the I/Os of a boot, a patch and a deployment, where from, and what disks of a cloud leave open."""
    lines = tuple(kind(phase) for kind in _KINDS for phase in MACHINES)
    return (*lines, *(_on_disks(phase) for phase in MACHINES if phase != "boot"))


def on_disks(phase: str) -> tuple[Line, ...]:
    """Return the name of a phase that is not checked on disks of a cloud, as far below its work as those of `ios`."""
    return (_on_disks(phase),)
