"""A deployment, a refresh, a recompose and a rebalance have rates of their own: none passes for another in silence."""

import pytest

from addin.kernel import Address
from tests.support.answers import answers, changed
from tests.support.input_sets import Value, overrides
from tests.support.recomputed import Evaluator
from tests.support.shipped import built, built_cells

BUILT = built()
CELLS = built_cells()
OTHERS = ("refresh", "recompose", "rebalance")
CLONES: dict[str, Value] = {"provisioning": "Full clone", "disk_gib": 60.0, "desktops": 1500.0}


@pytest.mark.parametrize("operation", OTHERS)
def test_the_rate_of_the_operation_counts_where_it_is_entered(operation: str) -> None:
    """By hand: 1,500 machines at 5 a minute take 300 minutes, at the 15 of new ones 100: a third of the load."""
    design: dict[str, Value] = {**CLONES, "provision_operation": operation, "operation_rate_per_min": 5.0}
    keys = ("provisioning_divide_min", "provisioning_asked_iops", "rate_borrowed")
    fresh: dict[str, Value] = {**CLONES, "provision_operation": "new desktops"}  # a what-if takes over the base's
    (minutes, asked, borrowed), (new, fast, _) = answers(BUILT, CELLS, [design, fresh], *keys)
    assert (minutes, new, borrowed) == (300, 100, 0)
    assert float(str(asked)) == pytest.approx(float(str(fast)) / 3)


@pytest.mark.slow
@pytest.mark.parametrize("operation", OTHERS)
def test_without_it_the_rate_of_new_desktops_is_used_and_an_alert_says_so(operation: str) -> None:
    design: dict[str, Value] = {**CLONES, "provision_operation": operation}
    assert answers(BUILT, CELLS, [design], "provisioning_divide_min", "rate_borrowed") == [(100, 1)]
    banner = Evaluator(changed(CELLS, overrides(BUILT, [design]))).value(Address("Answer", 2, 1))
    assert "the rate of new desktops is used for another operation" in str(banner)


def test_of_new_desktops_their_own_rate_counts_whatever_others_take() -> None:
    design: dict[str, Value] = {**CLONES, "operation_rate_per_min": 3.7}
    assert answers(BUILT, CELLS, [design], "provisioning_divide_min", "rate_borrowed") == [(100, 0)]
