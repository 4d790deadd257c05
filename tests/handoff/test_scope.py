"""What the scope says of user groups: who they are and what share of the load each asks for."""

from dataclasses import replace

from addin.results.document.blocks import Points
from addin.results.document.design_chapters import scope
from addin.results.document.reading import Reading
from addin.workbook.book import open_book
from tests.support.live_sets import SHIPPED

GROUPS = (
    *("profile=User groups", "Group 1.users=1200", "Group 1.profile=Knowledge worker W11 MCS (RA-2022 2024)"),
    *("Group 2.users=300", "Group 2.profile=Power user 40 IOPS (CML 2014)"),
)


def covered(*settings: str) -> list[str]:
    """Return what the document says is in scope."""
    book = open_book(SHIPPED)
    reading = Reading(replace(book, cells=book.cells.with_values(book.settings(settings))))
    first = next(block for block in scope(reading).blocks if isinstance(block, Points))
    return [each for each in first.items if each.startswith("User groups")]


def test_the_scope_names_the_share_of_each_user_group() -> None:
    (said,) = covered(*GROUPS)
    assert said.startswith("User groups: Group 1 80% of users, "), said
    assert "; Group 2 20% of users, " in said


def test_a_design_without_user_groups_says_nothing_of_them() -> None:
    assert covered() == []
