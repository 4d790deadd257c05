"""The live page: a workbook's own formulas in one HTML file that recalculates offline, on a phone or a locked-down PC.

front           blocks of the front sheets, found by their headings
number_formats  how cells show numbers
contents        what the page shows, and the program behind it (addin/kernel/script)
assembly        one file under a policy that lets nothing be loaded: no request leaves it
assets/         the page, its style and its script
"""

from addin.live.assembly import assembled
from addin.live.contents import contents
from addin.prices import without_prices
from addin.workbook.book import SizingBook


def page(book: SizingBook, *, prices: bool) -> bytes:
    """Return the page of a workbook as it stands, UTF-8; the same workbook gives the same bytes.

    Without `prices` no price, discount, budget, rate, tariff or quote of the workbook is in the bytes. Raises BookError
    where a heading that the page is read by is missing, and KernelError naming a cell that has no JavaScript form.
    """
    return assembled(contents(book if prices else without_prices(book).book, prices_shown=prices))
