"""What the paper of an array leaves out, and the model assumes, is named as unknown about the array."""

import pytest

from model.sheets.catalogue import by_array
from tests.support.own_results import BUILT
from tests.support.own_results import results as results_of

ARRAYS = {array.name: array for array in BUILT.data.arrays}
SAID = "not in its paper, assumed: "


def words(array: str) -> list[str]:
    (found,) = results_of({"array": array}, "rating_words")
    return [word for word in str(found).partition(SAID)[2].split(", ") if word]


def test_answer_names_what_the_paper_of_the_array_leaves_out() -> None:
    """Seen: the disks of EqualLogic's larger array were assumed, from RAID level to cache, and no page said so."""
    assert words("Dell EqualLogic PS6510E") == [
        *("inline reduction", "controllers", "hot spares", "IOPS of a drive", "RAID level", "cache"),
    ]
    assert "lowest latency" in words("Dell Compellent SC8000")
    assert words("NetApp AFF8040") == []  # its usable share is assumed: named by that, as its ends are tried
    assert words("My array 1") == []


@pytest.mark.parametrize("name", ARRAYS)
def test_every_field_that_an_array_assumes_is_named_or_left_out_on_purpose(name: str) -> None:
    sized = [key for key in by_array.assumed(ARRAYS[name]) if key not in (*by_array.NOT_SIZED, *by_array.TRIED)]
    assert bool(sized) == bool(by_array.words(BUILT.data, ARRAYS[name]))
    assert set(by_array.assumed(ARRAYS[name])) <= {
        key for key, typed in ARRAYS[name].values.items() if "assumed" in typed.source
    }


def test_a_usable_share_in_use_is_named_with_the_ends_that_are_tried() -> None:
    (found,) = results_of({"array": "Dell Compellent SC8000"}, "rating_words")
    assert "assumed: usable share of raw capacity" in str(found).partition(SAID)[0]
