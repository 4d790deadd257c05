"""Phrases that a native engineer would not write: none is left in code, documents or texts of the workbook.

A phrase is found in any case, across line ends and across the parts of a text that code puts together. Single words
are not listed here: most have good uses.
"""

import re
from collections.abc import Iterator

import pytest
from openpyxl import Workbook

from tests.project.test_house_style import FILES, File
from tests.support.shipped import built

# phrase: what to write instead
RETIRED = {
    "all checks hold": "All checks passed",
    "all else asks for": "everything else needs",
    "are not told": "are not entered; not published",
    "binding one": "the one that limits",
    "counts for nothing": "has no effect",
    "demand says which": "set the rate shown on Demand",
    "enters no cost": "is not counted in any cost",
    "for want of them": "without them",
    "gives the bar back": "clears the bar",
    "hangs on it": "depends on it",
    "hears of it": "is reported where its value is needed",
    "hold as many": "have as many",
    "holds as many": "matches",
    "in no cost": "not counted",
    "in prices of today": "in today's prices",
    "is no candidate": "is not a candidate",
    "is no quote": "is not a quote",
    "let out on purpose": "kept on purpose",
    "let them out": "keep them",
    "made anew": "new; made again",
    "need not hold": "is not required",
    "neither slow nor hurry": "do not change the pace of",
    "no count of arrays": "no number of arrays",
    "no more that was": "forget; remove",
    "nobody knows": "unknown",
    "nothing tells": "unknown; not published",
    "reduces untold": "Reduction missing",
    "served against asked": "Served against demand",
    "served otherwise": "Served IOPS miss the demand",
    "sized anew": "sized again",
    "slows no": "Does not slow the",
    "spare nothing": "save nothing",
    "stand on my": "are on My",
    "stands elsewhere": "has moved; is elsewhere",
    "stays at home": "is left out",
    "stays none": "is returned unchanged",
    "stores untold": "Storage missing",
    "told apart": "distinguished; separated",
    "what asks for": "reason; what needs",
    "what holds": "result; what passed",
    "what host caches leave": "Load left by host caches",
    "what is no": "what is not a",
    "what is none": "other text; anything else",
    "what is sent": "the request; the data",
    "what stands in the column": "The design in the column",
    "whatever the array can do": "whatever the array's supply",
    "whatever the case": "in upper or lower case",
    "where no figure can stand": "Shown in place of a figure",
    "wherever it stands": "in any place",
    "who was asked": "the process that was asked",
    "whoever": "name the subject: the user, the caller, a command",
    "would spare": "save",
    "young enough": "recent enough",
}
SELF = "tests/project/test_retired_phrases.py"
WRITTEN = [file for file in FILES if file.path != SELF and not file.path.startswith("templates/")]  # those are built
HISTORY = re.compile(r"^## 0\.2\.", re.MULTILINE)  # what CHANGELOG says of versions before 0.3.0 stays as it was
_GAP = r"(?:[\s\"'#]|\bf(?=[\"']))+"
_BLANKS = str.maketrans("\"'#", "   ")
_WANTED = re.compile(
    r"\b(?:"
    + "|".join(_GAP.join(map(re.escape, phrase.split())) for phrase in sorted(RETIRED, key=len, reverse=True))
    + r")\b",
    re.IGNORECASE,
)


def _text(file: File) -> str:
    if file.path != "CHANGELOG.md":
        return file.text
    history = HISTORY.search(file.text)
    return file.text[: history.start()] if history else file.text


def retired(text: str, where: str) -> Iterator[str]:
    """Yield the retired phrases of a text with file and line, and what to write instead."""
    flat = " ".join(text.lower().replace('f"', '"').translate(_BLANKS).split())
    if not any(phrase in flat for phrase in RETIRED):
        return
    for match in _WANTED.finditer(text):
        phrase = " ".join(re.sub(_GAP, " ", match[0]).lower().split())
        line = text.count("\n", 0, match.start()) + 1
        yield f"{where}:{line}: {match[0]!r} is retired. Write: {RETIRED[phrase]}."


def shown(book: Workbook) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of every cell, prompt and message of a workbook."""
    for ws in book.worksheets:
        for row in ws.iter_rows():
            yield from ((f"{ws.title}!{cell.coordinate}", cell.value) for cell in row if isinstance(cell.value, str))
        for rule in ws.data_validations.dataValidation:
            for text in (rule.promptTitle, rule.prompt, rule.errorTitle, rule.error):
                if text:
                    yield f"{ws.title}!{rule.sqref}", text


@pytest.mark.slow  # reads the whole project
def test_no_file_has_a_retired_phrase() -> None:
    assert [found for file in WRITTEN for found in retired(_text(file), file.path)] == []


@pytest.mark.slow  # builds the workbook
def test_no_text_of_the_workbook_has_a_retired_phrase() -> None:
    assert [found for place, text in shown(built().workbook) for found in retired(text, place)] == []


def test_a_phrase_is_found_across_lines_parts_and_case() -> None:
    planted = 'x = (\n    "An error that cannot be sized: What asks "\n    f"for them"\n)\n# Whoever\n'
    assert list(retired(planted, "a.py")) == [
        "a.py:2: 'What asks \"\\n    f\"for' is retired. Write: reason; what needs.",
        "a.py:5: 'Whoever' is retired. Write: name the subject: the user, the caller, a command.",
    ]


def test_every_advice_is_free_of_retired_phrases() -> None:
    assert [found for advice in RETIRED.values() for found in retired(advice, "RETIRED")] == []
