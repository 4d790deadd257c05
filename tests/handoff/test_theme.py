"""The looks of a company: what theme.toml may say, and one line for what it may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from addin.errors import RequestError
from addin.results.document import theme

PNG = b"\x89PNG\r\n\x1a\n" + bytes(60)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def written(folder: Path, text: str) -> Path:
    path = folder / theme.FILE
    path.write_text(text, encoding="utf-8")
    return path


def test_a_theme_beside_the_workbook_is_found(tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes(PNG)
    written(tmp_path, 'company = "Müller"\nlogo = "logo.png"\nmain = "#006400"\nsecond = "#7a0019"\npaper = "Letter"\n')
    found = theme.theme_for(tmp_path / "quote.xlsx", None)
    assert (found.company, found.main, found.second, found.paper) == ("Müller", "#006400", "#7a0019", "letter")
    assert found.logo.startswith("data:image/png;base64,")


def test_without_one_it_is_plain(tmp_path: Path) -> None:
    assert theme.theme_for(tmp_path / "quote.xlsx", None) == theme.Theme()
    assert min(map(theme.contrast, (theme.Theme().main, theme.Theme().second))) >= theme.LEAST_CONTRAST


def test_an_svg_is_an_address_and_never_part_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "logo.svg").write_bytes(SVG)
    assert theme.read(written(tmp_path, 'logo = "logo.svg"')).logo.startswith("data:image/svg+xml;base64,")


def test_contrast_is_that_of_wcag() -> None:
    assert theme.contrast("#000000") == pytest.approx(21)
    assert theme.contrast("#777777") == pytest.approx(4.48, abs=0.005)
    assert theme.contrast("#767676") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("main = ", r"theme\.toml: is no TOML \(.*\)\. Write lines such as"),
        (
            'colour = "#123456"',
            r"theme\.toml: 'colour' is not known; expected company, logo, main, second, paper\. Correct",
        ),
        ("main = 3", r"theme\.toml: main is 3; expected a text, such as main = \"\.\.\.\"\. Correct it"),
        ('main = "red"', r"theme\.toml: main is 'red'; expected a colour such as #1f4e79\. Correct it"),
        (
            'second = "#777777"',
            r"second #777777 has a contrast of 4\.48 on white; expected at least 4\.5\. Take a darker",
        ),
        ('paper = "A3"', r"paper is 'A3'; expected A4 or Letter\. Choose one"),
        ('logo = "none.png"', r"there is no logo none\.png beside it\. Put it there, or leave it out"),
        ('logo = "text.png"', r"the logo text\.png is no picture; expected PNG or SVG\. Convert it"),
        ('logo = "large.png"', r"the logo large\.png has 600 KB; expected at most 500\. Make it smaller"),
        ('logo = "bomb.svg"', r"the logo bomb\.svg is no picture"),
        ("logo = '/logo.png'", r"logo is '/logo\.png'; expected the name of a file beside it\. Put it there"),
        ("logo = '../logo.png'", r"expected the name of a file beside it"),
        ("logo = '\\\\server\\share\\logo.png'", r"expected the name of a file beside it"),
        ("logo = 'C:logo.png'", r"expected the name of a file beside it"),
    ],
)
def test_what_cannot_be_used_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "large.png").write_bytes(PNG + bytes(600_000))
    (tmp_path / "bomb.svg").write_bytes(b'<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>')
    with pytest.raises(RequestError, match=message) as caught:
        theme.read(written(tmp_path, text))
    assert "\n" not in str(caught.value)


def test_a_theme_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"my\.toml: there is no such file\. Name a theme, or leave --theme out"):
        theme.theme_for(tmp_path / "quote.xlsx", tmp_path / "my.toml")
