"""A latency limit below the base latency, minutes of a phase that the method has not, and one name for the limit."""

import pytest

from addin.kernel import Address, Scalar
from tests.support.answers import changed
from tests.support.input_sets import Value, overrides
from tests.support.recomputed import Evaluator
from tests.support.shipped import built, built_cells

BUILT = built()
CELLS = built_cells()
FAST: dict[str, Value] = {"start_rate_per_min": 600.0}  # the AFF8040's base latency is 0.4226 ms
W10: dict[str, Value] = {"desktops": 3200.0, "profile": "Knowledge worker W10 MCS (RA-2053 2024)"}


def opened(design: dict[str, Value]) -> Evaluator:
    return Evaluator(changed(CELLS, overrides(BUILT, [design])))


def results(design: dict[str, Value], *keys: str) -> tuple[Scalar, ...]:
    evaluator = opened(design)
    return tuple(evaluator.value(Address.from_a1("!".join(BUILT.layout.cell(key)))) for key in keys)


def alerts(design: dict[str, Value]) -> str:
    """Return the banner of Answer."""
    return str(opened(design).value(Address("Answer", 2, 1)))


@pytest.mark.slow
def test_a_boot_limit_below_the_base_latency_is_not_checked_and_named() -> None:
    """39 arrays at 0.5 ms fell to 7 at 0.4 ms, and all checks held but one that advised more arrays."""
    assert results({**FAST, "boot_latency_limit_ms": 0.5}, "arrays_required", "constraints_unchecked") == (39, "none")
    status, unchecked, known = results(
        {**FAST, "boot_latency_limit_ms": 0.4}, "status", "constraints_unchecked", "rating_words"
    )
    assert str(status).startswith("at least 7 arrays")
    assert unchecked == "boot latency, raise the limit"
    assert known == "boot latency, raise the limit; assumed: planned utilisation, usable share of raw capacity"
    said = alerts({**FAST, "boot_latency_limit_ms": 0.4})
    assert "no number of arrays meets the latency limit of the boot" in said
    assert "boot latency exceeds its limit" not in said  # whose advice is more arrays


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0.01, 0.2, 0.42])
@pytest.mark.parametrize(("key", "word"), [("boot_latency_limit_ms", "boot latency"), ("latency_limit_ms", "latency")])
def test_a_limit_that_nothing_meets_always_reads_at_least(key: str, word: str, limit: float) -> None:
    status, unchecked = results({key: limit}, "status", "constraints_unchecked")
    assert str(status).startswith("at least")
    assert str(unchecked) == f"{word}, raise the limit"
    assert "no number of arrays meets" in alerts({key: limit})


@pytest.mark.parametrize(("limit", "said"), [(0.3, "0.30"), (0.6, "0.60"), (2.5, "2.50"), (5.0, "5")])
def test_a_limit_is_asked_for_as_it_is_typed(limit: float, said: str) -> None:
    """0.3 ms read "limit 0" on Answer, and a vendor was asked for 1 ms."""
    (asked,) = results({"latency_limit_ms": limit}, "ask_words")
    assert f" read, 16 KiB, within {said} ms, for users at work after one failure; " in str(asked)
    shown = opened({"latency_limit_ms": limit})
    labels = {shown.value(Address("Answer", row, 6)) for row in range(5, 16)}
    assert f"Login latency, ms (limit {said})" in labels


def test_without_a_boot_its_limit_is_nothing_to_check() -> None:
    assert results({"ios_per_boot": 0.0, "boot_latency_limit_ms": 0.2}, "constraints_unchecked") == ("none",)


ABSENT = [  # method, minutes wanted of a phase that it has not, the advice
    ("MCS pooled", "patch_wanted_min", "patching_advice"),
    ("PVS", "patch_wanted_min", "patching_advice"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("method", "key", "advice"), ABSENT)
def test_minutes_of_a_phase_that_the_method_has_not_are_neither_unmet_nor_advised(
    method: str, key: str, advice: str
) -> None:
    """An alert and "set the delay to 3 s" were shown, where nothing is patched."""
    design: dict[str, Value] = {"provisioning": method, key: 120.0}
    assert results(design, advice, "patching_unmet", "patching_minutes") == ("no change", 0, -2)
    assert "minutes wanted" not in alerts(design)


UNMET = [
    ({"boot_wanted_min": 5.0}, "the boot takes longer than the minutes wanted"),
    ({"provisioning": "Full clone", "patch_wanted_min": 40.0}, "the patching takes longer than the minutes wanted"),
    (
        {"provisioning": "Full clone", "provision_wanted_min": 5.0},
        "the deployment takes longer than the minutes wanted",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("design", "words"), UNMET)
def test_minutes_that_are_not_met_name_their_phase(design: dict[str, Value], words: str) -> None:
    said = alerts(design)
    assert words in said
    assert sum(other in said for _, other in UNMET) == 1


@pytest.mark.slow
def test_the_limit_and_the_utilisation_have_one_name_and_one_figure() -> None:
    """Answer said Latency 86 %; `size` said Failover, next Latency, highest utilisation 39 %."""
    found = results(W10, "binding_constraint", "next_constraint", "limited_by_after_failure")
    assert found == ("Latency, after one failure", "Latency", "Latency")
    normal, after = results(W10, "share_used_normal", "share_used_after_failure")
    assert (normal, after) == pytest.approx((0.4308, 0.8615), abs=5e-5)
    evaluator = opened(W10)
    row = 6  # limited by, share used
    assert [evaluator.value(Address("Answer", row, column)) for column in (7, 8)] == ["Latency, 43%", "Latency, 86%"]
    assert results({**W10, "failover": "no"}, "binding_constraint") == ("Latency",)


def test_a_failure_that_decides_is_named_in_every_year() -> None:
    assert results({**W10, "growth_per_year_ratio": 0.3}, "purchase_reason") == ("Latency, after one failure",)
