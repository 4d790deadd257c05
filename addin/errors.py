"""What a user can get wrong, in one tree; the text of an error is the whole report, one line.

ReportedError                 caught where a command ends: shell, buttons, build
├── AddinError                the workbook, the request, or what the add-in works with
│   ├── BookError             the file is not a sizing workbook, or cannot be read
│   │   ├── PackageError      no package at all, or a file that cannot be replaced
│   │   ├── ExcelBusy         Excel takes no request now: it can be repeated
│   │   └── ExcelClosed       Excel has ended, or the workbook in it was closed
│   ├── RequestError          an unknown input or result, a value outside its range
│   │   └── FileFault         a file of measurements that cannot be used
│   ├── Cancelled             the user asked to stop
│   ├── Taken                 another command is at work on the workbook
│   ├── OfficeError           LibreOffice is missing, or does not answer
│   │   └── Busy              a cell is being edited: the request can be repeated
│   ├── AuditError            a finished workbook that breaks the rules
│   ├── InstallError          what install, uninstall or doctor cannot do
│   └── RibbonError           the installed xlwings is not the one that the ribbon is made from
└── KernelError               a formula that the kernel does not compute
    ├── ParseError            its text does not follow the grammar
    ├── UnsupportedFunction   a function that is not in the kernel's list
    ├── UnknownName           a name or a sheet that the workbook does not have
    ├── CycleError            cells that depend on themselves
    ├── NotTranslated         a cell that has no JavaScript form
    └── Disagreement          compiled formulas that differ from the cells

ModelError                    what the build reports; a tree of its own
├── DataError                 files under model/data that cannot be used
└── BuildError                declared sheets that cannot be laid out

The model has a root of its own because it imports nothing of the add-in and the kernel imports nothing of the model, so
no module could hold a root for both; build.py, which runs both, catches the two.
"""

from addin.reported import ReportedError


class AddinError(ReportedError):
    """Anything reported to the user in one line: place, found, expected, next step."""


class BookError(AddinError):
    """A workbook that cannot be used."""


class RequestError(AddinError):
    """A request that does not fit the workbook."""
