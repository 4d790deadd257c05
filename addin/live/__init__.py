"""The live page: a workbook's own formulas in one HTML file that recalculates offline, on a phone or a locked-down PC.

front           blocks of the front sheets, found by their headings
number_formats  how cells show numbers
contents        what the page shows, and the program behind it (addin/kernel/script)
assembly        one file under a policy that lets nothing be loaded: no request leaves it
assets/         the page, its style and its script
"""

from addin.live.assembly import assembled
from addin.live.contents import contents
from addin.prices import is_money, without_prices
from addin.workbook.book import SizingBook


def page(
    book: SizingBook, *, prices: bool, original: SizingBook | None = None, priceless: SizingBook | None = None
) -> bytes:
    """Return the page of a workbook as it stands, UTF-8; the same workbook gives the same bytes.

    `original` is the workbook before inputs were changed for the page: the page names its digests and saves those
    changes too. `priceless` is the workbook without prices, if the caller has made it already.

    Without `prices` no price, discount, budget, rate, tariff or quote of the workbook is in the bytes. Raises BookError
    where a heading that the page is read by is missing, and KernelError naming a cell that has no JavaScript form.
    """
    before = original or book
    given = {
        item.key
        for item in book.entries.values()
        if book.cells.values.get(item.address) != before.cells.values.get(item.address)
        and (prices or not is_money(item.key))
    }
    leaving = priceless or (book if prices else without_prices(book).book)
    return assembled(contents(leaving, before.cells, given, prices_shown=prices))
