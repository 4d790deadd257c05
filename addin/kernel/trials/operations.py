"""The operations on vectors of trials: each gives one float or one truth value per trial.

An operation is known by its number: arguments have smaller numbers, so a list of operations is its own order of
evaluation. Number 0 is FALSE and 1 is TRUE.

add sub mul div pow mod min max      two floats              snap_add snap_sub   the last sum of a formula
neg abs floor sqrt exp log log10 ndtr                          one float
up down half above below             ROUNDUP, ROUNDDOWN, ROUND to whole numbers, CEILING, FLOOR of a quotient
step                                 data: n marks, n values: the value of the last mark at or below the argument
select                               condition, float, float
number                               truth value as 1 or 0
eq ne lt le gt ge                    two floats, to the last bit
eq15 lt15                            two floats, as the comparison operators see them
and or not                           truth values
formula                              data: its number; of each part that is read, when it holds and what it is
kind_of held                         one float: what a formula gave (one_by_one.py)
huge                                 one float: it leaves the range the other operations are safe in
"""

from __future__ import annotations

from dataclasses import dataclass

FALSE, TRUE = 0, 1
TRUTHS = {"false", "true", "eq", "ne", "lt", "le", "gt", "ge", "eq15", "lt15", "and", "or", "not", "huge"}
COMMUTE = {"add", "mul", "eq", "ne"}
OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
MIRROR = {"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
ORDER = {"=": "eq", "<>": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: its name, the numbers of its arguments, and constants it carries."""

    name: str
    args: tuple[int, ...] = ()
    data: tuple[float, ...] = ()

    @property
    def is_truth(self) -> bool:
        """Whether the result is a truth value, not a float."""
        return self.name in TRUTHS
