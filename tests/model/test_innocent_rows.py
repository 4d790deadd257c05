"""A fault in a data file accuses its own row, or the heading, and no row that is right.

The expected complaints are worked by hand from the spoilt cell: its file, line and column, and nothing else.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from model.errors import DataError
from model.reading.columns import header
from model.reading.read import DATA, read
from model.reading.records import FILES

pytestmark = pytest.mark.slow
# the records whose rows, or whose figures, other files name
_FILES = (
    "units",
    "sources",
    "facts",
    "facts_elsewhere",
    "phases",
    "inputs",
    "arrays",
    "profile_fields",
    "share_services",
)
NAMED = [record for record, file in FILES.items() if file in _FILES]


@pytest.fixture
def spoil(tmp_path: Path) -> Callable[..., list[str]]:
    """Return a function that changes the first `old` of a file, or its bytes, and returns the complaints."""

    def spoilt(name: str, old: str, new: str | bytes, count: int = 1) -> list[str]:
        folder = Path(shutil.copytree(DATA, tmp_path / "data", dirs_exist_ok=True))
        path = folder / f"{name}.csv"
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{name}.csv no longer has {old!r}"
        before, after = text.split(old, 1)
        if isinstance(new, bytes):
            path.write_bytes(before.encode() + new + after.encode())
        else:
            path.write_text(text.replace(old, new, count), encoding="utf-8")
        try:
            read(folder)
        except DataError as error:
            return str(error).splitlines()
        return []

    return spoilt


def test_a_wrong_fact_accuses_no_price(spoil: Callable[..., list[str]]) -> None:
    """EQL-004 in row 5 of facts.csv prints 3; `3,0` in quotes is no number. No other row is at fault."""
    assert spoil("facts", "capacity,3,0.5,GB", 'capacity,"3,0",0.5,GB') == [
        "model/data/facts.csv:5 (EQL-004): value '3,0' is not a number; write digits with a decimal point."
    ]


@pytest.mark.parametrize("record", NAMED, ids=FILES.get)
def test_a_file_that_cannot_be_read_is_one_line(record: type, spoil: Callable[..., list[str]]) -> None:
    """Headings separated by semicolons: nothing of the file is known, so nothing is said of who names its rows."""
    name, heading = FILES[record], ",".join(header(record))
    assert spoil(name, heading, heading.replace(",", ";")) == [
        f"model/data/{name}.csv:1: the cells are separated by semicolons; separate them by commas: the columns are "
        f"{', '.join(header(record))}."
    ]


def test_two_rows_in_one_line_and_a_blank_line_are_named_as_such(spoil: Callable[..., list[str]]) -> None:
    """A last line without its end, then another file below: 25 cells are two rows of 13, one cell of both joined."""
    assert spoil("inputs", "\nconcurrent_ratio", "concurrent_ratio") == [
        "model/data/inputs.csv:3 (growth_ratio): 25 cells where 13 are expected: two rows in one line; begin the "
        "second on its own."
    ]
    assert spoil("inputs", "\nconcurrent_ratio", "\n\nconcurrent_ratio") == [
        "model/data/inputs.csv:4: the line is blank; delete it."
    ]


def test_an_open_quote_is_one_line(spoil: Callable[..., list[str]]) -> None:
    """The quote before `Users` in row 2 closes at the quote before the help of the same row: that row alone is lost.

    Which rows follow is not known, so no other file is accused of naming them.
    """
    (line,) = spoil("inputs", ",Users,desktops", ',"Users,desktops')
    assert line.startswith("model/data/inputs.csv:2 (desktops): ")


@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"),
    [
        (
            "inputs",
            "\ndesktops,",
            "\ndekstops,",
            "2 (dekstops): 'dekstops' is used by no row, and 14 rows name 'desktops'",
        ),
        ("phases", "\nlogin,", "\nlogn,", "3 (logn): 'logn' is used by no row, and 13 rows name 'login'"),
        ("profile_fields", "\nyear,", "\nyaer,", "2 (yaer): 'yaer' is used by no row, and 14 rows name 'year'"),
        ("units", "\nGiB,", "\nGib,", "9 (Gib): 'Gib' is used by no row, and 171 rows name 'GiB'"),
    ],
    ids=["input", "phase and the inputs made of it", "field and profiles without it", "unit in another case"],
)
def test_a_name_mistyped_where_it_is_defined_is_one_line(
    spoil: Callable[..., list[str]], name: str, old: str, new: str, complaint: str
) -> None:
    """The rows that name the right word are innocent: 14 rows of cases.csv name desktops, and so on for each file."""
    assert spoil(name, old, new) == [f"model/data/{name}.csv:{complaint}; correct one."]


def test_a_name_mistyped_where_it_is_used_is_named_there(spoil: Callable[..., list[str]]) -> None:
    """Other rows name desktops: the two rows that name dekstops are wrong, not the file that defines it."""
    lines = spoil("cases", ",desktops,", ",dekstops,", 2)
    assert [line.partition("); ")[0].partition("; ")[2] for line in lines] == ["did you mean 'desktops'?"] * 2


def test_a_decimal_comma_is_no_fact(spoil: Callable[..., list[str]]) -> None:
    """`0,95` in quotes is one cell; it names no fact 0."""
    assert spoil("risk", "triangular,0.8,0.95,1,", 'triangular,0.8,"0,95",1,') == [
        "model/data/risk.csv:4 (concurrent_ratio): mode '0,95' is not a number; write digits with a decimal point."
    ]


@pytest.mark.parametrize("key", ["spare share", "Spare-Ratio"])
def test_the_key_of_an_input_is_one_of_a_name(spoil: Callable[..., list[str]], key: str) -> None:
    """The workbook gets the name In_<key>: a space or a dash in it would be illegal."""
    row = f"{key},Inputs,Desktops,Spare,count,number,1,user,0,5,no,,Spare"
    assert spoil("inputs", "\ngrowth_ratio,", f"\n{row}\ngrowth_ratio,") == [
        f"model/data/inputs.csv:3 ({key}): key {key!r} is no key; write small letters, digits and _."
    ]


@pytest.mark.parametrize("character", ["\x1b", "\x00", "\u202e"], ids=["escape", "nul", "bidi"])
def test_a_character_that_nobody_sees_is_named(spoil: Callable[..., list[str]], character: str) -> None:
    """Row 3 of inputs.csv is the growth; the character in its label would end the build, or turn the text around."""
    assert spoil("inputs", "Growth to plan for", f"Growth{character} to plan for") == [
        f"model/data/inputs.csv:3: character U+{ord(character):04X} cannot be seen or stored; delete it."
    ]


@pytest.mark.parametrize(
    ("name", "old", "new", "complaint"),
    [
        (
            "share_prices",
            "Azure Files SSD v2,LRS,",
            "Azure Files HDD v2,none stated,",
            "redundancy 'none stated': Azure Files HDD v2 has no price for it; use LRS or ZRS.",
        ),
        (
            "share_prices",
            "Azure NetApp Files Standard,none stated,",
            "Azure NetApp Files Standard,ZRS,",
            "redundancy 'ZRS': Azure NetApp Files Standard has no price for it; use none stated.",
        ),
        (
            "share_prices",
            "Azure NetApp Files Standard,none stated,",
            "FSx for Windows 512 MB/s,ZRS,",
            "redundancy 'ZRS': FSx for Windows 512 MB/s has no price for it; use none stated.",
        ),
        (
            "share_services",
            ",share,LRS or ZRS,",
            ",shares,LRS or ZRS,",
            "provisioned_as 'shares' is unknown; did you mean 'share'?",
        ),
    ],
    ids=["another service", "zones that a service lacks", "words of another cloud", "unknown word"],
)
def test_words_of_cloud_shares_are_those_of_their_lists(
    spoil: Callable[..., list[str]], name: str, old: str, new: str, complaint: str
) -> None:
    """A price of a redundancy that the service does not offer would count in a cost."""
    assert [line.partition("): ")[2] for line in spoil(name, old, new)].count(complaint) == 1
