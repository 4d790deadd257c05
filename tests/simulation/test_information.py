"""Value of information against closed forms, and what may never happen to it."""

from math import erf, exp, hypot, pi, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from addin.simulation import finding_out, information
from addin.simulation.information import Known
from addin.simulation.statistics import Interval

Floats = NDArray[np.float64]
REPLICATES, TRIALS = 16, 4096


def normal(count: int, seed: int = 1) -> Floats:
    """Return independent standard normal draws (count, replicates, trials)."""
    return np.random.default_rng(seed).standard_normal((count, REPLICATES, TRIALS))


def saved(mean: float, spread: float) -> float:
    """Return min(0, mean) - E[min(0, X)] of a normal X: what it is worth to know X, or its mean given a group.

    E[min(0, X)] = mean Phi(-mean/spread) - spread phi(mean/spread).
    """
    z = mean / spread
    below, density = (1 - erf(z / sqrt(2))) / 2, exp(-z * z / 2) / sqrt(2 * pi)
    return min(0.0, mean) - mean * below + spread * density


def within(found: Interval, expected: float, slack: float = 0.0) -> bool:
    """Say whether a figure is within three standard errors; 2.13 of them make the bar of 16 replicates."""
    return abs(found.value - expected) <= 3 * found.half_width / 2.13 + slack


@pytest.mark.parametrize(("mean", "spread"), [(0.1, 1.0), (0.5, 1.0), (-300.0, 1000.0)])
def test_two_designs_and_one_normal_input(mean: float, spread: float) -> None:
    """One design costs 0, the other mean + spread x Z, and Z is all there is to know."""
    (z,) = normal(1)
    costs = np.stack([np.zeros_like(z), mean + spread * z])
    expected = saved(mean, spread)
    assert within(information.perfect(costs), expected)
    assert within(information.partial(costs, z), expected, slack=spread / 1000)  # a bin is 1/64 wide
    assert information.partial(costs, z).value <= information.perfect(costs).value


def test_a_linear_model_with_two_groups() -> None:
    """The second design costs 0.2 + 3 a + 4 b + 2 c + d less than the first; groups (a, b) and (c, d)."""
    a, b, c, d = normal(4)
    difference = 0.2 + 3 * a + 4 * b + 2 * c + d
    costs = np.stack([np.zeros_like(a), difference])
    needs = difference[None]
    for inputs, spread in (((a, b), hypot(3, 4)), ((c, d), hypot(2, 1))):
        found = information.of_group(costs, Known(np.stack(inputs), needs, (0, 0)))
        assert within(found, saved(0.2, spread), slack=spread / 1000)
    both = information.of_group(costs, Known(np.stack([a, b, c, d]), needs, (0, 0)))
    assert within(both, saved(0.2, hypot(3, 4, 2, 1)), slack=0.006)
    assert within(information.partial(costs, b), saved(0.2, 4.0), slack=0.004)


def test_stairs_of_a_need_are_worth_what_the_closed_form_says() -> None:
    """One array costs 1 and 5 more where the need X + Y exceeds 1, two cost 3: buying two pays where that chance > 0.4.

    With X known, the need exceeds 1 with the chance Phi(X - 1) of the standard normal Y, integrated here over X.
    """
    x, y = normal(2)
    need = 1 + x + y
    costs = np.stack([1 + 5.0 * (need > 1.5), np.full_like(x, 3.0)])
    grid = np.linspace(-8, 8, 32_001)
    chance = np.array([(1 - erf((0.5 - value) / sqrt(2))) / 2 for value in grid])
    density = np.exp(-grid * grid / 2) / sqrt(2 * pi) * (grid[1] - grid[0])
    late = (1 - erf(0.5 / 2)) / 2  # X + Y has a standard deviation of sqrt(2)
    expected = min(1 + 5 * late, 3) - float(np.sum(np.minimum(1 + 5 * chance, 3) * density))
    known = Known(x[None], need[None], (0, 0))
    assert within(information.partial(costs, x), expected, slack=0.003)
    assert within(information.of_group(costs, known), expected, slack=0.003)


def test_what_changes_no_choice_is_worth_nothing() -> None:
    x, y = normal(2)
    costs = np.stack([100 + x, 200 + x + y])  # the first is better by 100 whatever is known of x or y
    assert information.perfect(costs).value == 0
    assert information.partial(costs, x).value == 0
    assert information.of_group(costs, Known(np.stack([x, y]), (x + y)[None], (0, 0))).value == 0


def test_pilots_are_worth_what_is_known_after_them() -> None:
    """A load known to 15 %, seen with the error of n desktops: what a pilot tells has a spread of its own.

    15 % and an error of 9.7 % leave 8.1 % unknown, so that the figure after the pilot is spread by 12.6 %.
    """
    scale = 1 + 0.15 * normal(1)[0]
    costs = np.stack([np.zeros_like(scale), 1000 * (scale - 1.02)])
    found = {each.what: each.value for each in finding_out.of_pilots(costs, scale, finding_out.Pilots())}
    assert list(found) == ["Pilot of 10 desktops", "Pilot of 30 desktops", "Pilot of 100 desktops"]
    for desktops, value in zip((10, 30, 100), found.values(), strict=True):
        error = 0.53 / sqrt(desktops)
        told = 0.15**2 / hypot(0.15, error)
        assert within(value, saved(-20.0, 1000 * told), slack=1.0), desktops
    assert hypot(0.15, 0.53 / sqrt(30)) == pytest.approx(0.15**2 / 0.1261, abs=1e-3)
    known = information.partial(costs, scale)
    values = [each.value for each in found.values()]
    assert values == sorted(values)
    assert values[-1] < known.value


@pytest.mark.parametrize("seed", range(5))
def test_noise_is_no_value(seed: int) -> None:
    """An input that no cost depends on is worth 0, though two designs are equally good: bins would find something."""
    x, y, idle = normal(3, seed)
    costs = np.stack([x, y])
    assert information.perfect(costs).value > 0.5  # E[max - min] / 2 of two normals is 0.56
    assert information.partial(costs, idle).value == 0
    assert information.of_group(costs, Known(idle[None], x[None], (0, 0))).value == 0


def test_partial_information_is_never_worth_more_than_perfect_information() -> None:
    x = normal(6, 7)
    costs = np.stack([np.ceil(2 * x[0] + x[1]), np.ceil(x[2]) + 0.2, x[3] * x[0], 0.1 * x[4]])
    most = information.perfect(costs).value
    for each in x:
        assert 0 <= information.partial(costs, each).value <= most
    group = information.of_group(costs, Known(x[:4], np.stack([2 * x[0] + x[1], x[2]]), (0, 1, 1, 0)))
    assert 0 < group.value <= most


def test_an_input_of_money_moves_the_choice_without_moving_the_need() -> None:
    """The price of the second design is 0.3 + Z: a regression of the cost knows it, one of the need does not."""
    price, need = normal(2)
    costs = np.stack([np.zeros_like(price), 0.3 + price])
    found = information.of_group(costs, Known(price[None], need[None], (0, 0)))
    assert within(found, saved(0.3, 1.0), slack=0.001)


def test_an_input_without_a_spread_or_with_two_values_is_no_mistake() -> None:
    x, y = normal(2)
    coin = np.where(y > 0, 1.0, -1.0)
    costs = np.stack([np.zeros_like(x), coin + 0.001 * x])
    assert information.partial(costs, np.ones_like(x)).value == 0
    assert within(information.partial(costs, coin), 0.5, slack=0.001)  # 0 or -1, each half of the time
    even = np.tile([-1.0, 1.0], coin.size // 2).reshape(coin.shape)  # its quantiles fall between the two values
    assert information.partial(np.stack([np.zeros_like(x), even]), even).value == pytest.approx(0.5)
    assert information.of_group(costs, Known(np.ones_like(x)[None], x[None], (0, 0))).value == 0
    flat = Known(np.stack([coin, np.ones_like(x)]), (2 + coin)[None], (0, 0))  # a square that is a constant
    assert within(information.of_group(costs, flat), 0.5, slack=0.001)
    one = costs[:1]
    assert (information.perfect(one).value, information.partial(one, x).value) == (0, 0)


def test_the_order_of_the_designs_changes_no_byte() -> None:
    x = normal(4, 3)
    costs = np.stack([np.ceil(2 * x[0]), x[1] + 0.1, 0.5 * x[2], x[3] * x[0]])
    turned = costs[::-1]
    for made in (information.perfect, lambda each: information.partial(each, x[0])):
        assert made(costs) == made(turned)
    group, back = Known(x[:2], x[:2], (0, 0, 1, 1)), Known(x[:2], x[:2], (1, 1, 0, 0))
    assert information.of_group(costs, group) == information.of_group(turned, back)
    assert list(information.regret(costs)) == list(information.regret(turned))[::-1]
    assert list(information.often_best(costs)) == list(information.often_best(turned))[::-1]


def test_mean_p95_regret_and_how_often_best_by_hand() -> None:
    first = np.tile(np.arange(1.0, 101.0), (2, 1))  # 1 to 100
    costs = np.stack([first, np.full_like(first, 60.5)])
    (mean, other), (p95, _) = information.mean_and_p95(costs)
    assert (mean.value, other.value, other.half_width) == (50.5, 60.5, 0)
    assert p95 == pytest.approx(95.05)
    assert list(information.often_best(costs)) == [0.6, 0.4]
    assert information.regret(costs) == pytest.approx([sum(n - 60.5 for n in range(61, 101)) / 100, 60.5 - 50.5 + 8])


def test_a_design_is_dominated_by_a_surer_one_that_costs_no_more() -> None:
    assert information.dominated_by([0.8, 0.9, 0.9, 0.99], [100, 90, 95, 200]) == [1, None, 1, None]
    assert information.dominated_by([0.8, 0.8], [100, 100]) == [None, None]
    assert information.dominated_by([0.5], [1]) == [None]
    assert information.dominated_by([0.9, 0.95], [100, 100]) == [1, None]
