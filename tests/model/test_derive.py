"""Expressions over facts: values typed from the papers' own arithmetic, faults word for word."""

import re
from math import log
from pathlib import Path

import pytest

from model.errors import DataError
from model.reading.derive import FUNCTIONS, derive
from model.reading.facts import FactBook
from model.reading.read import load_facts

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def book() -> FactBook:
    return load_facts(ROOT / "model" / "data")


VALUES = [
    # a fact alone is converted, never rounded
    ("NTP-013", "IOPS", 102437),
    ("EQL-263", "GiB", 2539.5),
    # one function
    ("ratio(EQL-230, EQL-229)", "ratio", 1.81128),  # 12400 / 6846
    ("ratio(EQL-271,EQL-055)", "%", 101.587),  # 640 / 630
    ("product(NTP-009, NTP-008)", "USD", 103974),  # 39 x 2666 = 103974
    ("product(NTP-048,NTP-049)", "TB", 19.2),  # 24 x 800 GB
    ("product(EQL-026,EQL-025)", "GiB", 2000),  # 4 x 500 binary GB
    ("product(EQL-088,EQL-164)", "I/O", 1.62e8),  # 4500 x 36000 s
    ("total(CML-063, CML-064)", "IOPS/desktop", 40),  # 12 + 28
    ("total(NTP-138,NTP-139,NTP-140)", "GiB", 4260),  # 3296 + 880 + 84
    ("difference(EQL-061, EQL-062)", "desktops", 504),  # 630 - 126
    ("complement(NTP-130)", "%", 2),  # 1 - 98 %
    ("one_minus_ratio(ICA-014, ICA-039)", "%", 78.8462),  # 550 of 2600
    ("one_minus_ratio(ICA-034, ICA-010)", "ratio", 0.925254),  # 103 of 1378
    ("midpoint(EQL-168, EQL-169)", "min", 22.5),  # 20 and 25
    ("least(NTP-148, NTP-157, NTP-149)", "IOPS", 54724),
    ("per_desktop(EQL-088, EQL-055)", "IOPS/desktop", 7.14286),  # 4500 / 630
    ("per_desktop(NTP-132,NTP-133)", "GiB/desktop", 17.0667),  # 25 x 1024 / 1500
    ("block_kib(K2-068, K2-070)", "KiB", 38.1747),  # 430 MB/s / 11000 = 39.1 kB
    ("block_kib(K2-068,K2-070)", "KB", 39.0909),
    ("weighted_mean(EQL-253,EQL-251,EQL-254,EQL-252)", "KB", 8.51),  # 32 x 0.13 + 5 x 0.87
    ("number(250)", "desktops", 250),
    ("latency_shape(NTP-147,NTP-153,NTP-023,NTP-176,NTP-031,NTP-202,NTP-039,NTP-228)", "ratio", 1),
    ("latency_shape(K2-049,number(0.5))", "ratio", 1),  # one point gives no shape
    ("utilisation(NTP-149,number(0.5),number(2),NTP-149)", "ratio", 1.5),  # half of it costs twice
    # nested
    ("total(product(EQL-314,EQL-315),product(EQL-316,EQL-317))", "GB", 4400),  # 8 x 100 + 8 x 450
    ("per_desktop(product(NTP-149,NTP-146),NTP-004)", "I/O/desktop", 21889.6),  # 54724 x 600 / 1500
    ("ratio(difference(EQL-061,EQL-062),EQL-210)", "desktops/min", 5.04),  # 504 in 100 min
    ("complement(ratio(NTP-140,total(NTP-138,NTP-139,NTP-140)))", "%", 98.0282),  # 84 of 4260
    (
        "ratio(total(product(K2-045,K2-042),product(K2-048,difference(K2-039,K2-042))),K2-024)",
        *("I/O/desktop", 32320),  # (85000 x 120 + 78000 x 180) / 750
    ),
    # the I/O size tables
    ("block_mean(boot)", "B", 14448.6),  # 14449
    ("block_mean(login_monday)", "B", 22912),  # 22912
    ("block_mean(login_tuesday)", "B", 17136.6),  # 17137
    ("block_mean(patching)", "B", 46970.9),  # 46971
    ("block_mean(boot)", "KiB", 14.11),
    ("block_read_share(boot)", "%", 89.05),
    ("block_read_share(login_monday)", "%", 48.18),
    ("block_read_share(login_tuesday)", "%", 4.29),
    ("block_read_share(patching)", "%", 10.7),
    ("block_random_share(boot)", "%", 73.27),
    ("block_random_share(login_monday)", "%", 83.06),
    ("block_random_share(login_tuesday)", "%", 88.12),
    ("block_random_share(patching)", "%", 76.24),
    # the fits
    ("fit_write_weight()", "ratio", 2.708),
    ("fit_read_equivalent_iops()", "IOPS", 60960),
    ("base_latency(NTP-147,NTP-153,NTP-023,NTP-176,NTP-031,NTP-202,NTP-039,NTP-228)", "ms", 0.422643),
    ("base_latency(NTP-147,NTP-153)", "ms", 0.648),  # 1.35 x 0.48
    ("read_equivalent_bound(CML-110,CML-104,CML-018)", "IOPS", 155264),  # 125000 x 2.36 / 2 / 0.95
]


@pytest.mark.parametrize(("expression", "unit", "value"), VALUES)
def test_expressions_give_the_numbers_worked_out_by_hand(
    book: FactBook, expression: str, unit: str, value: float
) -> None:
    assert derive(expression, book, unit).value == value


def test_every_function_is_tried() -> None:
    tried = " ".join(expression for expression, _, _ in VALUES)
    assert [name for name in FUNCTIONS if f"{name}(" not in tried] == []


def test_the_facts_behind_a_number_are_returned(book: FactBook) -> None:
    derived = derive("ratio(difference(EQL-061,EQL-062),EQL-210)", book, "desktops/min")
    assert derived.fact_ids == {"EQL-061", "EQL-062", "EQL-210"}
    assert derived.expression == "ratio(difference(EQL-061,EQL-062),EQL-210)"


def test_a_block_mean_returns_the_cells_of_its_table(book: FactBook) -> None:
    ids = derive("block_mean(boot)", book, "B").fact_ids
    assert ids == {f"NTP-{number}" for first in range(259, 290, 4) for number in (first, first + 3)}


def test_the_fit_returns_iops_cpu_nodes_and_read_shares(book: FactBook) -> None:
    ids = derive("fit_write_weight()", book, "ratio").fact_ids
    assert {"NTP-149", "NTP-153", "NTP-172", "NTP-176", "NTP-198", "NTP-202", "NTP-224", "NTP-228", "NTP-047"} <= ids
    assert len(ids) == 9 + 16 + 22 + 24 + 26
    assert "NTP-158" not in ids  # failover is predicted, never fitted


def test_a_phase_left_out_of_the_fit_leaves_no_facts_behind(book: FactBook) -> None:
    ids = derive("fit_write_weight(boot)", book, "ratio").fact_ids
    assert len(ids) == 7 + 22 + 24 + 26
    assert not ids & book.group("NTP-153")


# mean IOPS, mean CPU %, read share %, fitted CPU against measured %, the same with the phase left out of the fit
PHASES = [
    ("boot", 54724, 52, 89.05, 2.5, 34.0),
    ("login_monday", 14877, 25, 48.18, -8.0, -10.5),
    ("login_tuesday", 8157, 18, 4.29, -2.1, -3.6),
    ("patching", 31377, 60, 10.70, 8.3, 14.1),
]


@pytest.mark.parametrize(("phase", "iops", "cpu", "reads", "residual", "left_out"), PHASES)
def test_the_fit_leaves_the_residuals_that_are_published_with_it(
    book: FactBook, phase: str, iops: float, cpu: float, reads: float, residual: float, left_out: float
) -> None:
    for argument, expected, tolerance in (("", residual, 0.05), (phase, left_out, 0.2)):
        w = derive(f"fit_write_weight({argument})", book, "ratio").value
        c = derive(f"fit_read_equivalent_iops({argument})", book, "IOPS").value
        rho = iops * (reads / 100 + (1 - reads / 100) * w) / (2 * c)
        assert (rho / (cpu / 100) - 1) * 100 == pytest.approx(expected, abs=tolerance)


def test_no_neighbouring_weight_or_capacity_fits_better(book: FactBook) -> None:
    w = derive("fit_write_weight()", book, "ratio").value
    c = derive("fit_read_equivalent_iops()", book, "IOPS").value

    def misfit(w: float, c: float) -> float:
        loads = [(x * (r / 100 + (1 - r / 100) * w) / (2 * c), cpu / 100) for _, x, cpu, r, _, _ in PHASES]
        return sum(log(rho / cpu) ** 2 for rho, cpu in loads)

    best = misfit(w, c)
    assert all(misfit(w + dw, c * dc) > best for dw in (-0.05, 0.05) for dc in (0.98, 1.0, 1.02))


PHASE_LIST = "boot, login_monday, login_tuesday, patching."
FAULTS = [
    ("ratoi(EQL-088,EQL-055)", "IOPS", "function 'ratoi' is unknown; did you mean 'ratio'?"),
    ("ratio(EQL-088,EQL-8888)", "IOPS", "fact 'EQL-8888' is unknown; did you mean 'EQL-288'?"),
    ("EQL-8888", "IOPS", "fact 'EQL-8888' is unknown; did you mean 'EQL-288'?"),
    ("ratio(EQL-088,2)", "IOPS", "fact '2' is unknown; cite a fact of facts.csv."),
    ("ratio(EQL-088)", "IOPS", "ratio takes 2 arguments, not 1."),
    ("complement(EQL-014,EQL-014)", "ratio", "complement takes 1 argument, not 2."),
    ("product(EQL-088)", "IOPS", "product takes 2 or more arguments, not 1."),
    ("fit_write_weight(boot,patching)", "ratio", "fit_write_weight takes 0 to 1 argument, not 2."),
    ("weighted_mean(EQL-088,EQL-055,EQL-088)", "IOPS", "weighted_mean takes 2 or more arguments in pairs, not 3."),
    ("ratio(EQL-088,EQL-055", "IOPS", "the bracket of ratio is not closed; add ')'."),
    ("ratio(EQL-088 EQL-055)", "IOPS", "an argument of ratio is not followed by ',' or ')'."),
    (
        "ratio(EQL-088,EQL-055)EQL-055",
        "IOPS",
        "'EQL-055' stands after the end of the expression; remove it or nest it.",
    ),
    ("EQL-088/EQL-055", "IOPS", "'/' is not understood; use fact ids, names, brackets and commas."),
    ("", "IOPS", "the expression ends where a fact id or a function is expected."),
    ("ratio(EQL-088,EQL-055)", "GiB", "the result is 1/time, which does not convert to 'GiB' (capacity)."),
    ("ratio(EQL-055,EQL-055)", "text", "the result is a plain number, which does not convert to 'text' (text)."),
    ("total(EQL-088,EQL-004)", "GiB", "1/time and capacity cannot be added or compared."),
    (
        "per_desktop(EQL-088,EQL-004)",
        "IOPS",
        "the number of desktops is capacity; a plain number (count or share) is expected.",
    ),
    ("complement(EQL-088)", "ratio", "the share is 1/time; a plain number (count or share) is expected."),
    ("ratio(EQL-088,EQL-139)", "I/O", "division by zero; check the facts."),
    (
        "product(CML-008,EQL-055)",
        "count",
        "CML-008 is read in 'version', which allows no arithmetic; cite a measured fact.",
    ),
    ("block_mean(logoff)", "B", f"phase 'logoff' has no I/O size table; use one of {PHASE_LIST}"),
    ("fit_write_weight(logoff)", "ratio", f"phase 'logoff' is not part of the fit; use one of {PHASE_LIST}"),
    ("base_latency(NTP-147,NTP-152)", "ms", "a point has no latency or a utilisation of 1 or more; leave it out."),
    (
        "read_equivalent_bound(difference(K2-059,K2-059),number(0.5),number(1))",
        "IOPS",
        "a load of 0 or below shows no capacity; correct its IOPS or read share.",
    ),
    ("number(many)", "count", "'many' is not a number."),
]


@pytest.mark.parametrize(("expression", "unit", "message"), FAULTS)
def test_a_faulty_expression_is_reported_at_its_place(book: FactBook, expression: str, unit: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        derive(expression, book, unit, "model/data/cases.csv:3 (EQL 1 array)")
    assert str(caught.value) == f"model/data/cases.csv:3 (EQL 1 array): {expression}: {message}"


def test_an_unknown_function_without_a_likeness_lists_them_all(book: FactBook) -> None:
    with pytest.raises(DataError, match=re.escape("function 'xyzzy' is unknown; use one of ratio, product,")):
        derive("xyzzy(EQL-088)", book, "IOPS")


def test_an_unknown_unit_is_reported_at_its_place(book: FactBook) -> None:
    with pytest.raises(DataError) as caught:
        derive("ratio(EQL-088,EQL-055)", book, "iops", "model/data/cases.csv:3")
    assert str(caught.value) == "model/data/cases.csv:3: unit 'iops' is not in units.csv; use 'IOPS' or add the unit."
