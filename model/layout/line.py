"""A line item: one row of a grid sheet, declared with keys instead of addresses.

A formula names other cells in braces, always in the column it stands in unless the form says otherwise:

    {desktops}               the grid line `desktops`, same column
    {in:desktops}            the cell of the Inputs sheet, same column
    {base:desktops}          the base design's cell of the Inputs sheet (column D)
    {unit:gib_per_gb}        a labelled conversion factor of Lists
    {array:usable_gib}       one figure of the array chosen; 0 where it is blank, so the line says what 0 stands for
    {container_array:usable_gib}  the same of the array for profile containers
    {arrays:usable_gib}      one attribute of every array        {array_names}    their names
    {profile:iops:boot}      one figure of every profile's phase {profile_names}  their names
    {profile:local_profile}  whether it holds the users' profiles
    {method:swap}            one column of the method table      {method_names}   its names
    {cache:boot_read_offload}, {raid:penalty}, {hypervisor:swap} {cache_names}, {raid_names}, {hypervisor_names}
    {component:inline_likely:images}                             one figure of one row of such a table
    {range:first:last}       the block of lines from first to last, same column
    {labels:first:last}      the labels of that block (column A)
    {label:capacity_gib}     the label of one line; {fixed:capacity_gib} the line itself, in a formula that is the same
                             for several lines
    {unit_of:capacity_gib}   the unit of one line, for a text
    {until:first:last}       as range, from a fixed row down: the same formula for every line of a block
    {sliding:arrays:rating_boot_iops}  a catalogue range whose rows move with the line: lines in the order of the
                             catalogue's rows then share a formula
    {of_base:npv}            the grid line, in the base design's column
"""

from dataclasses import dataclass, field

from model.errors import Complaint


@dataclass(frozen=True)
class Headline:
    """How a result stands in the band above Inputs and Summary: its position there, its label and number format."""

    position: int
    label: str
    form: str = "General"


@dataclass(frozen=True)
class Line:
    """One row: a formula for every design, with its unit and the reason it may be believed.

    `output` gives the row the name `Out_<key>`. `basis` says which paper, rule or definition the formula follows.
    `text_lines` is the height that texts of its formulas need. Digits follow unit and key: `styles.line_format`.
    `where` is file and line of a row that a file declares: complaints name it.
    """

    key: str
    label: str
    unit: str
    formula: str
    basis: str
    output: bool = False
    text_lines: int = 2
    headline: Headline | None = None
    where: str = field(default="", compare=False)


@dataclass(frozen=True)
class Group:
    """A heading between lines; its cells beside the label are empty. With a key a block of lines may begin at it."""

    label: str
    key: str = ""


@dataclass(frozen=True)
class GridSheet:
    """A calculation tab: lines in order, top to bottom, for all designs, or without the published tests.

    `printed` is how many rows print, where the rest repeats what other sheets print. `faults` are what could not be
    read of the rows: they wait to be named with those of all sheets.
    """

    name: str
    title: str
    purpose: str
    rows: tuple[Line | Group, ...]
    published: bool = True
    printed: int | None = None
    faults: tuple[Complaint, ...] = ()

    @property
    def lines(self) -> tuple[Line, ...]:
        """Return the lines without the headings."""
        return tuple(row for row in self.rows if isinstance(row, Line))
