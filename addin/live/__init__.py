"""The live page: a workbook's own formulas in one HTML file that recalculates offline, on a phone or a locked PC.

front           blocks of the front sheets, found by their headings
bridged         the inputs behind the headline results, to split a change between two designs
sources         where a fixed figure comes from, printed figures in words
explained       what stands behind each number: the chains that the page opens
contents        the data of the page, and the program behind it (addin/kernel/script)
packed          data packed into the page
parts           the files of the page, scripts in their order
texts           the texts of the page in one table: a translation is a file
assembly        one file with a policy that blocks all requests
assets/         the page, its style and its script, a task a file: format and model first, start last
"""

from addin.live.assembly import assembled
from addin.live.contents import contents
from addin.live.texts import Texts
from addin.prices import is_money, without_prices
from addin.workbook.book import SizingBook


def page(
    book: SizingBook,
    *,
    prices: bool,
    original: SizingBook | None = None,
    priceless: SizingBook | None = None,
    texts: Texts | None = None,
    name: str = "",
) -> bytes:
    """Return the page of a workbook in its present state, UTF-8; equal workbooks give equal bytes.

    `original` is the workbook before inputs were changed for the page: the page names its digests and saves those
    changes too. `priceless` is the workbook without prices, if the caller has made it already. `texts` are those of a
    language other than English, `name` is the file's where its own may say a price.

    Without `prices` no price, discount, budget, rate, tariff or quote of the workbook is in the bytes. Raises BookError
    for a missing heading of a block, and KernelError naming a cell that cannot be translated to JavaScript.
    """
    before = original or book
    given = {
        item.key
        for item in book.entries.values()
        if book.cells.values.get(item.address) != before.cells.values.get(item.address)
        and (prices or not is_money(item.key))
    }
    leaving = priceless or (book if prices else without_prices(book).book)
    return assembled(
        contents(leaving, before.cells, given, name or leaving.path.name, prices_shown=prices), texts or Texts()
    )
