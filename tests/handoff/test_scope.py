"""What the scope says of user groups and profile containers: who they are, where they stand, what is to be done."""

from dataclasses import replace

from addin.kernel import Address, Scalar
from addin.results.document.blocks import Grid, Points
from addin.results.document.design_chapters import lead, scope
from addin.results.document.load_chapters import load, requirements, storms
from addin.results.document.reading import Reading
from addin.results.document.review_chapters import tests as acceptance
from addin.results.document.sources import Origins
from addin.workbook.book import open_book
from tests.support.live_sets import SHIPPED

GROUPS = (
    *("profile=User groups", "Group 1.users=1200", "Group 1.profile=Knowledge worker W11 MCS (RA-2022 2024)"),
    *("Group 2.users=300", "Group 2.profile=Power user 40 IOPS (CML 2014)"),
)


NETAPP = (
    *("container_place=on a cloud share", "share_service=Azure NetApp Files Standard", "desktops=1000"),
    *("container_gib=30", "capacity_headroom_ratio=0"),
)


def read(*settings: str) -> Reading:
    book = open_book(SHIPPED)
    return Reading(replace(book, cells=book.cells.with_values(book.settings(settings))))


def covered(*settings: str, what: str = "User groups") -> list[str]:
    """Return what the document says is in scope."""
    first = next(block for block in scope(read(*settings)).blocks if isinstance(block, Points))
    return [each for each in first.items if each.startswith(what)]


def test_the_scope_names_the_cloud_share_and_the_steps_to_take() -> None:
    """1,000 x 30 GiB are 29.3 TiB: a pool of 30, above the quota of 25."""
    (said,) = covered(*NETAPP, what="Profile containers")
    share = "1 capacity pool of 30,720 GiB of Azure NetApp Files Standard, limited by capacity, next by throughput"
    assert said == (
        f"Profile containers: they are on a cloud share: {share}; raise the quota to 30,720 GiB; cost: enter a price."
    )
    assert covered("container_place=elsewhere", what="Profile containers") == [
        "Profile containers: they are elsewhere."
    ]
    assert covered(what="Profile containers") == ["Profile containers: none are planned."]


def test_the_share_is_named_behind_the_array_that_it_is_no_part_of() -> None:
    said = lead(read(*NETAPP))
    assert "arrays of NetApp AFF8040 for 1,000 users and 1 capacity pool of 30,720 GiB of Azure NetApp Files" in said


def test_the_scope_names_the_share_of_each_user_group() -> None:
    (said,) = covered(*GROUPS)
    assert said.startswith("User groups: Group 1 80% of users, "), said
    assert "; Group 2 20% of users, " in said


def test_a_design_without_user_groups_says_nothing_of_them() -> None:
    assert covered() == []


def test_the_scope_says_what_the_load_of_a_desktop_was_taken_from() -> None:
    w11 = "Knowledge worker W11 MCS (RA-2022 2024)"
    assert covered(f"profile={w11}", what="Load of") == [f"Load of a desktop: published: {w11}."]
    book = open_book(SHIPPED)
    study: dict[int, Scalar] = {1: w11, 3: 30.0, 4: 10.0, 5: 5.0, 7: "95 % upper bound"}
    cells: dict[Address, Scalar] = {Address("Measured", 5, column): value for column, value in study.items()}
    measured = Reading(replace(book, cells=book.cells.with_values({**cells, **book.settings((f"profile={w11}",))})))
    first = next(block for block in scope(measured).blocks if isinstance(block, Points))
    words = "measured on 30 desktops, 10 days, 5-minute means; 95 % upper bound"
    assert f"Load of a desktop: {words}." in first.items


def test_a_login_typed_in_iops_is_no_lack_of_a_figure() -> None:
    """26 IOPS were typed, and the work of the login read "not published"."""
    typed = [f"My profile 1.{each}" for each in ("login_iops=26", "steady_iops=8", "read_ratio=0.4", "block_kib=16")]
    reading = read("profile=My profile 1", *typed)
    rows = {
        row[0]: row[1] for block in requirements(reading, Origins(reading)).blocks
        if isinstance(block, Grid) for row in block.rows
    }  # fmt: skip
    assert (rows["Login"], rows["Log-off"]) == ("measured in IOPS", "not published")


def test_the_hosts_of_nodes_are_the_nodes() -> None:
    """23 hosts were beside 13 nodes."""
    blocks = scope(read("array=Lenovo HX665 V3 Nutanix node")).blocks
    said = [each for block in blocks if isinstance(block, Points) for each in block.items]
    assert [each for each in said if each.startswith("Hosts:")] == [
        "Hosts: processors and memory are not sized; the nodes are the hosts."
    ]


def test_a_latency_is_that_of_the_load_beside_it() -> None:
    """The login was to be tested at 132,298 IOPS for 2.78 ms, which boot and logins together have at 173,040."""
    apart = ("desktops=2500", "failover=no", "start_rate_per_min=52")
    for settings, name, key, storm in (
        (apart, "Login", "login_iops", True),
        ((*apart, "boot_at=07:00", "logins_at=07:00"), "Login, with the boot", "together_iops", False),
    ):
        reading = read(*settings)
        (tested,) = (
            block for block in acceptance(reading).blocks if isinstance(block, Grid) and "test" in block.caption
        )
        (line,) = (row for row in tested.rows if row[0].startswith("All users log in"))
        assert line[0].endswith(f"mean latency at {reading.text(key)}")
        assert line[1].endswith(f"expected {reading.text('login_latency_ms')}")
        (phases, *_) = (block for block in load(reading).blocks if isinstance(block, Grid))
        (shown,) = (row for row in phases.rows if row[0].startswith("Login"))
        assert (shown[0], shown[1], shown[-1]) == (name, reading.text(key), reading.text("login_latency_ms"))
        in_time = [row[0] for block in storms(reading).blocks if isinstance(block, Grid) for row in block.rows]
        assert ("Latency at the login peak" in in_time) == storm
