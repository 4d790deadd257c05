"""The cells that formulas may read: R20."""

from collections.abc import Iterable, Iterator

from addin.audit.book import HEADED, INPUT_ROLES, Book, Cell, Faults, Sheet
from addin.audit.parsed import a1, in_other_file, positions
from addin.kernel.formula.nodes import Range
from model.layout.grid import LABEL

Node = tuple[str, int, int]


def precedents_come_first(book: Book) -> Faults:
    """Formulas look at earlier tabs or higher rows (tables: above, or left; cards: any); no circle, no link to a link.

    A line may also read its own label, which is typed: one formula for lines whose texts differ by their name.

    A card has its formulas beside its typed cells, so that its rows keep the order in which people fill them in. Front
    sheets may read any cell; no other sheet reads them, except the cells where people type.
    """
    late: list[tuple[Sheet, Cell, Sheet, Range]] = []
    for sheet in book.declared:
        for cell in sheet.formulas:
            for area in precedents(book, cell):
                home = book.home(sheet, area)
                if home is None or home.tab is None:
                    if not in_other_file(area):  # R18 reports those
                        place = f"looks at {area.first.sheet}!{a1(area)}, a sheet that is not part of the model"
                        yield sheet.address(cell.a1), f"{place}; expected one of its tabs. Enter the reference again."
                elif _is_front(home) and not _is_front(sheet) and cell.row > HEADED:
                    if not _typed(home, area):
                        remedy = "which only shows a result; expected the cell that calculates. Refer to that cell."
                        yield sheet.address(cell.a1), f"looks at {home.address(a1(area))}, {remedy}"
                elif sheet.kind == "input" and _ships_with(sheet, cell, home, area):
                    continue  # R02 checks the rest of a what-if
                elif cell.row > HEADED and not _is_front(sheet) and not _earlier(sheet, cell, home, area):
                    late.append((sheet, cell, home, area))
            if cell.row > HEADED and (link := cell.parsed.link):
                yield from _link(book, sheet, cell, link)
    graph = _Graph(book)
    circular = graph.circular((sheet.name, cell.row, cell.column) for sheet, cell, _, _ in late)
    for sheet, cell, home, area in late:
        path = graph.circle(sheet, cell, home, area) if circular else []
        if path:
            fault = f"depends on itself: {' -> '.join(path)}; expected no circle. Break it at one of these cells."
            yield sheet.address(cell.a1), fault
        elif not (sheet.kind in ("rows", "catalogue") and home is sheet):
            first = "an earlier column, or a higher row of its own column" if sheet.kind == "table" else "a higher row"
            remedy = f"expected {first} or an earlier tab. Move the line up, or this one down."
            yield sheet.address(cell.a1), f"looks at {home.address(a1(area))}, which comes later; {remedy}"


def precedents(book: Book, cell: Cell) -> tuple[Range, ...]:
    """Return every range that a formula reads, once, with names resolved."""
    read = cell.parsed
    if not read.names:
        return read.ranges
    return tuple(dict.fromkeys((*read.ranges, *filter(None, map(book.target, read.names)))))


def _is_front(sheet: Sheet) -> bool:
    """Return whether a sheet only shows results of others."""
    return sheet.tab is not None and sheet.tab.group == "front"


def _typed(home: Sheet, area: Range) -> bool:
    """Return whether people type in every cell of a range."""
    cells = [home.cells.get(position) for position in positions(area)]
    return all(cell is not None and cell.role in INPUT_ROLES for cell in cells)


def _ships_with(sheet: Sheet, cell: Cell, home: Sheet, area: Range) -> bool:
    """Return whether a what-if reads only typed cells of another sheet, such as names, or cells left of it."""
    if home is sheet:
        return area.first.row == area.last.row == cell.row and area.last.column < cell.column
    return all(found is None or found.formula is None for found in map(home.cells.get, positions(area)))


def _earlier(sheet: Sheet, cell: Cell, home: Sheet, area: Range) -> bool:
    if home is not sheet:
        typed = sheet.kind == "card" and home.kind in ("input", "risk", "catalogue")  # sheets without formulas
        return typed or home.order < sheet.order
    if sheet.kind == "card" and all(cell.formula is None for cell in map(sheet.cells.get, positions(area)) if cell):
        return True  # typed cells, in any row
    if sheet.kind == "table":
        above = area.last.row < sheet.table_of(cell.row).top
        column = area.last.column == cell.column and area.last.row < cell.row
        return above or area.last.column < cell.column or column
    return area.last.row < cell.row or _own_label(sheet, cell, area)


def _own_label(sheet: Sheet, cell: Cell, area: Range) -> bool:
    """Return whether a line reads its own label, which is typed and depends on nothing."""
    at = [(area.first.row, area.first.column), (area.last.row, area.last.column)]
    label = sheet.cells.get((cell.row, LABEL))
    return at == [(cell.row, LABEL)] * len(at) and label is not None and label.formula is None


def _link(book: Book, sheet: Sheet, cell: Cell, link: Range) -> Faults:
    target = book.at(sheet, link)
    if target is not None and target.parsed.link:
        fault = f"links to {link.first.sheet or sheet.name}!{a1(link)}, which is itself the link {target.formula}; "
        yield sheet.address(cell.a1), f"{fault}expected the cell that calculates. Write {target.formula} here."


class _Graph:
    """The formula cells and their precedents, looked up only from cells that break the order."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.home = {sheet.name: sheet for sheet in book.sheets.values()}

    def reads(self, node: Node) -> Iterator[Node]:
        """Yield the formula cells that a formula cell reads."""
        sheet = self.home[node[0]]
        for area in precedents(self.book, sheet.cells[node[1:]]):
            home = self.book.home(sheet, area)
            if home:
                yield from self.inside(home, area)

    def inside(self, home: Sheet, area: Range) -> Iterator[Node]:
        """Yield the formula cells of a range."""
        rows = range(area.first.row, area.last.row + 1)
        columns = range(area.first.column, area.last.column + 1)
        if len(rows) * len(columns) <= len(home.formulas):
            inside = (home.cells.get(position) for position in positions(area))
        else:
            inside = (cell for cell in home.formulas if cell.row in rows and cell.column in columns)
        for cell in inside:
            if cell is not None and cell.formula is not None:
                yield home.name, cell.row, cell.column

    def circular(self, starts: Iterable[Node]) -> bool:
        """Return whether any circle is behind these cells: then not all of them can be computed one after the other."""
        readers: dict[Node, list[Node]] = {}
        missing: dict[Node, int] = {}  # how many cells that a cell reads are not computed yet
        waiting = list(dict.fromkeys(starts))
        while waiting:
            node = waiting.pop()
            if node in missing:
                continue
            reads = set(self.reads(node))
            missing[node] = len(reads)
            for read in reads:
                readers.setdefault(read, []).append(node)
                waiting.append(read)
        ready = [node for node, count in missing.items() if not count]
        computed = 0
        while ready:
            computed += 1
            for reader in readers.get(ready.pop(), ()):
                missing[reader] -= 1
                if not missing[reader]:
                    ready.append(reader)
        return computed < len(missing)

    def circle(self, sheet: Sheet, cell: Cell, home: Sheet, area: Range) -> list[str]:
        """Return the path from a cell through one of its references back to itself, empty without one."""
        start: Node = (sheet.name, cell.row, cell.column)
        before: dict[Node, Node] = {}
        waiting = list(self.inside(home, area))
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
        return [self.home[n[0]].address(self.home[n[0]].cells[n[1:]].a1) for n in reversed(nodes)]
