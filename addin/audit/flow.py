"""Where formulas may look: R20."""

from collections.abc import Iterator

from addin.audit.book import HEADED, Book, Cell, Sheet
from addin.audit.formula import Ref, is_link, names, refs

Found = Iterator[tuple[str, str]]
Node = tuple[str, int, int]


def precedents_come_first(book: Book) -> Found:
    """Formulas look at earlier tabs or higher rows (tables: earlier columns); no circle, no link to a link."""
    late: list[tuple[Sheet, Cell, Sheet, Ref]] = []
    for sheet in book.declared:
        for cell in sheet.formulas:
            for ref in dict.fromkeys(precedents(book, cell)):
                home = sheet if ref.sheet is None else book.named(ref.sheet)
                if home is None or home.tab is None:
                    if not (ref.sheet or "").startswith("["):  # another file is R18's
                        yield sheet.place(cell.a1), _nowhere(ref)
                elif cell.row > HEADED and not _earlier(sheet, cell, home, ref):
                    late.append((sheet, cell, home, ref))
            if cell.row > HEADED and is_link(cell.formula or ""):
                yield from _link(book, sheet, cell)
    graph = _Graph(book)
    for sheet, cell, home, ref in late:
        path = graph.circle(sheet, cell, home, ref)
        if path:
            yield (
                sheet.place(cell.a1),
                f"depends on itself: {' -> '.join(path)}; expected no circle. Break it at one of these cells.",
            )
        else:
            first = "an earlier column, or a higher row of its own column" if sheet.kind == "table" else "a higher row"
            yield (
                sheet.place(cell.a1),
                f"looks at {home.place(ref.a1)}, which comes later; expected {first} or an earlier tab. Move "
                f"the line up, or this one down.",
            )


def precedents(book: Book, cell: Cell) -> Iterator[Ref]:
    """Yield every range a formula reads, names resolved."""
    yield from refs(cell.formula or "")
    for name in names(cell.formula or ""):
        target = book.target(name)
        if target:
            yield target


def _nowhere(ref: Ref) -> str:
    return (
        f"looks at {ref.sheet}!{ref.a1}, a sheet that is not part of the model; expected one of its tabs. "
        "Enter the reference again."
    )


def _earlier(sheet: Sheet, cell: Cell, home: Sheet, ref: Ref) -> bool:
    if home is not sheet:
        return home.order < sheet.order
    if sheet.kind == "table":
        column = ref.last_column == cell.column and ref.last_row < cell.row
        return ref.last_column < cell.column or column
    return ref.last_row < cell.row


def _link(book: Book, sheet: Sheet, cell: Cell) -> Found:
    (ref,) = refs(cell.formula or "")
    target = book.at(sheet, ref)
    if target is not None and target.formula is not None and is_link(target.formula):
        yield (
            sheet.place(cell.a1),
            f"links to {ref.sheet or sheet.name}!{ref.a1}, which is itself the link {target.formula}; expected "
            f"the cell that calculates. "
            f"Write {target.formula} here.",
        )


class _Graph:
    """The formula cells and what they read, looked up only from cells that break the order."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.home = {sheet.name: sheet for sheet in book.sheets.values()}

    def reads(self, node: Node) -> Iterator[Node]:
        """Yield the formula cells a formula cell reads."""
        sheet = self.home[node[0]]
        for ref in precedents(self.book, sheet.cells[node[1:]]):
            home = sheet if ref.sheet is None else self.book.named(ref.sheet)
            if home:
                yield from self.inside(home, ref)

    def inside(self, home: Sheet, ref: Ref) -> Iterator[Node]:
        """Yield the formula cells of a range."""
        if (ref.last_row - ref.first_row + 1) * (ref.last_column - ref.first_column + 1) <= len(home.formulas):
            columns = range(ref.first_column, ref.last_column + 1)
            keys = ((row, column) for row in range(ref.first_row, ref.last_row + 1) for column in columns)
        else:
            keys = (
                (c.row, c.column)
                for c in home.formulas
                if ref.first_row <= c.row <= ref.last_row and ref.first_column <= c.column <= ref.last_column
            )
        for key in keys:
            found = home.cells.get(key)
            if found is not None and found.formula is not None:
                yield (home.name, *key)

    def circle(self, sheet: Sheet, cell: Cell, home: Sheet, ref: Ref) -> list[str]:
        """Return the way from a cell through one of its references back to itself, empty when there is none."""
        start: Node = (sheet.name, cell.row, cell.column)
        before: dict[Node, Node] = {}
        waiting = list(self.inside(home, ref))
        before.update(dict.fromkeys(waiting, start))
        while waiting:
            node = waiting.pop()
            if node == start:
                return self._path(before, start)
            for following in self.reads(node):
                if following not in before:
                    before[following] = node
                    waiting.append(following)
        return []

    def _path(self, before: dict[Node, Node], start: Node) -> list[str]:
        nodes = [start]
        while (node := before[nodes[-1]]) != start:
            nodes.append(node)
        nodes.append(start)
        return [self.home[n[0]].place(self.home[n[0]].cells[n[1:]].a1) for n in reversed(nodes)]
