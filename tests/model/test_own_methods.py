"""Own provisioning methods: what they answer beside a shipped one, and what a blank or a zero does."""

import pytest

from model.sheets.catalogue import own_rows
from tests.support.own_results import BUILT, MINE, every_result, results, without
from tests.support.own_rows import CLONES, ONE_LINE, Value

SENTENCES = ("assumed_list", "matters_words")  # they name the ends tried
RANKED = ("reduction_first", "reduction_last", "reduction_decides")  # by those ends
NAMED = "provisioning_kept"  # the method's name, as Growth reads it


@pytest.mark.slow
@pytest.mark.parametrize("method", BUILT.data.methods, ids=lambda method: method.name)
def test_an_own_method_equal_to_a_shipped_one_gives_the_same_answers(method) -> None:
    figures = {f.key: method.values[f.key].value for f in own_rows.method_fields() if f.unit != "text"}
    figures["counts_as"] = method.counts_as
    design: dict[str, Value] = {"profile": "Knowledge worker W10 MCS (RA-2053 2024)", "desktops": 3000.0}
    shipped = every_result({**design, "provisioning": method.name}, {})
    own = every_result({**design, "provisioning": "My method 1"}, {"My method 1": figures})
    tried = ("disk_low", "disk_high", "fair_", "hard_", *RANKED, *SENTENCES)  # own methods state no range
    ends = {key for key in shipped if key.startswith((*tried, NAMED))}
    assert {key: own[key] for key in own if key not in ends} == {key: shipped[key] for key in own if key not in ends}
    assert all(own[f"disk_{end}_need"] == 0 for end in ("low", "high"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("blank", "named"),
    [
        ("disk", "what the method stores"),
        ("swap", "what the method stores"),
        ("plain_likely", "data reduction"),
        ("inline_likely", "data reduction"),
        ("boot_likely", "boot demand"),
        ("boot_read_ratio", "boot read share"),
        ("patch_ios", "patching demand"),
        ("provision_ios", "provisioning demand"),
    ],
)
def test_a_blank_of_a_method_is_named_and_never_counts_as_nothing(blank: str, named: str) -> None:
    design = {**MINE, "provisioning": "My method 1"}
    rows = {"My profile 1": ONE_LINE, "My method 1": CLONES}
    assert results(design, "constraints_unchecked", rows=rows) == ("none",)
    rows["My method 1"] = without(CLONES, blank)
    status, unchecked = results(design, "status", "constraints_unchecked", rows=rows)
    assert str(status).startswith("at least ")
    assert named in str(unchecked)


def test_own_reduction_on_inputs_stands_in_for_that_of_the_method() -> None:
    design: dict[str, Value] = {"provisioning": "My method 1", "data_reduction_ratio": 3.0}
    rows = {"My method 1": without(CLONES, "plain_likely", "inline_likely")}
    assert results(design, "constraints_unchecked", "data_reduction_ratio", rows=rows) == ("none", 3)


def test_a_zero_of_a_method_is_no_such_work_and_a_blank_is_not_published() -> None:
    design: dict[str, Value] = {"profile": "Knowledge worker W10 MCS (RA-2053 2024)", "provisioning": "My method 1"}
    assert results(design, "patching_iops", rows={"My method 1": {**CLONES, "patch_ios": 0.0}}) == (-2,)
    assert results(design, "patching_iops", rows={"My method 1": without(CLONES, "patch_ios")}) == (-1,)


def test_minutes_of_a_boot_need_one_figure_only() -> None:
    rows = {"My method 1": without(CLONES, "boot_low", "boot_high")}
    low, likely, high = results({"provisioning": "My method 1"}, "boot_minutes_low", "boot_minutes",
                                "boot_minutes_high", rows=rows)  # fmt: skip
    assert low == likely == high
