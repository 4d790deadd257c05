"""The root of the errors that a user can correct, below every floor of the add-in: errors.py draws what grows on it.

It stands alone because the kernel, the lowest floor, raises such errors too and may import nothing from above.
"""

MOST = 1200  # characters of a message
LONGEST = 300  # characters of what somebody else's error says


def one_line(error: BaseException) -> str:
    """Return what an error says as one line that is not too long, its kind where it says nothing."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def squashed(text: str) -> str:
    """Return a message as one line, with what makes it longer than anybody reads left out."""
    line = " ".join(text.split())
    return line if len(line) <= MOST else f"{line[: MOST // 2]} ... {line[-MOST // 2 :]}"


class ReportedError(Exception):
    """Anything that a user can correct. Its text is the whole report: where, what was found, what to do next."""
