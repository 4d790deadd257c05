"""The results of a saved copy are those of the file engine, whatever was typed into it and on whichever sheet."""

from pathlib import Path

import pytest

from addin.engines.file import open_file, package
from addin.engines.file.computed import Computed
from addin.kernel import Scalar
from tests.support import flushed, shipped

pytestmark = pytest.mark.slow


def results(path: Path, typed: dict[str, object], added: bool) -> tuple[dict[object, Scalar], bytes]:
    """Return every result of a copy into which something is typed, and its bytes."""
    book = open_file(path)
    for name, value in typed.items():
        book.names[name].refers_to_range.value = value
    if added:
        sheet = book.sheets.add("Mine", after=book.sheets[0])
        sheet["A1"].value = "=Out_arrays_required*2"
    engine = book.impl.package
    whole = engine.flushed()
    return dict(engine._known), b"".join(whole[part] for part in sorted(whole))


@pytest.mark.parametrize("write", flushed.WRITTEN, ids=lambda write: write.__name__)
@pytest.mark.parametrize(
    ("typed", "added"),
    [
        ({"In_image_gib": 30}, False),
        ({"In_array_price": 1000.0, "In_failover": "yes"}, True),
        ({"In_array_price": None}, False),
        ({"In_ram_gib": "=1+1"}, False),  # a formula of its own: nothing is taken
    ],
    ids=str,
)
def test_a_copy_has_the_results_of_the_engine(write, typed, added, tmp_path: Path, monkeypatch) -> None:
    path = write(tmp_path)
    taken = results(path, typed, added)
    monkeypatch.setattr(package, "Computed", Computed)
    assert taken == results(path, typed, added)


def test_what_an_edit_reaches_is_all_that_is_computed(tmp_path: Path) -> None:
    book = open_file(shipped.write_reference(tmp_path))
    book.names["In_array_price"].refers_to_range.value = 1000.0
    cells = book.impl.package._all()
    root = flushed.made(0)
    typed = root.typed(cells)
    assert typed is not None
    assert len(typed) == 1
    assert len(root.unreached(typed)) > 40_000
