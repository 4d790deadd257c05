"""What `measure --against` says: measured beside sized, and every number of the update."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from addin.measured.against import Against, Held, HeldType
from addin.numerals import number_of, numeral
from addin.results.measured_sections import UNKNOWN, Section
from addin.sizing.tables import Table

_RULES = (
    "Prior: centre 0 (as sized), spread = root mean square of ln(printed / ours), Predictions of IOPS across tests.",
    "Weight = prior spread^2 / (prior spread^2 + error^2); ln corrected = weight x ln(measured / sized).",
    "Spread after = prior spread x sqrt(1 - weight); corrected = sized x e^(ln corrected).",
)


def sections(found: Against) -> Iterator[Section]:
    """Yield measured beside sized, then the update of each phase that has one."""
    sized = found.sized
    rows = tuple(
        (
            each.phase,
            each.sized,
            each.measured,
            each.measured / each.sized,
            _span(each.interval),
            each.sized_is,
            _span(each.predicted),
            each.measured_is,
        )
        for each in found.phases
    )
    headings = ("Phase", "Sized", "Measured", "Ratio", "Measured, 95 %", "Sized is", "Predicted, 95 %", "Measured is")
    units = ("", "IOPS", "IOPS", "ratio", "IOPS", "", "IOPS", "")
    title = f"Measured beside sized: {sized.design}, {number_of(sized.desktops, 'desktop')}"
    yield Section(title, table=Table(headings, units, rows, tuple(found.left)))
    if found.types_left:
        yield _by_type(found.types, found.types_left)
    updated = tuple(row for each in found.phases if (row := _updated(each, sized.desktops)))
    if updated:
        names = ("Phase", "Prior from", "Misses", "Prior spread", "ln(measured / sized)", "Error", "Error from",
                 "Weight", "ln corrected", "Spread after", "Ratio", "Sized", "Corrected")  # fmt: skip
        of = ("", "", "count", "ln", "ln", "ln", "", "ratio", "ln", "ln", "ratio", "IOPS/desktop", "IOPS/desktop")
        yield Section("Corrected by a normal update", table=Table(names, of, updated, _RULES))


def _by_type(types: Sequence[HeldType], left: Sequence[str]) -> Section:
    """Return measured beside sized of each type, with the figure that its normal update corrects it to."""
    rows = tuple(
        (
            each.name,
            held.phase,
            each.desktops,
            held.sized / each.desktops,
            held.measured / each.desktops,
            held.measured / held.sized,
            held.sized_is,
            held.measured_is,
            numeral(held.update.weight, ".4f") if held.update else UNKNOWN,
            held.corrected / each.desktops if held.corrected is not None else UNKNOWN,
        )
        for each in types
        for held in each.phases
    )
    headings = ("Type", "Phase", "Desktops", "Sized", "Measured", "Ratio", "Sized is", "Measured is", "Weight",
                "Corrected")  # fmt: skip
    each = "IOPS/desktop"
    units = ("", "", "desktops", each, each, "ratio", "", "", "ratio", each)
    return Section("Measured beside sized, by type", table=Table(headings, units, rows, tuple(left)))


def _updated(held: Held, desktops: float) -> tuple[str | float, ...]:
    found, corrected = held.update, held.corrected
    if found is None or corrected is None:
        return ()
    return (
        held.phase,
        held.prior.phase,
        float(held.prior.count),
        *(numeral(each, ".4f") for each in (held.prior.spread, found.log, found.error)),
        found.source,
        *(numeral(each, ".4f") for each in (found.weight, found.corrected_log, found.spread, found.ratio)),
        held.sized / desktops,
        corrected / desktops,
    )


def _span(interval: tuple[float, float] | None) -> str:
    return f"{numeral(interval[0], ',.0f')} to {numeral(interval[1], ',.0f')}" if interval else UNKNOWN
