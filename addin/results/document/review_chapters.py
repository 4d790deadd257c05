"""The chapters for reviewers: inputs and sources, open questions, acceptance tests, checks and sign-off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from addin.leaving.money_cells import units
from addin.prices import is_money
from addin.results.document.array_card import figures
from addin.results.document.blocks import TO_FILL, Block, Chapter, Grid, Head, Points, Text
from addin.results.document.load_lines import FILE, JOBS, RAMP_S, VOLUME, Load, diskspd, fio
from addin.results.document.papers_chapter import POINTER, papers
from addin.results.document.reading import BLANK, NOT_ENTERED, Reading
from addin.results.document.sources import Origin, Origins, general_default
from addin.results.labels import About, Arrays, Capacity, Checks, Outcome
from addin.sizing.answers import headline
from addin.sizing.checks import ALERT, ERROR, raised
from addin.sizing.sentence import sentence
from addin.workbook import columns, outside, tables
from addin.workbook.book import SizingBook
from addin.workbook.digests import NOT_STATED, as_built, digest
from model.sheets.catalogue.general import WORDS

CHOICES = ("array", "profile", "provisioning", "cache_state")  # inputs that choose a row of a catalogue


def sources(reading: Reading, origins: Origins) -> Chapter:
    """Return every input with value, status and source, the typed cards, and how each headline is computed."""
    rows = [(each.label, each.value, each.status, each.source) for each in origins.inputs]
    blocks: list[Block] = [
        Text("Status: user = typed or chosen for this design; published = printed in a paper; derived = computed from "
             "published figures or from other inputs; assumed = not published, with the reason beside it; "
             "measured = your own measurement; blank = not entered, nothing depends on it."),
        Grid("Inputs of the base design", ("Input", "Value used", "Status", "Source"), rows, frozenset({1})),
    ]  # fmt: skip
    if origins.left_out:
        blocks.append(Text(f"{origins.left_out} inputs about money are left out of this document.", "note"))
    own = [
        (key, item.label, reading.figure(value, item.unit, item.key.rpartition(".")[2]))
        for key, item in reading.book.own.items()
        if (value := reading.book.cells.constant(item.address)) is not None and _in_use(reading, key)
        and (reading.prices or not is_money(key))
    ]  # fmt: skip
    if own:
        blocks += [
            Head("Typed on cards of your own"),
            Grid("Own cards", ("Key", "Field", "Value"), own, frozenset({2})),
        ]
    headlines = [
        (reading.label(key), reading.text(key), _how(reading, key))
        for key in headline(reading.book)
        if reading.prices or not _of_money(reading, key)
    ]
    heads = ("Result", "Value", "Because, and where it is computed")
    blocks += [Head("How each headline number is computed"), Grid("Headline numbers", heads, headlines, frozenset({1}))]
    return Chapter("sources", "Every input and where it comes from", blocks)


def _of_money(reading: Reading, key: str) -> bool:
    """Return whether a result is about money: by its key, or by its unit."""
    return is_money(key) or reading.book.results[key].unit.partition("/")[0] in units(reading.book)


def _in_use(reading: Reading, key: str) -> bool:
    """Return whether the design uses a row of the user's own."""
    chosen = [reading.used(reading.book.inputs[each]) for each in CHOICES if each in reading.book.inputs]
    return any(isinstance(name, str) and key.rpartition(".")[0].startswith(name) for name in chosen)


def _how(reading: Reading, key: str) -> str:
    item = reading.book.results[key]
    said = sentence(reading.book, item.address, ())
    basis = reading.at(columns.basis(reading.book.cells, item.address))
    repeats_label = said.startswith((item.label, reading.label(key)))
    return f"{basis if repeats_label and basis else said} ({item.address.a1})"


def assumptions(reading: Reading, origins: Origins) -> list[Origin]:
    """Return the assumed inputs that affect the design."""
    return [each for each in origins.inputs if each.status == "assumed" and _counts(reading, each.item.key)]


_ASSUMED = ("Assumption", "Value", "Why", "Owner", "Date")


def questions(reading: Reading, origins: Origins) -> Chapter:
    """Return the assumptions and the unknowns, with room for an owner and a date."""
    assumed = [(each.label, each.value, each.source, TO_FILL, TO_FILL) for each in assumptions(reading, origins)]
    blocks: list[Block] = [Grid("Assumptions to confirm", _ASSUMED, assumed, frozenset({1}), wide=True)]
    unknown = ("constraints_unchecked", "unchecked_matters", "unchecked_ratings_matter")
    unchecked = [part for part in reading.text(unknown[0]).split(", ") if part not in ("none", BLANK)]
    open_ = [f"Not checked, as no figure is known: {part}" for part in unchecked if not part.startswith("enter ")]
    open_ += [text for key in unknown[1:] if (text := reading.text(key)) not in ("none", BLANK)]
    blocks.append(Head("Open questions"))
    if open_:
        blocks.append(
            Grid("Open questions", ("Not known", "Owner", "Date"), [(text, TO_FILL, TO_FILL) for text in open_])
        )
    else:
        blocks.append(Text("All constraints of this design are checked."))
    asked = [(TO_FILL, TO_FILL, TO_FILL) for _ in range(3)]
    blocks.append(Grid("Further questions", ("Question", "Owner", "Date"), asked))
    if papers(reading, origins):
        blocks.append(Text(POINTER, "note"))
    return Chapter("questions", "Assumptions and open questions", blocks)


_ONLY_WITH = {  # inputs that begin so have an effect only with: a result that is not 0, or a choice other than none
    "container": "container_place",
    "card": "card_in_use",
    "write_weight": "card_open",
    "patch": "patching_minutes",
    "pue": "power_w",
}


def _counts(reading: Reading, key: str) -> bool:
    """Return whether an assumed input affects the design: that of containers only where there are any, and so on."""
    if general_default(reading, key):
        return WORDS.get(key, "") in reading.text("assumed_defaults")
    if key.startswith("pvd"):
        at = reading.line(Capacity.SHEET, Capacity.PVD)
        return at is None or reading.scalar(reading.book.results["logical_gib"].address._replace(row=at.row)) != 0
    condition = next((other for start, other in _ONLY_WITH.items() if key.startswith(start)), None)
    if condition is None:
        return True
    if condition in reading.book.inputs:
        return reading.book.cells.constant(reading.book.inputs[condition].address) not in (None, "none", 0.0)
    return reading.number(condition) > 0


def _at_most(figure: str) -> str:
    return f"at most {figure}" if figure[:1].isdigit() else figure


def tests(reading: Reading) -> Chapter:
    """Return acceptance tests with the design's own numbers, and the commands that generate the load."""
    limit, boot_limit = reading.input("latency_limit_ms"), reading.input("boot_latency_limit_ms")

    def held(limit: str, key: str) -> str:
        known = isinstance(reading.known(key), float)
        if limit == NOT_ENTERED:
            return f"no limit entered; {reading.text(key)}"
        return f"at most {limit}; {'expected ' if known else 'nothing to expect, '}{reading.text(key)}"

    boot = (f"Boot all {reading.text('virtual_machines')} machines at {reading.input('start_rate_per_min')}",
            f"at most {reading.text('boot_minutes')}")  # fmt: skip
    of_arrays = [
        (f"Latency while they boot, at {reading.text('boot_iops')}", held(boot_limit, "boot_latency_ms")),
        (f"All users log in within {reading.text('login_minutes')}{' while machines boot' * reading.logins_meet_boot}: "
         f"mean latency at {reading.met('login')[1]}", held(limit, "login_latency_ms")),
        (f"All users at work: mean latency at {reading.text('steady_iops')}", held(limit, "steady_latency_ms")),
        *([("The same login after one failure is brought about", held(limit, "failover_login_latency_ms"))]
          if reading.number("failover_login_latency_ms") else []),
        (f"Capacity used with all {reading.text('provisioned_desktops')} in place",
         _at_most(reading.text("capacity_required_gib"))),
        ("Data reduction over all components", f"at least {reading.text('overall_reduction_ratio')}"),
    ]  # fmt: skip
    wanted = [boot, *([] if reading.without_arrays else of_arrays)]
    rows = [(test, accepted, TO_FILL, TO_FILL) for test, accepted in wanted]
    blocks: list[Block] = [
        Grid("Acceptance tests", ("Test", "Accepted if", "Measured", "Passed, initials"), rows, wide=True),
        Text("Expected is the figure that the workbook computes for this design; at most is the requirement.", "note"),
    ]
    design, point = _asked_of_all(reading), None if reading.without_arrays else _point_of_one(reading)
    if design:
        blocks += [
            Head("The load of the design, with fio"),
            Text("Run it on volumes of the size and number of the design, from as many hosts as it takes; the totals "
                 f"over all hosts are held to {reading.text('ask_words')}."),
            Text(fio("design", design), "code"),
        ]  # fmt: skip
    if point:
        blocks += [
            Head(f"The point that one {reading.word} is known at, with fio"),
            Text(f"{point.words}: {point.iops:,.0f} IOPS at {100 * point.share:.0f} % read on one {reading.word}."),
            Text(fio("point", point), "code"),
        ]
    if design or point:
        said = (
            f"Replace the words in capitals. {VOLUME} is a device made for this test alone: ALL BUT THE FIRST LINE "
            "OVERWRITE IT. The first line only reads: see by it that the volume is the right one. The second fills it, "
            f"since an empty volume answers too fast. The last holds the rate of the load, in {JOBS} jobs on one host: "
            "divide it by the hosts, and raise DEPTH where it is not reached."
        )
        blocks += [Text(said, "note"), Text(_STATED, "note")]
    blocks += _share(reading)
    return Chapter("tests", "Acceptance tests", blocks)


_STATED = (
    "Nothing to deduplicate or to compress: the data are random, the worst case of an array that reduces. "
    f"Preconditioning: filled once, and the first {RAMP_S} s of the load do not count. The figure to compare is the "
    "mean completion latency."
)


def _share(reading: Reading) -> Iterator[Block]:
    """Yield the load of one cloud share for containers, with DiskSpd and with fio; nothing where none is sized."""
    iops, (share, block) = reading.number("share_each_iops"), map(reading.entered, _OF_CONTAINERS)
    if iops <= 0 or share is None or not block:
        return
    load = Load(iops, share, block)
    credits_ = reading.number("share_refill_min") > 0
    offered = reading.text("share_offered_iops")
    first = (
        f" USE UP THE CREDITS FIRST: run the third command until its IOPS fall to {offered}, then measure." * credits_
    )
    yield Head("The load of one cloud share, over SMB")
    yield Text(
        f"{reading.text('share_told')}. Run it from Windows clients, {iops:,.0f} IOPS on each share over all clients."
    )
    yield Text(diskspd(load, credits_), "code")
    yield Text("The same with fio:")
    yield Text(fio("share", load, FILE), "code")
    yield Text(
        f"{FILE} is the path of a file that does not exist yet. The first command only reads: where it finds a file, "
        f"the name is taken, so choose another one. ALL OTHERS OVERWRITE {FILE}.{first}", "note"
    )  # fmt: skip
    yield Text(_STATED, "note")


_OF_CONTAINERS = ("container_read_ratio", "container_block_kib")


def _asked_of_all(reading: Reading) -> Load | None:
    """Return the load to request from a vendor; None where its mix is not known."""
    iops = reading.number("ask_iops")
    sheet = reading.book.results["ask_iops"].address.sheet if "ask_iops" in reading.book.results else ""
    share, block = (_beside(reading, sheet, label) for label in (Outcome.ASKED_SHARE, Outcome.ASKED_BLOCK))
    return Load(iops, share, block) if iops > 0 and share is not None and block else None


def _point_of_one(reading: Reading) -> Load | None:
    """Return the point of an own array's data sheet, else the largest load that a test has demonstrated."""
    name, own = reading.used(reading.book.inputs["array"]), reading.book.own

    def typed(field: str) -> float | None:
        item = own.get(f"{name}.{field}")
        value = None if item is None else reading.book.cells.constant(item.address)
        return value if isinstance(value, float) and value >= 0 else None

    for iops, share, words in (
        ("iops", "read_ratio", "The data sheet"),
        ("demonstrated_iops", "demonstrated_read_ratio", "The largest load demonstrated"),
    ):
        known = typed(iops), typed(share)
        if known[0] and known[1] is not None:
            return Load(known[0], known[1], typed("block_kib") if iops == "iops" else None, words)
    rows = {label: value for label, _, value in figures(reading)}
    shown_iops, shown_share = rows.get(Arrays.LARGEST_IOPS), rows.get(Arrays.LARGEST_SHARE)
    if isinstance(shown_iops, float) and isinstance(shown_share, float) and shown_iops > 0:
        return Load(shown_iops, shown_share, None, "The largest load demonstrated")
    return None


def _beside(reading: Reading, sheet: str, label: str) -> float | None:
    at = reading.line(sheet, label) if sheet else None
    base = reading.book.results["ask_iops"].address.column
    value = reading.scalar(at._replace(column=base)) if at is not None else None
    return value if isinstance(value, float) and value >= 0 else None


def checks(reading: Reading, original: SizingBook, changed: str, left: Sequence[str] = ()) -> Chapter:
    """Return the state of the checks, the provenance of the document and its revisions."""
    checks = list(tables.rows(reading.book, reading.book.cells.names["Chk_Master"].rpartition("!")[0].strip("'")))
    found = failing(reading)
    counted = sum(reading.at(row[Checks.KIND]) in (ERROR, ALERT) for row in checks if Checks.KIND in row)
    blocks: list[Block] = [
        Text(f"{counted - len(found)} of {counted} checks of the workbook hold."),
        Points([*found, *outside.of(reading.book)] or ["None is raised."]),
        Head("Where this document comes from"),
        Grid("Where this document comes from", ("", ""), [
            ("Workbook file", original.path.name),
            ("Workbook version", reading.book.version),
            ("Model", _model(reading)),
            ("As built", as_built(original.cells) or NOT_STATED),
            ("Formulas", digest(original.cells)),
            *([("Changed for this document, not in the workbook", changed)] if changed else []),
        ]),
        *((Head("Left out of this document"), Points(list(left))) if left else ()),
        Head("Revision history"),
        Grid("Revision history", ("Revision", "Date", "Author", "What changed"), [
            tuple(reading.named(name) or TO_FILL for name in ("Doc_status", "Doc_date", "Doc_author", "")),
            (TO_FILL,) * 4, (TO_FILL,) * 4,
        ]),
    ]  # fmt: skip
    return Chapter("checks", "Checks and revisions", blocks)


def failing(reading: Reading) -> list[str]:
    """Return the failed checks (errors and alerts, no reminders of what-ifs), each with its remedy."""
    found = [each for each in raised(reading.book, reading.values) if each.kind in (ERROR, ALERT)]
    return [f"{each.id}, {each.kind}: {each.label}. {each.todo}." for each in found]


def _model(reading: Reading) -> str:
    at = reading.line(About.SHEET, About.VERSION)
    return reading.at(at._replace(column=2)) if at is not None else BLANK
