"""Blocks of Outcome: how many arrays a design needs with assumed figures moved to an end of their ranges, at once.

A block begins with what moves (the phases' needs, factors of boot, log-off and planned utilisation, the capacity), then
puts it together as Sizing does: normal operation, and after one failure where that is bought. All blocks share their
formulas but those of what moves. Logins that meet a boot, and desktops booted on demand, keep the boot that is used.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from model.layout.line import Group, Line
from model.sheets.catalogue.phases import LABELS, SCHEDULED, TOGETHER, WITH_TOGETHER
from model.sheets.sizing.constraints import worked_in


@dataclass(frozen=True)
class Ends:
    """Formulas of what moves: the need of each phase (`{0}` is its key), three factors, the need of capacity."""

    tag: str
    name: str
    phase: str
    boot: str = "=1"
    logoff: str = "=1"
    planned: str = "=1"
    capacity: str = "={fixed:ratio_capacity}"  # -1 where it is unchecked: below every other need


def rows(ends: Ends) -> Iterator[Line | Group]:
    """Yield the rows of a block."""
    tag, name = ends.tag, ends.name

    def line(key: str, label: str, formula: str, basis: str, unit: str = "arrays") -> Line:
        return Line(f"{tag}_{key}", f"{label}, {name}", unit, formula, basis)

    def here(key: str) -> str:
        return f"{{{tag}_{key}}}"

    yield Group(f"Arrays needed with {name}")
    for phase in WITH_TOGETHER:
        basis = "By IOPS, in normal operation"
        yield line(phase, f"Needed by {LABELS[phase]}", ends.phase.format(phase), basis)
    yield line("boot_times", "Work of a boot over that used", ends.boot, "1 = it does not move", "ratio")
    yield line("logoff_times", "Load of the log-off over that used", ends.logoff, "1 = it does not move", "ratio")
    yield line("planned_times", "Planned utilisation used over that", ends.planned, "1 = it does not move", "ratio")
    yield line("capacity", "Needed by capacity", ends.capacity, "In normal operation")
    boot, logoff, planned = here("boot_times"), here("logoff_times"), here("planned_times")
    users = f"{{range:{tag}_login:{tag}_steady}},{here(TOGETHER)}"
    yield line("booted", "Needed by the boot, moved", f"={here('boot')}*{boot}", "By IOPS")
    yield line(
        "left",
        "Needed by the log-off, moved",
        f"={here('logoff')}*(1+({logoff}-1)*({{fixed:supply_logoff}}/MAX(1,{{fixed:alone_logoff}})))",
        "By IOPS, without those still at work, who have their own mix",
    )
    yield line(
        "worked_in",
        "Largest need of a phase that others work in",
        f"={worked_in(f'{tag}_{{0}}', f'{tag}_left', 'fixed:').replace(here('boot'), here('booted'))}",
        "0 = no one is at work in boot, log-off, patching and scheduled load",
    )
    yield line(
        "moved",
        "Needed by throughput",
        f"=MAX({{fixed:ends_moved}},{{fixed:throughput_boot}}*{boot},{{fixed:throughput_logoff}}*{logoff})"
        "*SIGN({fixed:throughput_rating})/MAX(1,{fixed:throughput_rating})",
        "0 = no rating",
    )
    yield line(
        "phases",
        "Needed by the phases of a desktop",
        f"=MAX({here('provisioning')},{here('booted')},{users},{here('left')},{{range:{tag}_patching:{tag}_{SCHEDULED}}})",
        "By IOPS, at the planned utilisation used",
    )
    yield line(
        "latency",
        "Needed by latency",
        f"=MAX({here('booted')}*{{fixed:boot_latency_ratio}},MAX({users},{here('worked_in')})*{{fixed:latency_ratio}})",
        "Boot, login, steady work, and phases that others work in; what is planned does not move it",
    )
    yield line(
        "users",
        "Needed by users at work, of what must hold after one failure",
        f"=MAX({here('steady')},{{fixed:survive_login}}*MAX({here('login')},{here(TOGETHER)}))",
        "By IOPS",
    )
    yield line(
        "relief",
        "After one failure over before",
        f"={{fixed:failover_relief}}*{planned}^(1-{{fixed:card_in_use}})",
        "A data sheet keeps another reserve then",
        "ratio",
    )
    yield line(
        "held",
        "Needed by what must hold after one failure, of what is left",
        f"=MAX({here('users')}*MAX({here('relief')},{{fixed:latency_ratio}}),{{fixed:users_moved}},{{fixed:survive_all}}"
        f"*MAX({here('phases')}*{here('relief')},{here('moved')},{here('latency')}),"
        f"{{fixed:array_lost}}*{here('capacity')})",
        "As on Sizing",
    )
    yield line(
        "after",
        "Needed after one failure",
        f"=IF({{fixed:failover_counts}}>0,{here('held')}/{{fixed:surviving_ratio}}+{{fixed:array_lost}},0)",
        "0 = not bought, or not known what is left",
    )
    yield line(
        "largest",
        "Needed, unrounded",
        f"=MAX({here('capacity')},{here('phases')}*{planned},{here('latency')},{here('moved')},"
        f"{{fixed:ratio_fault_domain:ratio_least_nodes}},{here('after')})",
        "The largest of all",
    )
