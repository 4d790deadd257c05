"""The picture of a simulation: a PNG of the right size with something in every panel; errors in one line."""

import io
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import addin.results.plot
from addin.errors import RequestError
from addin.kernel import ExcelError
from addin.results import plot_arrays
from addin.results.plot import plot, png
from addin.results.plot_arrays import remark
from addin.shell.main import main
from addin.simulation.montecarlo import simulate
from addin.sizing.tables import Table
from addin.workbook.book import open_book
from tests.support import needed
from tests.support.small_workbook import UNIFORM, save

ROOT = Path(__file__).parents[2]
RESULTS = {
    "arrays_required": "=ROUNDUP({x}*4,0)",
    "ratio_largest": "={x}*4+{y}/10",
    "unchecked_count": "=0",
    "broken": "=1/({x}*0)",
    "many": "=ROUND({x}*100,0)",
    "constant": "=5",
    "negative": "=-{x}^8*1000000",
}


@pytest.fixture(autouse=True)
def matplotlib() -> None:
    """Skip without the package; on CI that is a failure."""
    needed.package("matplotlib", "plot")


@pytest.fixture
def known(tmp_path: Path) -> Path:
    return save(tmp_path / "known.xlsx", {"x": UNIFORM, "y": UNIFORM}, RESULTS)


def pixels(content: bytes) -> NDArray[np.float64]:
    """Return the grey values (height, width) of a PNG."""
    from matplotlib.image import imread

    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    return np.asarray(imread(io.BytesIO(content))[:, :, :3].mean(axis=2), dtype=np.float64)


def quarters(grey: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Return the four panels."""
    middle, centre = grey.shape[0] // 2, grey.shape[1] // 2
    return [grey[rows, columns] for rows in (slice(middle), slice(middle, None)) for columns in
            (slice(centre), slice(centre, None))]  # fmt: skip


def test_the_command_draws_four_panels(known: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "risk.png"
    out.write_bytes(b"a picture of somebody else")
    arguments = ["simulate", str(known), "--trials", "4096"]
    assert main([*arguments, "--plot", str(out)]) == 2
    assert "is there already, and was not drawn by this program. Name another file." in capsys.readouterr().err
    assert out.read_bytes() == b"a picture of somebody else"
    out.unlink()
    for _ in range(2):  # its own picture is replaced
        assert main([*arguments, "--plot", str(out)]) == 0
        printed = capsys.readouterr()
    assert main(arguments) == 0
    assert capsys.readouterr().out == printed.out
    assert printed.err == ""
    grey = pixels(out.read_bytes())
    assert grey.shape == (1000, 1600)
    assert all(panel.std() > 0.05 for panel in quarters(grey))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["known.xlsx", "risk.png"]


@pytest.mark.slow
@pytest.mark.parametrize("key", ["arrays_required", "ratio_largest", "many", "constant", "negative", "broken"])
def test_every_kind_of_result_is_drawn(known: Path, key: str) -> None:
    report = simulate(open_book(known), 1024, outputs=[key, "arrays_required"])
    assert pixels(png(report, key)).std() > 0.05


@pytest.mark.slow
def test_the_result_asked_for_is_the_one_drawn(
    known: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(addin.results.plot, "_histogram", lambda axes, result: drawn.append(result.item.key))
    for more in ([], ["--result", "many"], ["--result", "arrays_required", "--result", "ratio_largest"]):
        assert main(["simulate", str(known), "--trials", "256", "--plot", str(tmp_path / "a.png"), *more]) == 0
    assert drawn == ["ratio_largest", "many", "arrays_required"]


def test_labels_are_taken_literally(known: Path) -> None:
    report = simulate(open_book(known), 256, outputs=["ratio_largest"])
    result = report.results[0]
    item = replace(result.item, label="$\\frac{$ \u6570 " + 30 * "long ", unit="$/desktop$")
    assert pixels(png(replace(report, results=(replace(result, item=item),)))).shape == (1000, 1600)


def test_many_arrays_have_a_bar_each(tmp_path: Path) -> None:
    path = save(tmp_path / "b.xlsx", {"x": UNIFORM}, {"arrays_required": "=ROUNDUP({x}*40,0)", "sum": "={x}"})
    report = simulate(open_book(path), 1024, outputs=["sum", "arrays_required"])
    assert all(panel.std() > 0.05 for panel in quarters(pixels(png(report))))


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("risk.pdf", "risk.pdf: expected a name that ends in .png. Rename it."),
        ("nowhere/risk.png", "there is no folder "),
        ("folder.png", "folder.png: a folder, expected a file. Choose another name."),
    ],
)
def test_a_place_that_cannot_be_is_one_line_before_the_run(
    known: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], out: str, message: str
) -> None:
    (tmp_path / "folder.png").mkdir()
    assert main(["simulate", str(known), "--trials", "256", "--plot", str(tmp_path / out)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: --plot ")
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_a_failed_write_leaves_the_old_picture(known: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: object, target: object) -> None:
        raise OSError(28, "No space left on device")

    report, out = simulate(open_book(known), 256), tmp_path / "risk.png"
    out.write_bytes(b"old")
    monkeypatch.setattr("os.replace", full)
    with pytest.raises(RequestError, match=r"risk\.png: the disk is full\. Make room and run again\."):
        plot(report, out)
    assert out.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["known.xlsx", "risk.png"]


def test_without_the_extra_the_line_says_what_to_install(
    known: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["simulate", str(known), "--plot", str(tmp_path / "risk.png")]) == 2
    errors = capsys.readouterr().err
    assert errors == "error: --plot needs the package matplotlib. Install the extra: pip install -e '.[plot]'.\n"


@pytest.mark.slow
def test_compare_draws_a_bar_for_each_array(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book, out = str(ROOT / "templates" / "vdi-storage-sizing.xlsx"), tmp_path / "arrays.png"
    assert main(["compare", book]) == 0
    printed = capsys.readouterr()
    assert main(["compare", book, "--plot", str(out)]) == 0
    assert capsys.readouterr() == printed
    grey = pixels(out.read_bytes())
    assert grey.shape == (1000, 1600)
    assert all(panel.std() > 0.05 for panel in quarters(grey))


def test_an_array_with_unchecked_constraints_takes_at_least_so_many() -> None:
    assert remark(("A", 1.0, 0.68, "Boot IOPS", "", "none")) == ("1 array, Boot IOPS", "")
    assert remark(("A", 2.0, 1.4, "Capacity", "", "throughput, enter a rating")) == (
        "at least 2 arrays, Capacity",
        "not checked: throughput, enter a rating",
    )
    odd = ("A", ExcelError.DIV0, ExcelError.DIV0, ExcelError.DIV0, "", "none", 1.0, 1.0, "")
    assert remark(odd) == ("#DIV/0!, #DIV/0!", "")
    table = Table(("array",) * 9, ("",) * 9, (odd,), ("A $note$ " * 40,))
    assert pixels(plot_arrays.png(table, "head " * 40)).shape == (1000, 1600)


@pytest.mark.slow
@pytest.mark.parametrize("out", ["arrays.pdf", "nowhere/arrays.png"])
def test_compare_refuses_a_place_that_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str], out: str) -> None:
    book = str(ROOT / "templates" / "vdi-storage-sizing.xlsx")
    assert main(["compare", book, "--plot", str(tmp_path / out)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("error: --plot ")
    assert captured.err.count("\n") == 1
