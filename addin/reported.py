"""The root of the errors that a user can correct, below every floor of the add-in: errors.py draws what grows on it.

It stands alone because the kernel, the lowest floor, raises such errors too and may import nothing from above.
"""


class ReportedError(Exception):
    """Anything that a user can correct. Its text is the whole report: where, what was found, what to do next."""
