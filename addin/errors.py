"""What a user can get wrong at the shell or in a workbook; the text is the whole report, one line.

AddinError
├── BookError      the file is not a sizing workbook, or cannot be read
└── RequestError   an unknown input or result, a value outside its range
"""


class AddinError(Exception):
    """Anything reported to the user in one line: place, found, expected, next step."""


class BookError(AddinError):
    """A workbook that cannot be used."""


class RequestError(AddinError):
    """A request that does not fit the workbook."""
