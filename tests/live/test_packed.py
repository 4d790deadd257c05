"""What is packed into the page is unpacked to the same text, whatever was packed; what is damaged is refused."""

from __future__ import annotations

import json
import random
import re
import zlib

import pytest

from addin.kernel.script import runtime
from addin.live.packed import digits, packed, unpacked
from addin.live.parts import SCRIPTS, TRIALS, asset
from tests.live.test_entries import ASSETS
from tests.support.javascript import node

INFLATE = (ASSETS / "inflate.js").read_text(encoding="utf-8")
ANY = random.Random(1)
TEXTS = {
    "nothing": "",
    "one letter": "a",
    "letters of two and three bytes": "\u00e4\u2192\u201c" * 500,
    "a long repetition": "x" * 70_000,
    "a distance near the farthest": (far := "".join(ANY.choices("0123456789", k=32_000))) + far,
    "no repetition": "".join(chr(ANY.randrange(32, 0x2000)) for _ in range(20_000)),
    "a script": INFLATE * 3,
}


def test_every_kind_of_block_is_unpacked() -> None:
    """Stored, with the fixed code, and with codes of its own (RFC 1951, section 3.2.3)."""
    given = []
    for text in TEXTS.values():
        for level, strategy in ((0, zlib.Z_DEFAULT_STRATEGY), (9, zlib.Z_FIXED), (9, zlib.Z_DEFAULT_STRATEGY)):
            made = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
            given.append((digits(made.compress(text.encode()) + made.flush()), text))
        given.append((packed(text), text))
        assert unpacked(packed(text)) == text
    found = node(f"{INFLATE}\nprocess.stdout.write(JSON.stringify({json.dumps(given)}.map(([p]) => inflated(p))));")
    assert [name for name, (_, text) in enumerate(given) if found[name] != text] == []


@pytest.mark.parametrize("cut", [3, 100])
def test_cut_data_is_no_text(cut: int) -> None:
    whole = packed(TEXTS["a script"])
    asked = (
        f"(() => {{ try {{ return inflated({json.dumps(whole[: 5 * cut])}); }} catch (fault) {{ return null; }} }})()"
    )
    assert node(f"{INFLATE}\nprocess.stdout.write(JSON.stringify({asked}));") is None


def test_no_text_of_a_script_goes_on_in_the_next_line() -> None:
    """A page has its scripts without indents (addin/live/assembly.py): in such a text they would be missing."""
    apart = re.compile(r'/\[[^\]]*\]/|= "[^"]*"')  # signs that a script looks for or lists
    lines = [line for name in (*SCRIPTS, TRIALS) for line in asset(f"{name}.js").splitlines()]
    assert [line for line in (*lines, *runtime().splitlines()) if apart.sub("", line).count("`") % 2] == []
