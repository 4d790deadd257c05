"""What can go wrong, in one tree:

    ModelError                  anything the model reports to its user; the text is the whole report
    ├── DataError               files of data and of rows: a list of complaints, all collected before raising
    └── BuildError              what cannot be laid out, in one sentence: a key that nothing has, a label used twice

An error says where it is, what was found, what was expected and what to do next.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Complaint:
    """One fault: `where` is file:row or sheet!cell, `message` says what was found and what to do."""

    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


class ModelError(Exception):
    """Anything the model reports to its user."""


class DataError(ModelError):
    """Data files or rows that cannot be used: carries all complaints and prints one line for each."""

    def __init__(self, complaints: Iterable[Complaint]) -> None:
        self.complaints: tuple[Complaint, ...] = tuple(complaints)
        super().__init__("\n".join(str(complaint) for complaint in self.complaints))


class BuildError(ModelError):
    """Declared sheets that cannot be laid out."""
