"""What must carry the load after one failure: IOPS within the latency limit, and MB/s."""

import pytest

from tests.support.answers import answers, changed, numbers
from tests.support.input_sets import OWN_FIGURES, Value, own_arrays
from tests.support.shipped import reference, reference_cells

BUILT = reference()
# two controllers that serve any IOPS, and whole 1,400 MB/s
CARD: dict[str, Value] = {
    **{key: value for key, value in OWN_FIGURES[1].items() if not key.startswith("rating")},
    **{"usable_gib": 1e5, "controllers_active": 2.0, "failover_kind": "controller", "throughput_mb_s": 1400.0},
}
CELLS = changed(reference_cells(), own_arrays(BUILT, [CARD]))
DESIGN: dict[str, Value] = {"array": "My array 1", "failover": "yes"}


def results(design: dict[str, Value], *keys: str) -> list[float]:
    return numbers(BUILT, CELLS, {**DESIGN, **design}, *keys)


@pytest.mark.parametrize(
    ("survive", "counted"),
    [
        ("users at work", ("steady", "login")),
        ("work without the login storm", ("steady",)),
        ("everything", ("provisioning", "boot", "login", "steady", "logoff", "patching")),
    ],
)
def test_the_throughput_of_what_must_hold_needs_the_arrays_left(survive: str, counted: tuple[str, ...]) -> None:
    """One array of two controllers read "8 % used after a failure" for 186 % of the MB/s that one controller moves."""
    keys = [f"throughput_{phase}" for phase in counted]
    moved = max(results({"survive_phases": survive, "login_block_kib": 64.0}, *keys))
    after, used, arrays = results(
        {"survive_phases": survive, "login_block_kib": 64.0},
        *("after_throughput", "ratio_after_failure", "arrays_required"),
    )
    assert after == pytest.approx(moved / 1400 * 2)
    assert used >= after
    assert arrays >= used


def test_a_lost_array_does_not_grow_with_the_demand() -> None:
    """Of two arrays one is left: demand may grow by what that one has free, not by what the need has below 2."""
    lost = changed(reference_cells(), own_arrays(BUILT, [{**CARD, "failover_kind": "array"}]))
    design: dict[str, Value] = {**DESIGN, "replicated": "yes"}

    def figures(scale: float, *keys: str) -> list[float]:
        return numbers(BUILT, lost, {**design, "demand_scale_ratio": scale}, *keys)

    need, arrays, used = figures(1, "ratio_after_failure", "arrays_required", "share_used_after_failure")
    assert used == pytest.approx((need - 1) / (arrays - 1))
    more, less, arrays = figures(1, "close_more_ratio", "close_less_ratio", "arrays_required")
    counts = [figures(scale, "arrays_required")[0] for scale in (1 + more - 1e-6, 1 + more + 1e-6)]
    assert counts == [arrays, arrays + 1]
    if less < 1:
        assert figures(1 - less - 1e-6, "arrays_required") == [arrays - 1]


NOTHING = "no replica or node to lose"


@pytest.mark.parametrize(
    ("figures", "missing"),
    [
        ({"controllers_active": 1.0, "base_latency_ms": 0.001}, "no second controller"),
        ({"failover_kind": "array"}, NOTHING),
        ({"failover_kind": "none"}, NOTHING),
        ({"hci_node": 1.0, "nodes_lost": 0.0, "vms_per_node": 100.0, "least_nodes": 3.0}, NOTHING),
    ],
)
def test_a_failure_that_leaves_nothing_is_named_by_what_is_missing_not_by_a_rating(
    figures: dict[str, Value], missing: str
) -> None:
    """No rating tells what survives: "failover, enter a rating" sent people to a figure that changed nothing."""
    cells = changed(reference_cells(), own_arrays(BUILT, [{**CARD, **figures}]))
    ((words, todo),) = answers(BUILT, cells, [dict(DESIGN)], "constraints_unchecked", "rating_todo")
    assert words == f"failover: {missing}, {todo}"
    assert todo == "enter one"
    unrated = changed(reference_cells(), own_arrays(BUILT, [{**CARD, **figures, "throughput_mb_s": None}]))
    ((words, todo),) = answers(BUILT, unrated, [dict(DESIGN)], "constraints_unchecked", "rating_todo")
    assert "throughput, " in str(words)
    assert todo == "enter a rating"
