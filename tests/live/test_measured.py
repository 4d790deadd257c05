"""The page draws joint rows of Measured in place of the scale on every phase, while its design has that profile."""

import json
import re
from dataclasses import replace

import pytest

from addin.kernel import Address, Scalar
from addin.live import page
from addin.simulation.montecarlo import simulate
from addin.simulation.risk import read_risk
from model.layout.grid import FIRST_ROW
from model.sheets.catalogue.measured import JOINT_ROW
from tests.support.javascript import legible

PROFILE, OTHER = "Knowledge worker W11 MCS (RA-2022 2024)", "Knowledge worker W10 MCS (RA-2053 2024)"
RATIOS = (0.5, 1.0, 1.5, 2.0, 2.5)  # of boot, login and steady work alike
READS = (0.95, 0.7, 0.5, 0.3, 0.05)  # of login and of steady work: the more load, the more of it is written

OLD = "Task worker PVS (EQL 2012)"


def choose(profile: str) -> str:
    """Return the script that chooses a profile on the page."""
    return f"""(() => {{ const choice = [...document.querySelectorAll('#start select')].find(each =>
    [...each.options].some(option => option.textContent === {profile!r}));
    choice.value = [...choice.options].find(option => option.textContent === {profile!r}).value;
    choice.dispatchEvent(new Event("change", {{ bubbles: true }})); }})()"""


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def measured(book):
    cells: dict[Address, Scalar] = {Address("Measured", FIRST_ROW, 1): PROFILE}
    for row, ratio in enumerate(RATIOS, JOINT_ROW):
        cells |= {Address("Measured", row, column): ratio for column in (3, 4, 5)}
        cells |= {Address("Measured", row, column): READS[row - JOINT_ROW] for column in (9, 10)}
    return replace(book, cells=book.cells.with_values(cells))


@pytest.fixture(scope="module")
def live_page(measured, tmp_path_factory):
    path = tmp_path_factory.mktemp("measured") / "page.html"
    path.write_bytes(page(measured, prices=True))
    return path


def drawn(opened):
    """Return how many inputs a simulation of the page draws, and the median minutes of a boot."""
    opened.evaluate("document.getElementById('draw').click()")
    opened.wait_for("document.querySelector('.holds')")
    told = opened.evaluate("document.getElementById('trials').textContent").partition("Boot of all desktops")[2]
    count = opened.evaluate("document.getElementById('drawn').textContent").partition("trials of ")[2].split()[0]
    return int(count), float(told.partition("P50 ")[2].partition(" ")[0])


def test_the_page_draws_a_row_or_the_scale_as_simulate_does(browser, live_page, measured):
    opened = browser.open(live_page.as_uri())
    opened.wait_for("document.body.classList.contains('live')")
    keys = read_risk(measured).keys
    assert ("measured_row" in keys, "demand_scale_ratio" in keys) == (True, False)
    count, median = drawn(opened)
    assert count == len(keys)
    (minutes,) = (each for each in simulate(measured, 16384).results if each.item.key == "boot_minutes")
    (half,) = (each.interval.value for each in minutes.percentiles if each.probability == 0.5)
    assert median == pytest.approx(half, rel=0.03)
    opened.evaluate(choose(OTHER))
    opened.settle()
    other = read_risk(measured, measured.settings((f"profile={OTHER}",))).keys
    assert ("measured_row" in other, "demand_scale_ratio" in other) == (False, True)
    assert drawn(opened)[0] == len(other)
    opened.close()


def test_a_row_on_the_page_has_its_own_read_share(browser, live_page, measured):
    """Half the load with 95 % reads, two and a half times with 5 %: wider than the load alone."""
    opened = browser.open(live_page.as_uri())
    opened.wait_for("document.body.classList.contains('live')")
    drawn(opened)
    label = "Arrays needed, unrounded"
    assert ends(opened, label) == pytest.approx(simulated(measured, label), rel=0.03)
    blank = {Address("Measured", JOINT_ROW + n, column): None for n in range(len(READS)) for column in (9, 10)}
    without = simulated(replace(measured, cells=measured.cells.with_values(blank)), label)
    assert ends(opened, label)[1] > 1.1 * without[1]
    opened.close()


def ends(opened, label):
    """Return P5 and P95 of a result, on the page."""
    text = opened.evaluate("document.getElementById('trials').textContent").partition(label)[2]
    found = (text.partition(f"{name} ")[2].split()[0].rstrip(",;.") for name in ("P5", "P95"))
    return tuple(float(each.replace(",", "")) for each in found)


def simulated(book, label, *settings):
    """Return the same of `simulate`."""
    (result,) = (each for each in simulate(book, 16384, settings=settings).results if each.item.label == label)
    found = {each.probability: each.interval.value for each in result.percentiles}
    return found[0.05], found[0.95]


def test_a_profile_of_another_generation_is_drawn_as_wide_as_simulate_draws_it(browser, live_page, measured):
    """The page was made for a profile of this generation: its own spread is a third of that of the older one."""
    opened = browser.open(live_page.as_uri())
    opened.wait_for("document.body.classList.contains('live')")
    opened.evaluate(choose(OLD))
    opened.settle()
    drawn(opened)
    label = "Arrays needed, unrounded"
    assert ends(opened, label) == pytest.approx(simulated(measured, label, f"profile={OLD}"), rel=0.03)
    opened.close()


def test_every_joint_row_is_as_likely_on_the_page(live_page):
    """Of five rows none comes twice in the list that the page draws from."""
    (values,) = re.findall(
        r'"key":"measured_row","values":(\[[^]]*\]),"whole":true', legible(live_page.read_text("utf-8"))
    )
    assert json.loads(values) == [1, 2, 3, 4, 5]


def test_the_page_names_what_it_counts_in_a_design_of_two_kinds(browser, book, tmp_path):
    """It read "The design of 8 and 3 for containers holds"."""
    apart = ("container_place=another array", "container_gib=1", "container_array=NetApp AFF8040", "desktops=4000")
    design = replace(book, cells=book.cells.with_values(book.settings(apart)))
    path = tmp_path / "page.html"
    path.write_bytes(page(design, prices=True))
    opened = browser.open(path.as_uri())
    opened.wait_for("document.body.classList.contains('live')")
    drawn(opened)
    told = opened.evaluate("document.querySelector('.holds').textContent")
    assert told.startswith(f"The design of {simulate(design, 256).design} suffices in ")
    assert told.startswith("The design of 8 arrays and 3 for containers suffices in ")


CARD = (
    *("array=My array 1", "provisioning=Full clone", "desktops=3000", "My array 1.capacity_tb=40"),
    *("My array 1.capacity_kind=usable", "My array 1.iops=200000", "My array 1.read_ratio=0.7"),
    *("My array 1.latency_ms=1", "My array 1.controllers_active=2"),
)


@pytest.mark.parametrize("more", [(), ("My array 1.inline_reduction=1",)], ids=["1:1", "4 to 12"])
def test_the_page_draws_data_reduction_as_the_method_and_the_array_have_it(browser, book, tmp_path, more):
    """Every array was drawn at 2 to 17.6:1, so that 96,000 GiB at 1:1 were in no trial."""
    design = replace(book, cells=book.cells.with_values(book.settings((*CARD, *more))))
    path = tmp_path / "page.html"
    path.write_bytes(page(design, prices=True))
    opened = browser.open(path.as_uri())
    opened.wait_for("document.body.classList.contains('live')")
    label = "Capacity required"
    assert drawn(opened)[0] == len(read_risk(design).uncertain)
    assert ends(opened, label) == pytest.approx(simulated(design, label), rel=0.03)
