"""The root of the errors that a user can correct, below every floor of the add-in: errors.py draws what grows on it.

It stands alone because the kernel, the lowest floor, raises such errors too and may import nothing from above.
"""

import errno

MOST = 1200  # characters of a message
LONGEST = 300  # characters of what somebody else's error says
_TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"  # the direction of writing
_OBEYED = dict.fromkeys([*range(32), *range(127, 160), *map(ord, _TURNING)], "?")  # by a terminal
_OF_LINES = {at: mark for at, mark in _OBEYED.items() if chr(at) not in "\n\r\t"}


def plain(text: str) -> str:
    """Return a text on one line, without the characters that a terminal obeys or that turn the direction of writing."""
    return " ".join(text.split()).translate(_OBEYED)


def harmless(text: str) -> str:
    """Return a text with its line ends and tabs, without the other characters that `plain` replaces."""
    return text.translate(_OF_LINES)


def one_line(error: BaseException) -> str:
    """Return what an error says as one line that is not too long, its kind where it says nothing."""
    text = plain(str(error)) or type(error).__name__
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def squashed(text: str) -> str:
    """Return a message as one line, with what makes it longer than anybody reads left out."""
    line = plain(text)
    return line if len(line) <= MOST else f"{line[: MOST // 2]} ... {line[-MOST // 2 :]}"


def no_room(error: BaseException) -> tuple[str, str] | None:
    """Return what leaves no room for a file, and what to do about it; None for any other error."""
    number = error.errno if isinstance(error, OSError) else None
    if number in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        return "the disk is full", "make room"
    return ("no file may be as large here", "raise the limit (ulimit -f)") if number == errno.EFBIG else None


class ReportedError(Exception):
    """Anything that a user can correct. Its text is the whole report: where, what was found, what to do next."""
