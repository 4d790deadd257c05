"""Pictures of the design: as many arrays as are bought, what the failure takes away crossed out, and no guess."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import pytest

from addin.results.document import charts, diagram
from addin.results.document.blocks import Picture
from addin.results.document.reading import Reading
from addin.workbook.book import SizingBook, open_book
from tests.support.live_sets import SHIPPED


@cache
def book() -> SizingBook:
    return open_book(SHIPPED)


@cache
def reading(*settings: str) -> Reading:
    return Reading(replace(book(), cells=book().cells.with_values(book().settings(list(settings)))))


def looks(picture: Picture, look: str) -> int:
    return sum(each.get("class") == look for each in ElementTree.fromstring(picture.svg).iter())


def texts(picture: Picture) -> list[str]:
    return [(each.text or "").replace("\u00a0", " ") for each in ElementTree.fromstring(picture.svg).iter("text")]


def of(*settings: str) -> Picture:
    (picture,) = diagram.design(reading(*settings))
    return picture


@pytest.mark.slow
def test_an_array_loses_one_of_its_controllers_in_the_second_panel_alone() -> None:
    picture = of("desktops=1500")
    # three arrays of two controllers in each of two panels, and a box of hosts in each
    assert (looks(picture, "box"), looks(picture, "part"), looks(picture, "lost")) == (2 * 3 + 2, 2 * 6 - 1, 1)
    assert texts(picture).count("3 x NetApp AFF8040") == 2
    assert "loss of one controller of an array" in picture.caption


@pytest.mark.slow
def test_a_controller_that_stands_by_takes_over() -> None:
    picture = of("array=Dell EqualLogic PS6010XVS", "desktops=100")
    assert (looks(picture, "part"), looks(picture, "spare"), looks(picture, "lost")) == (2, 1, 1)


@pytest.mark.slow
def test_a_node_is_lost_as_a_whole_and_many_are_counted() -> None:
    picture = of("array=Lenovo HX665 V3 Nutanix node", "desktops=1500")
    assert looks(picture, "lost") == 1
    count = reading("array=Lenovo HX665 V3 Nutanix node", "desktops=1500").number("arrays_used")
    assert texts(picture).count(f"to {count:.0f}") == 2
    assert "hosts of up to" not in picture.caption, "the nodes are the hosts: no other number beside theirs"
    assert "which run the machines" in picture.caption


@pytest.mark.slow
@pytest.mark.parametrize("array", ["NetApp FAS3270", "Kaminario K2 (one K-Block)", "Huawei Dorado 6000 V3"])
def test_where_no_failover_is_known_nothing_is_crossed_out(array: str) -> None:
    picture = of(f"array={array}")
    assert looks(picture, "cross") == 0
    assert "failover unknown" in texts(picture)


@pytest.mark.slow
def test_containers_elsewhere_have_a_box_and_on_the_arrays_a_sentence() -> None:
    share = of("container_place=on a cloud share", "container_gib=30", "share_service=Azure Files SSD v1")
    # 1,500 x 30 GiB, 15 % kept free
    assert {"Profile containers", "1 share of 52,942 GiB of Azure Files SSD v1"} <= set(texts(share))
    same = of("container_place=this array", "container_gib=30")
    assert "Profile containers" not in texts(same)
    assert "Profile containers: on the same arrays." in same.caption


def test_the_line_of_the_design_strikes_no_figure_through() -> None:
    """13 nodes and a need of 12.00: in print the line went through the figure."""
    drawn = charts.bars("Needed", [("VMs", 12.0, "12.00"), ("Least", 2.0, "2.00")], (13.0, "in the design: 13"))
    marks = [each for each in ElementTree.fromstring(drawn).iter() if each.get("class") == "mark"]
    spans = [(float(each.get("y1", 0)), float(each.get("y2", 0))) for each in marks]
    below = charts.TOP + charts.ROW
    assert not [span for span in spans if span[0] < below and span[1] > charts.TOP]
    assert (below, below + charts.ROW) in spans


@pytest.mark.slow
def test_no_answer_has_no_picture_and_a_name_cannot_break_one() -> None:
    assert list(diagram.design(reading("array=My array 1"))) == []
    assert list(diagram.day(reading("array=My array 1"))) == []


@pytest.mark.slow
def test_the_day_shows_each_load_its_limit_and_the_times_typed() -> None:
    told = reading("boot_at=06:00", "logins_at=06:45")
    (picture,) = diagram.day(told)
    words = texts(picture)
    assert [told.text(f"{phase}_iops").split("\u00a0")[0] in words for phase in ("boot", "login", "steady")] == [
        True
    ] * 3
    assert {"from 06:00", "from 06:45"} <= set(words)
    assert looks(picture, "mark") == looks(picture, "one") == 5
    (blank,) = diagram.day(reading())
    assert not any(word.startswith("from") for word in texts(blank))
    (unknown,) = diagram.day(reading("array=Lenovo HX665 V3 Nutanix node"))
    assert looks(unknown, "mark") == 0  # what nodes can serve is not published
