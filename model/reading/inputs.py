"""Records of inputs: each by itself, what a profile brings for it, and what a what-if types into it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from model.reading.catalogue import ProfileField, Ranged
from model.reading.choices import WHATIFS
from model.reading.columns import UNREADABLE, Column, Key, Typed, UnitOfKey
from model.reading.files import KEY

_Figure = Annotated[Typed, Column(of="inputs:key", source="source")]  # in the unit of the input its row names


@dataclass(frozen=True)
class Input(Ranged):
    """One input row: `value.value` is None for an optional input that ships blank.

    `kind` is number, time, date or choice; or, typed once for the whole workbook, case: the name of a design, or text.
    `blank` says whether the cell may stay empty: yes, no, or profile: it ships empty, an empty cell takes the
    figure that travels with the profile, and `value` is the general default, for profiles that have none.
    """

    key: Key
    sheet: Annotated[str, Column(choices=("Inputs", "More inputs"))]
    group: str
    label: str
    unit: UnitOfKey
    kind: Annotated[str, Column(choices=("number", "choice", "case", "text", "time", "date"))]
    value: Annotated[Typed, Column(of="row", source="source", blank=True)]
    minimum: Annotated[float | None, Column("min")]
    maximum: Annotated[float | None, Column("max")]
    blank: Annotated[str, Column("optional", choices=("yes", "no", "profile"))]
    choices: Annotated[str, Column("list", refers="lists", blank=True)]
    help: str

    @property
    def list_name(self) -> str:
        """Return the list whose words it takes; empty for none."""
        return self.choices

    @property
    def optional(self) -> bool:
        """Say whether its cells may stay empty."""
        return self.blank != "no"

    @property
    def whole(self) -> bool:
        """Say whether its cells take whole numbers alone: desktops, arrays, years, and the number of a joint row."""
        return self.unit in ("desktops", "arrays", "years") or self.key == "measured_row"

    @property
    def once(self) -> bool:
        """Say whether it is typed once for all designs."""
        return self.kind in ("case", "text")

    @property
    def travels(self) -> bool:
        """Say whether an empty cell takes the profile's figure."""
        return self.blank == "profile"

    def faults(self) -> Iterator[str]:
        """Yield what is wrong with range, list and value."""
        yield from super().faults()
        if not KEY.fullmatch(self.key):
            yield f"key {self.key!r} is no key; write small letters, digits and _."
        if self.value.value is None and self.value != UNREADABLE and self.blank != "yes":
            yield "value is blank; only an optional input may ship blank."
        if self.travels and self.kind != "number":
            yield f"optional is 'profile' and kind {self.kind!r}; only numbers travel with a profile."


@dataclass(frozen=True)
class ProfileDefault:
    """One figure that travels with a profile: an input's, or a field of its own (`profile_fields.csv`)."""

    profile: Annotated[str, Column(key=True, refers="profiles")]
    figure: Annotated[ProfileField | Input | None, Column("key", key=True, refers="profile_figures")]
    value: Annotated[Typed, Column(of="profile_figures:key", source="source")]


@dataclass(frozen=True)
class Preset:
    """A named what-if."""

    name: Annotated[str, Column("preset", key=True)]
    key: Annotated[str, Column(key=True, refers="inputs")]
    value: _Figure
    purpose: Annotated[str, Column(per="preset")]


@dataclass(frozen=True)
class Alternative:
    """One cell of a what-if that ships filled: the number of the what-if, the input and what is typed there."""

    what_if: Annotated[str, Column(key=True, choices=tuple(str(n) for n in range(1, WHATIFS + 1)))]
    key: Annotated[str, Column(key=True, refers="inputs")]
    value: _Figure
