"""What a person may write for a value, and which inputs an error names."""

import pytest

from addin.errors import RequestError
from addin.kernel import Address
from addin.workbook.book import shown
from addin.workbook.item import Item, echoed, nearest, one_of, value_for

PLACE = Address("Inputs", 8, 4)
SHARE = Item("concurrent_ratio", PLACE, "Working at the same time", "ratio", 0, 1)
PEAK = Item("burst_ratio", PLACE, "Peak over mean IOPS (blank = the profile's)", "ratio", 1, 1000)
FLAG = Item("hci_node", PLACE, "The unit is a node (HCI)", "flag", 0, 1)
COUNT = Item("desktops", PLACE, "Desktops to provision", "desktops", 1, 100_000)
PRICE = Item("array_price", PLACE, "Quote for one array", "USD", 1, 1e8)
YEARS = Item("years", PLACE, "Planning horizon", "years", 1, 7, integer=True)
CURRENCY = Item("currency", PLACE, "Currency of all amounts", "", text=True, longest=8)
DAY = Item("quote_date", PLACE, "Date of the quote", "date", 36526, 73050)
LIST = Item("array", PLACE, "Storage array", "text", choices=tuple(f"Array {n}" for n in range(9)))


@pytest.mark.parametrize(
    ("item", "typed", "value"),
    [
        (SHARE, "15%", 0.15),
        (SHARE, "15 %", 0.15),
        (SHARE, "0.15", 0.15),
        (SHARE, "0.29%", 0.0029),
        (SHARE, "", None),
        (PEAK, "80", 80),  # a ratio beyond 1 is taken as it is typed
        (PEAK, "150 %", 1.5),
        (LIST, "ARRAY  3", "Array 3"),
        (COUNT, "2200.5", 2200.5),  # half a desktop is what a share of them gives, and its cell takes it
        (COUNT, "1.2000", 1.2),
        (PEAK, "1.200", 1.2),  # no peak is a thousand times the mean
        (PRICE, "1234.500", 1234.5),
        (PRICE, 90.125, 90.125),  # a number of a program is none that a person may have meant otherwise
        (YEARS, "3", 3),
        (YEARS, "3.0", 3),
        (CURRENCY, "EUR", "EUR"),
    ],
)
def test_a_value_is_read_as_a_person_writes_it(item: Item, typed: str | float, value: object) -> None:
    assert value_for(item, typed) == value


@pytest.mark.parametrize(
    ("days", "text"), [(46348.0, "2026-11-22"), (1e10, "10,000,000,000"), (-1e9, "-1,000,000,000")]
)
def test_a_day_that_no_calendar_has_is_shown_as_the_number_it_is(days: float, text: str) -> None:
    assert shown(days, "date") == text


@pytest.mark.parametrize(
    ("item", "text", "message"),
    [
        (SHARE, "80", "outside 0 to 1 ratio, the range of Inputs!D8; did you mean 80 %[?]"),
        (SHARE, "1.5", "did you mean 1.5 %[?]"),
        (SHARE, "1.4", "the range of Inputs!D8. Correct it."),
        (SHARE, "120", "the range of Inputs!D8. Correct it."),
        (SHARE, "120%", "the range of Inputs!D8. Correct it."),
        (SHARE, "nan", "outside 0 to 1 ratio"),
        (FLAG, "yes", "expected a number in flag, 1 for yes or 0 for no. Type digits alone"),
        (SHARE, "half", "expected a number in ratio, such as 0.15 or 15%"),
        (COUNT, "15%", "expected a number in desktops"),
        (COUNT, "1,200", "in desktops. Type digits alone, such as 1200 or 0.5: no unit, no separator"),
        (COUNT, "1.2k", "no unit, no separator of thousands, a point for decimals.$"),
        (SHARE, "0,1", "such as 0.15 or 15%. Type digits alone"),
        (COUNT, "1.200", "^desktops=1.200: 1.2 or 1200[?] Type 1200, or 1.2000 for 1.2.$"),
        (PRICE, "90.000", "^array_price=90.000: 90 or 90000[?] Type 90000, or 90.0000 for 90.$"),
        (COUNT, "inf", "outside 1 to 100,000 desktops"),
        (LIST, "Array 7b", "did you mean 'Array 7', "),
        (YEARS, "2.5", "^years=2.5: outside the whole numbers 1 to 7 years, the range of Inputs!D8. Correct it.$"),
        (YEARS, "8", "outside the whole numbers 1 to 7 years"),
        (CURRENCY, "x" * 9, "has 9 characters; Inputs!D8 takes a text of at most 8. Shorten it.$"),
        (CURRENCY, "\N{GRINNING FACE}" * 5, "has 10 characters"),  # as Excel counts
        (DAY, "1999-12-31", "outside 2000-01-01 to 2099-12-31, the range of Inputs!D8. Correct it.$"),
    ],
)
def test_what_a_cell_does_not_accept_is_never_divided_or_guessed(item: Item, text: str, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        value_for(item, text)


def test_the_nearest_five_come_with_label_and_what_they_accept() -> None:
    items = [SHARE, PEAK, COUNT, LIST, *(Item(f"other_{n}", PLACE, f"Other {n}", "IOPS") for n in range(9))]
    near = nearest("desktop", items)
    assert (near[0], len(near)) == (COUNT, 5)
    assert one_of([COUNT, LIST]) == (
        "did you mean desktops (Desktops to provision: 1 to 100,000 desktops), "
        "array (Storage array: Array 0, Array 1, Array 2, Array 3, Array 4 ... (9))?"
    )
    assert nearest("share active", items)[0] is SHARE


def test_a_label_is_a_name_without_its_remark_too() -> None:
    assert PEAK.called("peak over  mean IOPS")
    assert PEAK.called("Peak over mean IOPS (blank = the profile's)")
    assert not PEAK.called("")


def test_a_driver_is_called_without_what_a_blank_stands_for() -> None:
    assert PEAK.short == "Peak over mean IOPS"
    assert Item("user_share", PLACE, "Users at work (share)", "ratio").short == "Users at work (share)"


def test_what_was_typed_is_repeated_on_one_line_and_cut() -> None:
    assert echoed("a\nb") == "a b"
    assert len(echoed("x" * 10_000)) < 100
