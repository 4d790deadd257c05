"""Published results a user can look up: one file each in worked_examples/, typed by hand. A file put there is a test.

title, paper, location     what the paper prints and where
[inputs]                   input key = value, in the unit of the Inputs sheet; the rest keeps its default
[expected.<result key>]    printed and within (half the last digit; 5 % for "about"), or above and/or below
divergence                 { ours, reason }: a known miss, pinned to 0.2 %
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from addin.kernel import Address, Cells, Evaluator, Scalar
from model.reading.rows import Names, unknown
from model.workbook import Built
from tests.support import shipped

FOLDER = Path(__file__).parents[1] / "worked_examples"
PATHS = sorted(FOLDER.glob("*.toml"))
BUILT = shipped.built()
CELLS = shipped.built_cells()
FIELDS = {"title", "paper", "location", "inputs", "expected"}
PIN = 0.002


def load(path: Path) -> dict[str, Any]:
    """Return an example; fail with the file's name and what is wrong where it cannot be judged."""
    try:
        example = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        pytest.fail(f"{path.name}: is no TOML: {error}", pytrace=False)
    if wrong := list(mistakes(example)):
        pytest.fail("\n".join(f"{path.name}: {each}" for each in wrong), pytrace=False)
    return example


def mistakes(example: dict[str, Any]) -> Iterator[str]:
    """Yield what keeps an example from being judged: a field, an input, a result or a bound that it misses."""
    if lacking := sorted(FIELDS - set(example)):
        yield f"{', '.join(lacking)} is missing; write title, paper, location, [inputs] and [expected.KEY]."
    lists = [("inputs", BUILT.layout.inputs), ("expected", {**BUILT.layout.lines, **BUILT.layout.inputs})]
    for table, known in lists:
        for key in example.get(table, {}):
            if key not in known:
                yield f"[{table}] {unknown(key, Names(tuple(known)))}"
    for key, value in example.get("inputs", {}).items():
        if isinstance(value, dict | list):
            yield f"[inputs] {key} is {value!r}; write a number or a text."
    for key, expected in example.get("expected", {}).items():
        if not isinstance(expected, dict):
            yield f"[expected] {key} is {expected!r}; write [expected.{key}] with printed and within."
        elif ("printed" in expected) != ("within" in expected):
            yield f"[expected.{key}] has one of printed and within; write both."
        elif not {"reason", "ours"} <= set(expected.get("divergence", ("reason", "ours"))):
            yield f"[expected.{key}] divergence needs ours and reason."


def results(built: Built, cells: Cells, example: dict[str, Any]) -> dict[str, Scalar]:
    """Type the inputs into the base design and return the expected results."""
    typed: dict[Address, Scalar] = {}
    for key, value in example["inputs"].items():
        typed[Address.from_a1(cells.name(f"In_{key}"))] = value if isinstance(value, str) else float(value)
    evaluator = Evaluator(cells, typed)
    return {
        key: evaluator.value(Address.from_a1("'{}'!{}".format(*built.layout.cell(key)))) for key in example["expected"]
    }


def holds(computed: float, expected: dict[str, Any]) -> bool:
    """Say whether our value is what the paper prints."""
    if "printed" in expected:
        slack = expected["within"] + 1e-9 * abs(expected["printed"])
        return bool(abs(computed - expected["printed"]) <= slack)
    return bool(expected.get("above", float("-inf")) < computed < expected.get("below", float("inf")))


def fault(computed: Scalar, expected: dict[str, Any]) -> str:
    """Return what is wrong with our value; empty when nothing is."""
    if isinstance(computed, bool) or not isinstance(computed, int | float):
        return "is no number"
    miss = expected.get("divergence")
    if holds(computed, expected):
        return "agrees by now: remove the divergence" if miss else ""
    if miss is None:
        return "is not what is printed"
    drifted = abs(computed - miss["ours"]) > PIN * abs(miss["ours"])
    return f"has left the known miss of {miss['ours']:g} ({miss['reason']})" if drifted else ""


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_worked_example(path: Path) -> None:
    example = load(path)
    faults = []
    for key, computed in results(BUILT, CELLS, example).items():
        expected = example["expected"][key]
        if wrong := fault(computed, expected):
            printed = ", ".join(
                f"{name} {expected[name]}" for name in ("printed", "above", "below") if name in expected
            )
            faults.append(f"{example['paper']}, {example['location']}: {key}: {printed}; computed {computed}: {wrong}")
    assert not faults, "\n".join([example["title"], *faults])


def test_examples_cover_all_papers_and_are_well_formed() -> None:
    assert len(PATHS) >= 20
    examples = [load(path) for path in PATHS]
    facts = BUILT.data.facts
    assert {example["paper"] for example in examples} - set(facts.sources_elsewhere) == set(facts.sources)
    for path, example in zip(PATHS, examples, strict=True):
        assert set(example) == FIELDS, path.name
        assert example["expected"], path.name
        for expected in example["expected"].values():
            assert ("printed" in expected) == ("within" in expected), path.name
            assert ("printed" in expected) != bool({"above", "below"} & set(expected)), path.name
            assert not set(expected) - {"printed", "within", "above", "below", "divergence"}, path.name
            assert expected.get("divergence", {"reason": "none"})["reason"], path.name


@pytest.mark.parametrize(
    ("computed", "expected", "verdict"),
    [
        (10.4, {"printed": 10, "within": 0.5}, ""),
        (10.5, {"printed": 10, "within": 0.5}, ""),
        (10.6, {"printed": 10, "within": 0.5}, "is not what is printed"),
        (10.0, {"above": 10}, "is not what is printed"),
        (9.9, {"below": 10}, ""),
        (10.6, {"printed": 10, "within": 0.5, "divergence": {"ours": 10.6, "reason": "known"}}, ""),
        (10.7, {"printed": 10, "within": 0.5, "divergence": {"ours": 10.6, "reason": "known"}}, "has left"),
        (10.1, {"printed": 10, "within": 0.5, "divergence": {"ours": 10.6, "reason": "known"}}, "agrees by now"),
        ("enter a quote", {"printed": 10, "within": 0.5}, "is no number"),
    ],
)
def test_the_judge_itself(computed: Scalar, expected: dict[str, Any], verdict: str) -> None:
    assert fault(computed, expected)[: len(verdict) or None] == verdict


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title = ", "xyz.toml: is no TOML: "),
        ('title = "T"\npaper = "P"\nlocation = "L"\n[inputs]\n', "xyz.toml: expected is missing; write title"),
        ("[inputs]\ndekstops = 1", "xyz.toml: [inputs] 'dekstops' is unknown; did you mean 'desktops'?"),
        ("[expected.login_iosp]\nabove = 1", "xyz.toml: [expected] 'login_iosp' is unknown; did you mean "),
        ("[expected]\nlogin_iops = 1", "xyz.toml: [expected] login_iops is 1; write [expected.login_iops]"),
        ("[expected.login_iops]\nprinted = 1", "xyz.toml: [expected.login_iops] has one of printed and within"),
    ],
)
def test_a_mistake_in_an_example_is_named_with_its_file(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "xyz.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(pytest.fail.Exception) as failed:
        load(path)
    assert told in str(failed.value)
