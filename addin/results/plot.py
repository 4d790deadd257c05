"""Draw a simulation's report: histogram, exceedance curve, arrays required, drivers. A PNG, the extra [plot].

The picture is about one result: the unrounded number of arrays, or the named one. The colours are those of M. Okabe
and K. Ito, distinct for colour-blind readers too.
"""

from __future__ import annotations

import importlib.util
import io
import logging
import textwrap
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from addin.errors import RequestError
from addin.reported import no_room
from addin.results.report_text import chance_words, figure, percent
from addin.simulation.report import Driver, Report, ResultFigures
from addin.simulation.statistics import Probability
from addin.xlsx.package import PackageError, write_atomically

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MADE_BY = "VDI Storage Sizing"  # in every picture: no other file is replaced by one
SIZE, DPI = (16.0, 10.0), 100  # inches: 1600 x 1000 pixels
BLUE, SKY, ORANGE, VERMILION, GREY = "#0072B2", "#56B4E9", "#E69F00", "#D55E00", "#555555"
MOST_DRIVERS = 8
MOST_COUNTS = 10
STYLE: dict[Any, object] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 14,
    "axes.titleweight": "bold",
    "axes.labelsize": 12,
    "font.size": 11,
    "grid.color": "#dddddd",
    "text.parse_math": False,  # a label may contain a $
}


def destination(path: Path) -> Path:
    """Return the path of the PNG after checking it, before the long work.

    Raises RequestError without the extra, for a name that does not end in .png and for a missing folder.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise RequestError("--plot needs the package matplotlib. Install the extra: pip install -e '.[plot]'.")
    if path.suffix.lower() != ".png":
        raise RequestError(f"--plot {path}: expected a name that ends in .png. Rename it.")
    if not path.parent.is_dir():
        raise RequestError(f"--plot {path}: there is no folder {path.parent}. Make it first.")
    if path.is_dir():
        raise RequestError(f"--plot {path}: a folder, expected a file. Choose another name.")
    if path.exists() and b"Software\0" + MADE_BY.encode() not in _start(path):
        raise RequestError(f"--plot {path}: is there already, and was not drawn by this program. Name another file.")
    return path


def _start(path: Path) -> bytes:
    """Return the first bytes of a file, empty where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(4096)
    except OSError:
        return b""


def plot(report: Report, path: Path, key: str | None = None) -> None:
    """Draw a report, about the result `key` if given, and save it whole or not at all. Raises RequestError."""
    store(path, png(report, key))


def store(path: Path, content: bytes) -> None:
    """Save a picture whole or not at all. Raises RequestError."""
    try:
        write_atomically(path, content)
    except (OSError, PackageError) as error:
        fault = error if isinstance(error, OSError) else error.__cause__ or error
        if room := no_room(fault):
            raise RequestError(f"--plot {path}: {room[0]}. {room[1].capitalize()} and run again.") from error
        raise RequestError(f"--plot {path}: cannot be written ({fault}). Choose another place.") from error


def png(report: Report, key: str | None = None) -> bytes:
    """Return the picture."""
    return drawn(lambda canvas: _panels(canvas, report, key))


def drawn(panels: Callable[[Figure], None]) -> bytes:
    """Return the PNG of what `panels` draws on an empty figure in this project's style."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it reports building its font cache
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # letters that its font does not have
        matplotlib.rcdefaults()
        for name, value in STYLE.items():
            matplotlib.rcParams[name] = value
        canvas = Figure(figsize=SIZE, dpi=DPI, layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12))
        FigureCanvasAgg(canvas)
        panels(canvas)
        content = io.BytesIO()
        canvas.savefig(content, format="png", dpi=DPI, metadata={"Software": MADE_BY})
    return content.getvalue()


def _panels(canvas: Figure, report: Report, key: str | None) -> None:
    result = _chosen(report, key)
    counts = next((entry for entry in report.results if entry.item.key == "arrays_required"), None)
    halves: Any = canvas.subfigures(2, 1)
    upper, lower = halves
    left, right = upper.subplots(1, 2)
    _histogram(left, result)
    _exceedance(right, result)
    right.set_xlim(left.get_xlim())
    if counts is not None and counts.outcomes and counts is not result:
        left, right = lower.subplots(1, 2)
        _counts(left, counts, report)
    else:
        right = lower.subplots()
    _tornado(right, result, report)
    run = dict(report.provenance)
    head = f"{report.book}: {result.item.label}, {report.spent.trials:,} trials, seed {run['seed']}, {run['sampler']}"
    canvas.suptitle(
        ("PARTIAL  " if report.spent.partial else "") + head, fontsize=18 if len(head) < 90 else 12, fontweight="bold"
    )
    foot = "; ".join(f"{name} {run[name]}" for name in ("formulas", "workbook", "kernel", "numpy", "python"))
    canvas.supxlabel(f"{foot}. Bars and bands are 95 % intervals.", fontsize=9, color=GREY, x=0.99, ha="right")


def _chosen(report: Report, key: str | None) -> ResultFigures:
    main = key or (report.main.result if report.main else report.results[0].item.key)
    return next(entry for entry in report.results if entry.item.key == main)


def _axis(result: ResultFigures, remark: str = "") -> str:
    text = f"{result.item.label} ({result.item.unit})"
    return textwrap.fill(f"{text}, {remark}" if remark else text, 64)


def _empty(axes: Axes, title: str, why: str) -> None:
    axes.set_title(title)
    axes.set_axis_off()
    axes.text(0.5, 0.5, why, ha="center", va="center", transform=axes.transAxes)


def _percents(axes: Axes) -> None:
    axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g}%")


def plain_numbers(axes: Axes) -> None:
    """Write the numbers of the x axis in full."""
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.10g}")


def _legend(axes: Axes) -> None:
    """Put the legend on the line of the title, outside of the plot."""
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 0.99), ncols=2, frameon=False)


def _histogram(axes: Axes, result: ResultFigures) -> None:
    from matplotlib.ticker import MaxNLocator

    shape = result.histogram
    if shape is None:
        return _empty(axes, "How often", "no trial gave a number")
    step = shape.edges[1] - shape.edges[0]
    shift = -0.5 if shape.whole else 0.0  # the bar of an integer is centred on it
    axes.bar(
        [edge + shift for edge in shape.edges[:-1]], shape.shares, step, align="edge", color=SKY, edgecolor="white"
    )
    ends = (
        (shape.edges[0] - step, shape.below, "below", shape.shares[0]),
        (shape.edges[-1], shape.above, "beyond", shape.shares[-1]),
    )
    top = max(*shape.shares, shape.below, shape.above)
    for left, share, word, beside in ends:
        if share > 0:
            axes.bar(left + shift, share, step, align="edge", color="white", edgecolor=SKY, hatch="////")
            at = (left + shift + step / 2, max(share, beside))
            text = f"{word}\n{percent(share)}"
            axes.annotate(text, at, (0, 3), textcoords="offset points", ha="center", fontsize=9, color=GREY)
    if shape.whole:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    plain_numbers(axes)
    _marks(axes, result, 1.13 * top)
    axes.set(title="How often", xlabel=_axis(result), ylabel="Share of trials", ylim=(0, 1.25 * top))
    axes.set_xlim(shape.edges[0] + shift - 1.6 * step, shape.edges[-1] + shift + 1.6 * step)
    axes.xaxis.grid(False)
    _percents(axes)


def _marks(axes: Axes, result: ResultFigures, top: float) -> None:
    """Mark the base case and the mean."""
    if isinstance(result.base, float):
        axes.plot([result.base] * 2, [0, top], color=VERMILION, linewidth=2, label=f"base case {figure(result.base)}")
    mean = f"mean {figure(result.mean.value)}"
    axes.plot([result.mean.value] * 2, [0, top], color="black", linewidth=2, linestyle="--", label=mean)
    _legend(axes)


def _exceedance(axes: Axes, result: ResultFigures) -> None:
    from matplotlib.ticker import MaxNLocator

    curve = result.curve
    if curve is None:
        return _empty(axes, "How likely to be exceeded", "no trial gave a number")
    whole = result.histogram is not None and result.histogram.whole
    x, more, bar = curve.x, curve.probability, curve.half_width
    if curve.stepped:  # from 100 % on
        before = x[0] - (1.0 if whole else 0.05 * (x[-1] - x[0]))
        x, more, bar = np.append(before, x), np.append(1.0, more), np.append(0.0, bar)
    if whole:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    plain_numbers(axes)
    band = ((more - bar).clip(0, 1), (more + bar).clip(0, 1))
    axes.fill_between(x, *band, step="post" if curve.stepped else None, color=SKY, alpha=0.5, linewidth=0)
    axes.plot(x, more, color=BLUE, linewidth=2, drawstyle="steps-post" if curve.stepped else "default")
    for percentile in result.percentiles:
        value, height = percentile.interval.value, 1 - percentile.probability
        reach = [[max(0.0, value - percentile.interval.low)], [max(0.0, percentile.interval.high - value)]]
        axes.errorbar([value], [height], xerr=reach, fmt="o", color=VERMILION, markersize=6, capsize=3)
        text = f"P{100 * percentile.probability:.0f}  {figure(value)}"
        axes.annotate(text, (value, height), (9, 3), textcoords="offset points", fontsize=10)
    axes.set_title("How likely to be exceeded")
    axes.set(xlabel=_axis(result), ylabel="Probability of exceeding", ylim=(-0.02, 1.05))
    _percents(axes)


def _counts(axes: Axes, result: ResultFigures, report: Report) -> None:
    chances = result.outcomes
    heights = [chance.interval.value for chance in chances]
    down = [chance.interval.value - chance.interval.low for chance in chances]
    up = [chance.interval.high - chance.interval.value for chance in chances]
    few = len(chances) <= MOST_COUNTS
    positions = [float(n) for n in range(len(chances))] if few else [chance.outcome for chance in chances]
    axes.bar(positions, heights, 0.6, yerr=[down, up], color=ORANGE, capsize=4 if few else 0)
    size = 11 if len(chances) <= 6 else 9
    if few:
        for position, chance in zip(positions, chances, strict=True):
            at = (position, chance.interval.high)
            axes.annotate(
                percent(chance.interval.value), at, (0, 4), textcoords="offset points", ha="center", fontsize=size
            )
        axes.set_xticks(positions, _enough(chances), fontsize=size)
        axes.set_xlim(-0.6, max(len(chances), 3) - 0.4)
    axes.set(
        title="How many arrays",
        ylabel="Probability",
        xlabel=_axis(result, "below: how likely it is enough" if few else ""),
        ylim=(0, 1.12 * max(chance.interval.high for chance in chances)),
    )
    if report.holds is not None:
        base = f"base design of {report.design}"
        text = f"{base} suffices: {chance_words(report.holds.interval.value, report.holds.trials)}"
        axes.set_title(text, loc="right", fontsize=11, fontweight="normal")
    axes.xaxis.grid(False)
    _percents(axes)


def _enough(chances: tuple[Probability, ...]) -> list[str]:
    """Return each count with the probability that this many arrays are enough."""
    texts, enough = [], 0.0
    for chance in chances:
        enough += chance.interval.value
        texts.append(f"{chance.outcome:,.0f}\n{percent(1.0 if chance is chances[-1] else enough)}")
    return texts


def _tornado(axes: Axes, result: ResultFigures, report: Report) -> None:
    each = next((entry.drivers for entry in report.drivers if entry.result == result.item.key), ())
    drivers: tuple[Driver, ...] = each[:MOST_DRIVERS]
    if not drivers:
        return _empty(axes, "What drives it", "no input changes this result")
    mean, positions = result.mean.value, range(len(drivers))
    for ends, color, label in (
        ([driver.low for driver in drivers], SKY, "lowest tenth"),
        ([driver.high for driver in drivers], VERMILION, "highest tenth"),
    ):
        axes.barh(positions, [end - mean for end in ends], 0.6, left=mean, color=color, label=label)
    for position, driver in zip(positions, drivers, strict=True):
        right = max(driver.low, driver.high, mean)
        text = f"{percent(driver.total.value)} of the variance"
        axes.annotate(text, (right, position), (6, 0), textcoords="offset points", va="center", fontsize=10, color=GREY)
    axes.axvline(mean, color="black", linewidth=1.5)
    axes.set_yticks(list(positions), ["\n".join(textwrap.wrap(driver.label, 30)) for driver in drivers])
    axes.set_ylim(max(len(drivers), 4) - 0.5, -0.5)  # the strongest on top
    low, high = axes.get_xlim()
    axes.set_xlim(low, high + 0.35 * (high - low))
    axes.set(title="What drives it", xlabel=_axis(result, "mean over a tenth of the input's draws"))
    plain_numbers(axes)
    axes.yaxis.grid(False)
    _legend(axes)
