"""What a published profile assumes, as its test does not print it: named under what is unknown where nobody entered it.

Lists has the list of each profile; rows of Design take out of it what somebody entered or what the method does not
use. Ranges of these figures are on Lists; of them formulas try the ends of the write cache
alone (`stored_ends.py`), the command `assumed` those of all.
"""

from dataclasses import dataclass

from model.layout.line import Line
from model.reading.columns import Typed
from model.reading.records import Data

ASSUMED_CACHE = "profile_assumed_1"  # the list from which the write cache is taken where it is entered or not stored
_NEVER = '"~"'  # no word of a list, so that nothing is taken out


@dataclass(frozen=True)
class _Figure:
    """A figure of a profile: its key, or its phase and field; its name; a formula, not 0 where it does not count."""

    key: str
    word: str
    apart: str
    phase: str = ""

    def of(self, data: Data, profile: str) -> Typed | None:
        """Return the figure of a profile; None where it has none."""
        if not self.phase:
            return data.profile_default(profile, self.key)
        rows = (row for row in data.profiles if (row.profile, row.phase) == (profile, self.phase))
        return next((getattr(row, self.key) for row in rows), None)


def _entered(key: str) -> str:
    return f'EXACT({{{key}_source}},"entered")'


def _overridden(key: str) -> str:
    return f"COUNT({{in:{key}}},{{base:{key}}})"


def _stores_none(what: str) -> str:
    return f"INDEX({{method:{what}}},{{method_row}})=0"


_FIGURES = (
    _Figure("write_cache_gib", "cache", f"OR({_entered('write_cache_gib')},{_stores_none('write_cache')})"),
    _Figure("image_gib", "image", _entered("image_gib")),
    _Figure("disk_gib", "disk", f"OR({_entered('disk_gib')},{_stores_none('disk')})"),
    _Figure("start_rate_per_min", "start rate", _entered("start_rate_per_min")),
    _Figure("login_window_min", "login window", _entered("login_window_min")),
    _Figure("login_duration_s", "login duration", _entered("login_duration_s")),
    _Figure("read_ratio", "boot reads", _overridden("boot_read_ratio"), "boot"),
    _Figure("block_kib", "block size", _overridden("steady_block_kib"), "steady"),
    _Figure("iops", "log-off IOPS", f"{_overridden('logoff_iops_per_desktop')}+{{ios_per_logoff}}", "logoff"),
)


WORDS = tuple(figure.word for figure in _FIGURES)


def words(data: Data, profile: str) -> str | None:
    """Return what a profile of the catalogue assumes, a comma before each; None for nothing."""
    found = ((each.word, each.of(data, profile)) for each in _FIGURES)
    return "".join(f", {word}" for word, typed in found if typed and typed.status == "assumed") or None


def _without(before: str, number: int, figure: _Figure) -> Line:
    key = f"profile_assumed_{number}"
    return Line(
        key,
        figure.word,  # the formula takes it from here, so that figures entered alike share one
        "text",
        f'=SUBSTITUTE({{{before}}},IF({figure.apart},", "&{{label:{key}}},{_NEVER}),"")',
        "Without it, where entered or unused",
        text_lines=1,
    )


def rows() -> tuple[Line, ...]:
    """Return the rows of Design that name what the profile assumes and nobody entered."""
    first = Line(
        "profile_assumed",
        "Assumed by the profile",
        "text",
        "=REPT(INDEX({default:assumed},{default_row}),1)",
        "Lists; empty for one of your own",
        text_lines=2,
    )
    chain = [first]
    for number, figure in enumerate(_FIGURES, 1):
        chain.append(_without(chain[-1].key, number, figure))
    said = Line(
        "profile_words",
        "Assumed by the profile, in words",
        "text",
        f'=SUBSTITUTE(SUBSTITUTE({{{chain[-1].key}}},", cache",""),", ","; its profile assumes: ",1)',
        "What is left of it but the cache, whose ends are tried; those of others: button Assumed figures",
        text_lines=3,
    )
    return (*chain, said)
