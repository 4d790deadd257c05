"""An option that would change nothing, or a value that would be taken as another one, is refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.measured.test_inventories import INFO, MACHINES
from tests.measured.test_inventories import workbook as inventory
from tests.support.shell import Run

pytestmark = pytest.mark.slow
MEASURE = ("measure", "INVENTORY", "--dry-run")  # of which no joint row is drawn
REFUSED = (
    (("decide", "--trials", "0"), "--trials: 0 trials, expected at least 1. "),
    ((*MEASURE, "--rows", "-5"), "--rows -5: expected 200 to 1,000 rows"),
    ((*MEASURE, "--rows", "1001"), "--rows 1001: expected 200 to 1,000 rows"),
    ((*MEASURE, "--seed", "-1"), "--seed -1: expected 0 or more"),
    (("explain", "arrays_required", "--depth", "-1"), "--depth -1: expected 0 or more levels"),
    (("size", "--pid", "3"), "--pid or --pipe 3: says which running application; --engine kernel reads a file."),
    (("compare", "--sheet", "--pid", "3"), "--pid or --pipe 3: says which running application"),
    (("diff", "BOOK", "--pipe", "x"), "--pid or --pipe x: says which running application"),
    (("handoff", "--keep", "Sizing!D70", "--with-prices"), "--keep: includes a cell in files without prices; with "),
)


@pytest.mark.parametrize(("arguments", "said"), REFUSED, ids=[" ".join(each) for each, _ in REFUSED])
def test_what_would_be_passed_over_is_refused(
    run: Run, original: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    files = {
        "BOOK": lambda: original,
        "INVENTORY": lambda: inventory(tmp_path / "rvtools.xlsx", {"vInfo": [INFO, *MACHINES]}),
    }
    name, *options = (files[word]() if word in files else word for word in arguments)
    code, out, err = run(name, original, *options)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_depth_of_0_is_the_cell_alone(run: Run, original: Path) -> None:
    code, out, _ = run("explain", original, "arrays_required", "--depth", "0")
    assert (code, len(out.split("\n\n")[1].splitlines())) == (0, 1)
