"""The buttons: the one table that the ribbon, the Calc extension and the shell are made from.

    key      the command: `python -m addin KEY`, a function in addin/commands.py, a picture in hosts/ribbon/icons.txt
    label    what the button says
    summary  what the command does, one line in the shell's help
    tip      what the ribbon says when the mouse rests on the button
    group    the part of the ribbon's tab
    sheet    the title of the result sheet that it puts into the workbook, empty for none
    asks     what the button asks for before it runs, each in a dialog of the application

Nothing is imported here but the standard library: the help of the shell and the building of the add-ins stay quick.
"""

from __future__ import annotations

from dataclasses import dataclass

WORKBOOK, FILES, LINE = "workbook", "files", "line"


@dataclass(frozen=True)
class Question:
    """What a button asks for: a workbook file, files of any kind, or a line of text.

    `parameter` is that of the function in addin/commands.py which takes the answer; `text` the title of the dialog for
    files, the words above a line; `suggested` what stands in the line.
    """

    parameter: str
    text: str
    kind: str = WORKBOOK
    suggested: str = ""


@dataclass(frozen=True)
class Button:
    """One button, in Excel's ribbon and in Calc's toolbar and menu."""

    key: str
    label: str
    group: str
    summary: str
    tip: str
    sheet: str = ""
    asks: tuple[Question, ...] = ()

    @property
    def id(self) -> str:
        """The name of the button in the ribbon, and of the Basic procedure behind it in Calc."""
        return f"vdiSizing{self.key.capitalize()}"


CANCEL, HANDOFF = "cancel", "handoff"
BUTTONS = (
    Button(
        "scenarios",
        "Run scenarios",
        "What if",
        "Size every design of the workbook, and a grid over one input.",
        "Size every design in the columns of the workbook, and a grid over the selected input (the desktops, if none "
        "is selected). The results go onto a new sheet; no input is changed.",
        sheet="Scenarios",
    ),
    Button(
        "seek",
        "Goal seek",
        "What if",
        "Find the largest value of an input that keeps a result within a target.",
        "Find how far the selected input (the desktops, if none is selected) can go with the arrays that the base "
        "design needs now, or within the target of the Run settings on Risk inputs.",
        sheet="Goal seek",
    ),
    Button(
        "compare",
        "Compare arrays",
        "What if",
        "Size every array for the same workload.",
        "Size every array for the workload of the base design: one table and one chart.",
        sheet="Array comparison",
    ),
    Button(
        "simulate",
        "Monte Carlo",
        "Risk",
        "Draw the uncertain inputs; show what may come out.",
        "Draw the inputs of the sheet Risk inputs, as often as its Run settings say, and show what may come out: "
        "percentiles, array counts, the probability that the design holds, the drivers, each with its error bar.",
        sheet="Risk",
    ),
    Button(
        "sensitivity",
        "Sensitivity",
        "Risk",
        "Show which uncertain inputs move the base design.",
        "Show which uncertain input moves the results most.",
        sheet="Sensitivity",
    ),
    Button(
        "decide",
        "Decide",
        "Risk",
        "Say what to buy to be 80 to 99 % sure, what each step of certainty costs, and what to find out first.",
        "Size every array for the same draws of Risk inputs: which design costs least of those that suffice with a "
        "chance of 80, 90, 95 and 99 %, and what is worth finding out before you buy, in money.",
        sheet="Decision",
    ),
    Button(
        "assumed",
        "Assumed figures",
        "Risk",
        "Try every assumed figure at both ends of its range; list what changes the number of arrays.",
        "Size the base design with each assumed figure at the low and at the high end of its range: what changes the "
        "number of arrays comes first, and is worth finding out first.",
        sheet="Assumed figures",
    ),
    Button(
        "measure",
        "Measure",
        "Demand",
        "Derive demand and groups from a customer's own measurements and inventories, with an error bar.",
        "Choose the files that the customer's own tools wrote: demand with an error bar, and user groups, go into a "
        "copy of this workbook; the findings go onto a new sheet. No input of this workbook is changed.",
        sheet="Measurement",
        asks=(
            Question("files", "Measure: choose the files of the customer's tools", FILES),
            Question(
                "options",
                "Hours and days of work, on the site's clock. What may follow: login 08:00-09:30, desktops VDI-*, "
                "types types.csv, method MCS, system W11, keep-first-days",
                LINE,
                "hours 08:00-18:00 days mon-fri",
            ),
        ),
    ),
    Button(
        "explain",
        "Explain this cell",
        "Review",
        "Show the cells, values and formulas behind a number.",
        "List the chain of cells, values and formulas behind the selected cell, or behind the result that the Run "
        "settings on Risk inputs name.",
        sheet="Explanation",
    ),
    Button(
        "audit",
        "Audit",
        "Review",
        "Check a workbook against the workbook rules.",
        "Check this workbook, edits included, against the workbook rules and list every finding with its cell.",
        sheet="Audit",
    ),
    Button(
        "diff",
        "Compare with a copy",
        "Review",
        "List the differences between two copies of a workbook, and what each changed input did to the results.",
        "Choose an older copy of this workbook: the differences go onto a new sheet, and how much of the "
        "change of a result each input caused. Neither workbook's inputs are changed.",
        sheet="Changes",
        asks=(Question("old", "Compare with: choose the older copy"),),
    ),
    Button(
        HANDOFF,
        "Hand-off",
        "Review",
        "Write the document that people sign, with values and formulas as files, for somebody without this program.",
        "Write the document that people sign (HTML and PDF), with values and formulas. No prices in any of them.",
    ),
    Button(
        CANCEL,
        "Cancel",
        "Run",
        "Stop what runs on the workbook.",
        "Stop what runs on this workbook. A simulation shows the trials that it has, marked as partial.",
    ),
)
COMMANDS = {button.key: button for button in BUTTONS if button.key != CANCEL}
