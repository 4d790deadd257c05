"""Every chart of the workbook says what it shows to those who do not see it."""

import re
import zipfile
from pathlib import Path

import pytest

from addin.xlsx.alt_text import describe_charts
from addin.xlsx.package import PackageError
from model.layout.charts import alt_texts
from model.workbook import Built

TEMPLATE = Path(__file__).resolve().parents[2] / "templates" / "vdi-storage-sizing.xlsx"


def described(path: Path) -> list[str]:
    """Return the descriptions in the drawings of a file, empty ones for charts without."""
    with zipfile.ZipFile(path) as package:
        drawings = [name for name in package.namelist() if re.fullmatch(r"xl/drawings/drawing\d+\.xml", name)]
        text = "".join(package.read(name).decode() for name in drawings)
    return [(re.findall(r' descr="([^"]+)"', tag) or [""])[0] for tag in re.findall(r"<cNvPr[^>]*>", text)]


def test_every_chart_of_the_shipped_workbook_is_described(built: Built) -> None:
    wanted = [text for texts in alt_texts(built.workbook).values() for text in texts]
    assert sorted(described(TEMPLATE)) == sorted(wanted)
    assert len(wanted) == len(set(wanted)) >= 9
    assert all(
        re.fullmatch(r"(Bar chart|Curves): .+\. .+; the figures stand on the sheet .+\.", text) for text in wanted
    )


@pytest.mark.slow
def test_a_chart_without_its_description_is_refused_and_the_file_stays(built: Built, tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    built.workbook.save(path)
    before = path.read_bytes()
    texts = alt_texts(built.workbook)
    with pytest.raises(PackageError, match="Summary has another number of charts than descriptions"):
        describe_charts(path, {**texts, "Summary": texts["Summary"][1:]})
    assert path.read_bytes() == before
