"""What can go wrong, in one tree:

    ModelError                  anything the model reports to its user; the text is the whole report
    ├── DataError               files under model/data: a list of complaints, all collected before raising
    └── BuildError              declared sheets that cannot be laid out: unknown key, key declared twice

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
    """Data files that cannot be used: carries all complaints and prints one line for each."""

    def __init__(self, complaints: Iterable[Complaint]) -> None:
        self.complaints: tuple[Complaint, ...] = tuple(complaints)
        super().__init__("\n".join(str(complaint) for complaint in self.complaints))


class BuildError(ModelError):
    """Declared sheets that cannot be laid out."""
