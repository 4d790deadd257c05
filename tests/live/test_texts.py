"""The page in the reader's notation, and its texts in one table: a translation is a file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from addin.errors import RequestError
from addin.live import page, texts
from addin.live.parts import SCRIPTS, asset
from tests.support.live_pages import changes, field, text, value

# two words or more in a script without the mark T; lines that only name classes, elements or errors are skipped
UNMARKED = re.compile(r"(?<![T\w])(?:\"[^\"\n]*\"|`[^`\n]*`)")
WORDS = re.compile(r"[a-zA-Z]{2,} [a-z]{2,}")
NO_TEXTS = re.compile(
    r"class(?:Name)?: |classList|className = |querySelector|^\s*//|aria-|viewBox|DAMAGED|Error\(|DIGEST_KEY"
)
GERMAN = {
    "Save": "Speichern",
    "What limits": "Was begrenzt",
    "read as {1}": "gelesen als {1}",
    "{1} inputs differ": "{1} Eingaben weichen ab",
    "1 input differs": "1 Eingabe weicht ab",
    "Made from $book $version, as built $built, formulas $digest. Sized at sizing accuracy: it replaces no test.": (
        "Aus $book $version, gebaut als $built, Formeln $digest. <Kein> Ersatz f\u00fcr einen Test."
    ),
}


def test_the_table_has_every_text_of_page_and_scripts() -> None:
    """Where this fails: python -m addin.live."""
    assert texts.made() == asset(texts.TABLE)


def test_no_text_of_a_script_is_left_out_of_the_table() -> None:
    found = [
        f"{name}.js: {literal}"
        for name in SCRIPTS
        for line in asset(f"{name}.js").splitlines()
        if not NO_TEXTS.search(line)
        for literal in UNMARKED.findall(re.sub(r"T`[^`]*`", "", line.partition(" // ")[0]))
        if WORDS.search(re.sub(r"\$\{[^}]*\}", "", literal))
    ]
    assert found == []


def test_a_marked_text_is_read_with_its_values_whatever_they_are() -> None:
    source = 'say(T`Up to ${f({ a: "}" })}, ${x ? T`one ${y}` : `two ${z}`} \\u00b1`);'
    assert list(texts.of_script(source)) == ["Up to {1}, {2} \u00b1", "one {1}"]


def written(folder: Path, content: object) -> Path:
    path = folder / "de.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"language": "de", "texts": {"read as {1}": "gelesen"}}, r"'read as \{1\}' lacks \{1\}\. Use each"),
        ({"language": "de", "texts": {"Save": "Sichern {1}"}}, r"'Save' has \{1\} too many\. Use each"),
        ({"language": "de", "texts": {"Save": "5 $ sparen"}}, r"'Save' has \$ too many"),
        ({"language": "de", "texts": {"Sav": "Sichern"}}, "'Sav' is not a text of the page"),
        ({"language": "de", "texts": {"Save": " "}}, "'Save' has no text"),
        ({"language": "de", "texts": {"Save": 7}}, "'Save' has no text"),
        ({"language": '"><script>', "texts": {}}, "expected .*language"),
        ({"texts": {}}, "expected .*language"),
        ([], "expected .*language"),
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_a_translation_that_does_not_fit_is_refused_in_one_line(tmp_path: Path, content: object, said: str) -> None:
    with pytest.raises(RequestError, match=said) as refused:
        texts.read(written(tmp_path, content))
    assert str(refused.value).startswith("de.json: ")
    assert "\n" not in str(refused.value)


def test_a_translation_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="there is no such file"):
        texts.read(tmp_path / "fr.json")


def test_the_shipped_table_is_a_translation_that_changes_nothing(tmp_path: Path, live: bytes, book) -> None:
    read = texts.read(written(tmp_path, asset(texts.TABLE)))
    assert texts.Texts(read.language).page(asset("page.html")) == asset("page.html")
    assert {key for key, text_ in read.translated.items() if key != text_} == set()


@pytest.fixture(scope="module")
def german(browser, book, tmp_path_factory):
    folder = tmp_path_factory.mktemp("german")
    read = texts.read(written(folder, {"language": "de", "texts": GERMAN}))
    path = folder / "page.html"
    path.write_bytes(page(book, prices=True, texts=read))
    opened = browser.open(path.as_uri())
    opened.wait_for("document.body.classList.contains('live')")
    return opened


@pytest.mark.slow
def test_a_translated_page_has_its_texts_and_what_is_not_translated_in_english(german) -> None:
    assert german.evaluate("document.documentElement.lang") == "de"
    assert text(german, "save") == "Speichern"
    assert text(german, "limits-title") == "Was begrenzt"
    assert text(german, "open") == "Open"
    assert "<Kein> Ersatz f\u00fcr" in german.evaluate("document.querySelector('footer').textContent")
    assert text(german, "self-check").startswith("Self-check: all ")
    assert german.console == []


@pytest.mark.slow
def test_an_english_page_has_the_signs_of_the_readers_browser(browser, live_file) -> None:
    opened = browser.open("about:blank")
    opened.send("Network.setUserAgentOverride", userAgent="any", acceptLanguage="de-DE")
    opened.send("Page.navigate", url=live_file.as_uri())
    opened.wait_for("document.body && document.body.classList.contains('live')")
    assert opened.evaluate("navigator.language") == "de-DE"
    assert text(opened, "draw") == "Draw 10.000 trials"
    assert text(opened, "self-check").startswith("Self-check: all ")
    opened.close()


@pytest.mark.slow
def test_numbers_have_the_signs_of_the_readers_language(german) -> None:
    """In what the page writes, in what formulas compose, in fields and in what is read back."""
    at = field(german, "Users")
    german.fill(at, "1.500")
    german.settle()
    assert german.evaluate("document.querySelector('#faults').textContent").count("Write a comma before decimals") == 1
    assert "Use 1.500" in german.evaluate("document.querySelector('#faults').textContent")
    german.fill(at, "2345")
    german.settle()
    assert "gelesen als 2.345" in german.evaluate("document.querySelector('#start').textContent")
    german.fill(field(german, "Growth"), "12,5%")
    german.settle()
    assert value(german, "Growth") == "12,5%"
    assert changes(german) == {"desktops": 2345, "growth_ratio": 0.125}
    assert text(german, "differs").startswith("2 Eingaben weichen ab")
    words = german.evaluate("document.querySelector('#answers').textContent")
    assert re.findall(r"\d,\d{3},\d{3}|\d{2},\d{3}(?!\d)", words) == []
    german.evaluate("document.getElementById('reset').click()")
    german.settle()
