"""A simulation's report as text with units and error bars, and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from addin.kernel import Scalar
from addin.numerals import numeral
from addin.simulation.report import Drivers, Report, ResultFigures
from addin.simulation.statistics import PERCENTILES, Interval, Probability
from addin.workbook.book import Item, shown
from addin.xlsx.cell_values import plain_value

_SHORT = (0.05, 0.5, 0.95)  # percentiles of the short report
_FEWEST = 5  # results of the short report, unless fewer are asked for
_TOP, _LEAST_SHARE = 3, 0.01  # drivers of the short report
LEAST = 1e-4  # of a share that is shown in percent
_SURE = 0.01  # of a probability that depends on assumed spreads
_UNSEEN = 0.05  # the chance that no trial shows what has the probability said
_BOUGHT, _LATER = "purchase_before_year_3", "After the purchase of year 1, "
_MOST = 12  # outcomes printed of a whole-number result


def text(report: Report) -> str:
    """Return the report as aligned tables."""
    replicates = f" in {report.spent.replicates} replicates"
    head = f"{_head(report)}{replicates}; bars are 95 % half-widths, percentiles are known to a bin"
    blocks = [head, _results(report), _holds(report), *_outcomes(report), *drivers_text(report), _errors(report)]
    check = "none"
    if report.checked:
        largest = f"{report.largest_difference:.1g}"
        check = f"{report.checked} trials computed cell by cell as well, largest difference {largest}"
    run = "; ".join(f"{name} {value}" for name, value in report.provenance)
    return _joined(blocks, [*_remarks(report), f"check: {check}", f"run: {run}"])


def brief(report: Report, keys: Sequence[str]) -> str:
    """Return the report in short: whether the design holds, some results, the strongest drivers, warnings and notes.

    Other results take the place of keys that the report lacks, until there are five or as many as keys.
    """
    by_key = {result.item.key: result for result in report.results if result.chance is None}
    ordered = dict.fromkeys((*(key for key in keys if key in by_key), *by_key))
    fewest = max(sum(key in by_key for key in keys), min(len(keys), _FEWEST), 1)
    chosen = [by_key[key] for key in ordered][:fewest]
    rows = [["Result", "Unit", "Design", *(f"P{100 * p:.0f}" for p in _SHORT)]]
    for result in chosen:
        values = {p.probability: p.interval.value for p in result.percentiles}
        figures = (figure(values.get(p, math.nan)) for p in _SHORT)
        rows.append([result.item.label, result.item.unit, _base(result.base), *figures])
    more = "More with --full: every result, means, error bars, the probability of each number of arrays, the run."
    table = aligned(rows, (0, 1)) if chosen else ""
    return _joined(
        [_head(report), _holds(report), table, _strongest(report), _errors(report)], [*_remarks(report), more]
    )


def _head(report: Report) -> str:
    """Return the book and the trials of a run, with the warning that it was interrupted."""
    spent = report.spent
    partial = f"PARTIAL, interrupted before {spent.asked:,} trials. " if spent.partial else ""
    return f"{partial}{report.book}: {spent.trials:,} trials"


def _remarks(report: Report) -> list[str]:
    return [f"warning: {line}" for line in report.warnings] + [f"note: {line}" for line in report.notes]


def _joined(blocks: Sequence[str], lines: Sequence[str]) -> str:
    return "\n\n".join([*filter(None, blocks), "\n".join(lines)])


def _strongest(report: Report) -> str:
    """Return the inputs that explain most of the main result's variance, a line each; empty where none does."""
    if report.main is None:
        return ""
    result = _label(report, report.main.result)
    strong = [d for d in report.main.drivers[:_TOP] if d.total.value >= _LEAST_SHARE]
    rows = [["Driver", "Share of variance", "Lowest tenth", "Highest tenth"]]
    rows += [[d.label, f"{d.total.value:.0%}", figure(d.low), figure(d.high)] for d in strong]
    title = f"What drives {result.item.label!r}, {result.item.unit}"
    return f"{title}\n{aligned(rows)}" if strong else ""


def aligned(rows: Sequence[Sequence[str]], left: Iterable[int] = (0,)) -> str:
    """Return rows of texts in columns, right-aligned except the columns of `left`."""
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    kept = set(left)
    lines = (
        "  ".join(t.ljust(w) if c in kept else t.rjust(w) for c, (t, w) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def figure(value: float) -> str:
    """Return a number with thousands separators, at least four significant digits."""
    if not math.isfinite(value):
        return "-" if math.isnan(value) else "inf"
    if abs(value) >= 1000 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.4g}" if abs(value) >= 1e-4 else f"{value:.1e}"


def bar(interval: Interval) -> str:
    """Return the half-width of a figure's error bar."""
    if math.isnan(interval.half_width):
        return ""
    return f"+-{interval.half_width:.2g}" if interval.half_width < 10 else f"+-{interval.half_width:,.0f}"


def percent(share: float) -> str:
    """Return a share in percent; an uncertain outcome never reads 0 % or 100 %."""
    if 0 < share < LEAST:
        return f"<{numeral(LEAST, '.2%')}"
    return f">{numeral(1 - LEAST, '.2%')}" if 1 - LEAST < share < 1 else numeral(share, ".2%")


def _base(value: Scalar) -> str:
    return figure(value) if isinstance(value, float) else shown(value)


def _results(report: Report) -> str:
    rows = [["Result", "Unit", "Base", "Mean", *(f"P{100 * p:.0f}" for p in PERCENTILES), "Bin"]]
    for result in report.results:
        if result.chance is not None:
            continue  # said in words
        figures = [result.mean, *(p.interval for p in result.percentiles)]
        rows.append(
            [result.item.label, result.item.unit, _base(result.base), *(figure(estimate.value) for estimate in figures)]
        )
        width = max(p.resolution for p in result.percentiles)
        rows[-1].append(f"{width:.2g}" if width > 0 else "")
        rows.append(["", "", "", *(bar(estimate) for estimate in figures), ""])
    return aligned(rows, (0, 1))


def whole_percent(share: float) -> str:
    """Return a probability in whole percent, since assumed spreads support no more digits; never 0 % or 100 %."""
    if share < _SURE:
        return f"<{numeral(_SURE, '.0%')}"
    return f">{numeral(1 - _SURE, '.0%')}" if share > 1 - _SURE else numeral(share, ".0%")


def bound(share: float, trials: int) -> str:
    """Return what trials support of an outcome that none or every one shows (Clopper-Pearson, 95 %); empty otherwise.

    Empty too where that is 1 % or less: `whole_percent` says so.
    """
    if trials < 1 or share not in (0, 1):
        return ""
    most = round(1 - _UNSEEN ** (1 / trials), 2)
    if most <= _SURE:
        return ""
    return f"below {numeral(most, '.0%')}" if share == 0 else f"above {numeral(1 - most, '.0%')}"


def chance_words(share: float, trials: int) -> str:
    """Return a probability in words: a bound where the trials support no more, whole percent otherwise."""
    return bound(share, trials) or whole_percent(share)


def probability(interval: Interval, trials: int) -> str:
    """Return a probability with its condition: more trials do not make the spreads any surer."""
    return f"probability {chance_words(interval.value, trials)}, if the spreads on Risk inputs are right"


def flag_label(item: Item) -> str:
    """Return what a yes-or-no result says: purchases before year 3 are those after the design is bought."""
    return f"{_LATER}{item.label[0].lower()}{item.label[1:]}" if item.key == _BOUGHT else item.label


def _holds(report: Report) -> str:
    """Return the probability that the design suffices, and a line for every yes-or-no result."""
    lines = []
    if report.holds is not None:
        sure = probability(report.holds.interval, report.holds.trials)
        lines.append(f"The base design of {report.design} suffices with {sure}")
    lines += [
        f"{flag_label(result.item)} with {probability(result.chance, result.valid)}"
        for result in report.results
        if result.chance is not None
    ]
    return "\n".join(lines)


def _outcomes(report: Report) -> list[str]:
    blocks = []
    for result in report.results:
        if result.item.unit != "arrays" or not 0 < len(result.outcomes) <= _MOST:
            continue
        rows, enough = [[result.item.label, "Probability", "bar", "This many are enough"]], 0.0
        for chance in result.outcomes:
            enough += chance.interval.value
            rows.append([
                figure(chance.outcome), percent(chance.interval.value), f"+-{percent(chance.interval.half_width)}",
                percent(enough if chance is not result.outcomes[-1] else 1.0)
            ])  # fmt: skip
        blocks.append(aligned(rows, ()))
    return blocks


def _label(report: Report, key: str) -> ResultFigures:
    return next(result for result in report.results if result.item.key == key)


def drivers_text(report: Report) -> list[str]:
    """Return the drivers of the main result as a table; empty without any."""
    main = report.main
    if main is None:
        return []
    result = _label(report, main.result)
    bound = 2.08 / math.sqrt(max(report.rank_trials - 3, 1))
    heads = ["Input", "Total index", "", "Alone", "", "Rank correlation", "Lowest tenth", "Highest tenth"]
    rows = [heads, ["", "share of variance", "", "", "", f"+-{bound:.2g} at most", *[result.item.unit] * 2]]
    for driver in main.drivers:
        rows.append([
            driver.label, f"{driver.total.value:.3f}", bar(driver.total), f"{driver.first.value:.3f}",
            bar(driver.first), f"{driver.rank:+.3f}", figure(driver.low), figure(driver.high)
        ])  # fmt: skip
    title = f"What drives {result.item.label!r}"
    remark = (
        "Indices take the inputs as independent (correlation off); the last three columns include it."
        if report.correlated
        else "The last two columns are means of the result where the input is in its lowest and highest tenth."
    )
    return [f"{title}\n{aligned(rows)}\n{remark}"]


def _errors(report: Report) -> str:
    rows = [
        [result.item.label, fault.kind, f"{fault.trials:,}", fault.cell, f"{fault.first[0]}/{fault.first[1]}"]
        for result in report.results
        for fault in result.faults
    ]
    heads = ["Excluded trials", "Error", "Trials", "Starts in", "First (replicate/trial)"]
    return aligned([heads, *rows], (0, 1, 3)) if rows else ""


def as_content(report: Report) -> dict[str, object]:
    """Return the report for JSON."""
    return {
        "book": report.book,
        "trials": report.spent.trials,
        "asked": report.spent.asked,
        "replicates": report.spent.replicates,
        "partial": report.spent.partial,
        "results": {result.item.key: _figures(result) for result in report.results},
        "holds": None if report.holds is None else {"arrays": report.arrays, **_chance(report.holds)},
        "drivers": drivers_json(report),
        "correlated": report.correlated,
        "check": {"trials": report.checked, "largest_difference": report.largest_difference},
        "provenance": dict(report.provenance),
        "warnings": list(report.warnings),
        "notes": list(report.notes),
    }


def drivers_json(report: Report) -> dict[str, object]:
    """Return the drivers of every result by its key."""
    return {entry.result: _each(entry) for entry in report.drivers}


def _figures(result: ResultFigures) -> dict[str, object]:
    return {
        "label": result.item.label,
        "unit": result.item.unit,
        "cell": result.item.address.a1,
        "base": plain_value(result.base),
        "mean": _bar(result.mean),
        "sd": _bar(result.sd),
        "minimum": result.minimum,
        "maximum": result.maximum,
        "valid": result.valid,
        "percentiles": {
            f"P{100 * p.probability:g}": {**_bar(p.interval), "bin": p.resolution} for p in result.percentiles
        },
        "outcomes": [{"value": chance.outcome, **_chance(chance)} for chance in result.outcomes],
        "errors": [
            {"error": f.kind, "trials": f.trials, "cell": f.cell, "replicate": f.first[0], "trial": f.first[1]}
            for f in result.faults
        ],
    }


def _each(drivers: Drivers) -> dict[str, object]:
    return {
        driver.key: {
            "total": _bar(driver.total),
            "first": _bar(driver.first),
            "rank": driver.rank,
            "lowest_tenth": driver.low,
            "highest_tenth": driver.high,
        }
        for driver in drivers.drivers
    }


def _bar(interval: Interval) -> dict[str, float]:
    return {"value": interval.value, "low": interval.low, "high": interval.high}


def _chance(chance: Probability) -> dict[str, float]:
    return {"probability": chance.interval.value, "low": chance.interval.low, "high": chance.interval.high}
