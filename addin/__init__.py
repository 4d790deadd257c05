"""What runs on top of a workbook: the kernel, the engines and the commands; `docs/architecture.md` draws the floors.

shell/       the commands from a shell
install/     the add-in put in place, and the doctor
hosts/       what a button starts: the ribbon of Excel, the toolbar and menu of Calc
running/     a command at work beside its application
buttons      the table of commands that ribbon, toolbar, menu and shell are made from
commands     what each command does, in any application
results/     result sheets, pictures, texts, the document of a hand-off
live/        the workbook as a page that recalculates offline
prices       a workbook without its prices
leaving/     what may leave a workbook without its prices
measured/    a customer's own estate, from the files that its tools wrote
simulation/  draws, trials, statistics, drivers
diff/        what differs between two copies, and why
sizing/      size, what-if, compare, seek, explain
workbook/    a sizing workbook as commands see it
engines/     xlwings engines: a file, LibreOffice Calc
computing/   what computes a workbook
audit/       the workbook rules
xlsx/        the parts of a saved workbook
kernel/      formulas to numbers, with Excel's semantics
numerals     numbers in texts for people
excel        a busy Excel asked again, and where its workbooks are saved
console      a process of its own for a command: signals, output
errors       what a user can correct, in one tree
reported     the root of that tree
"""

import os

os.environ["OPENPYXL_LXML"] = "False"  # before openpyxl is imported: with lxml installed it writes other bytes
