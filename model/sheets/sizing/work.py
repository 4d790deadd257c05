"""The work of a desktop in a phase: own I/Os, own IOPS through a run, the profile, or the method."""

from model.layout.line import Line
from model.sheets.catalogue.phases import LABELS, NOUNS


def ios(phase: str, own: str, method: str) -> tuple[Line, ...]:
    """Return the I/Os of a desktop in a phase and where they come from: own, own IOPS, profile, method."""
    key, iops = f"{phase}_iops_per_desktop", f"{{{phase}_known_iops}}"
    scale = "*{boot_work_ratio}" if phase == "boot" else ""
    column = f"{{method_{method}}}"
    return (
        Line(
            f"{phase}_known_iops",
            f"IOPS of a desktop in {LABELS[phase]}",
            "IOPS/desktop",
            f"=IF(OR(COUNT({{in:{key}}},{{base:{key}}})>0,ISNUMBER({{{key}_published}})),{{{key}}},{{unit:code_missing}})",
            "Entered, else the profile's; a blank is not published, never 0",
        ),
        Line(
            f"{phase}_measured_ios",
            f"I/Os of {NOUNS[phase]}, from IOPS through a run",
            "I/O/desktop",
            f"=IF({iops}>0,CHOOSE(1+SIGN({{{phase}_run_min}}),{{unit:code_missing}},"
            f"{iops}*{{{phase}_run_min}}*{{unit:seconds_per_minute}}),{iops})",
            "IOPS x minutes of the run they were measured in; a peak without minutes gives no work",
        ),
        Line(
            f"{phase}_likely_ios",
            f"I/Os of {NOUNS[phase]}, where it was not measured",
            "I/O/desktop",
            f'=IF({column}>0,{column}{scale},CHOOSE(1+COUNTIF({column},"=-1"),{{unit:code_none}},{{unit:code_missing}}))',
            "Likely value of the method" + (" x its ratio" if scale else "") + "; 0 there = no such work",
        ),
        Line(
            f"{phase}_iops_given",
            f"Own IOPS of {NOUNS[phase]} entered",
            "flag",
            f"=SIGN(COUNT({{in:{key}}},{{base:{key}}}))",
            "1 = not the profile's",
        ),
        Line(
            f"{phase}_fallback_ios",
            f"I/Os of {NOUNS[phase]}, unless entered",
            "I/O/desktop",
            f"=IF(OR({{{phase}_measured_ios}}={{unit:code_missing}},AND({{{phase}_likely_ios}}={{unit:code_none}},"
            f"{{{phase}_iops_given}}=0)),{{{phase}_likely_ios}},{{{phase}_measured_ios}})",
            "As measured, else the method's; none where the method has no such work and you entered none",
        ),
        Line(
            f"{phase}_source_row",
            f"Row of the source of {NOUNS[phase]}",
            "count",
            f"=IF({{{own}}}={{unit:code_missing}},1+SIGN(MAX(0,1+MIN({{{phase}_measured_ios}},{{{phase}_fallback_ios}})))*(1+{{{phase}_iops_given}}),"
            "ROWS({work_sources}))",
            "Among those on Lists: method, profile, own IOPS, own I/Os",
        ),
        Line(
            f"{phase}_source",
            f"Where the I/Os of {NOUNS[phase]} come from",
            "text",
            f"=INDEX({{work_sources}},{{{phase}_source_row}})",
            "Own I/Os, else own IOPS, else the profile, else the method",
            output=True,
        ),
        Line(
            f"{phase}_work_ios",
            f"I/Os of {NOUNS[phase]}",
            "I/O/desktop",
            f"=IF({{{own}}}={{unit:code_missing}},{{{phase}_fallback_ios}},{{{own}}})",
            "Entered, else the row above",
            output=True,
        ),
    )
