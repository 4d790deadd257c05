"""A virtual screen, and a hand on it: Xvfb's picture as an array, a picture found in it, a click there."""

from __future__ import annotations

import io
import os
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from tests.support.needed import program

SEARCHES = 5
SIZE = (1400, 900)
_XWD_HEADER = struct.Struct(">25I")  # XWDFile.h: sizes and masks, then the window's name and the colour map
Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Screen:
    """A display, the folder of its frame buffer, the program that moves its mouse."""

    display: str
    folder: Path
    hand: str

    def picture(self) -> Pixels:
        """Return what is on the screen, rows x columns x red, green, blue."""
        data = (self.folder / "Xvfb_screen0").read_bytes()
        header = _XWD_HEADER.unpack_from(data)
        width, height, line, colours = header[4], header[5], header[12], header[19]
        start = header[0] + 12 * colours
        rows = np.frombuffer(data, np.uint8, line * height, start).reshape(height, line)
        return rows[:, : width * 4].reshape(height, width, 4)[:, :, 2::-1]  # stored as blue, green, red, unused

    def save(self, path: Path) -> None:
        """Write the picture as PNG."""
        Image.fromarray(np.ascontiguousarray(self.picture())).save(path)

    def find(self, png: bytes, seconds: float = 40) -> tuple[int, int]:
        """Wait for a picture to be on the screen and return its middle, column and row."""
        with Image.open(io.BytesIO(png)) as image:
            wanted = np.asarray(image.convert("RGBA"))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            places = _places(self.picture(), wanted)
            if len(places):
                row, column = places[0]
                return int(column) + wanted.shape[1] // 2, int(row) + wanted.shape[0] // 2
            time.sleep(0.3)
        last = Path(tempfile.gettempdir()) / "vdi-sizing-screen.png"
        self.save(last)
        raise AssertionError(f"the picture was not on the screen within {seconds} s; what was there: {last}")

    def click(self, png: bytes) -> None:
        """Press the left button where a picture is."""
        self.click_at(*self.find(png))

    def click_at(self, column: int, row: int) -> None:
        """Press the left button at a place."""
        self._do("mousemove", str(column), str(row), "click", "1")

    def key(self, name: str, window: str) -> None:
        """Press a key, such as Return, in a window; without a window manager nobody else gives it the keyboard."""
        self._do("windowfocus", "--sync", window, "key", name)

    def type(self, text: str, window: str) -> None:
        """Type a text in a window."""
        self._do("windowfocus", "--sync", window, "type", "--delay", "15", text)

    def move_away(self) -> None:
        """Take the mouse off whatever it lights up."""
        self._do("mousemove", str(SIZE[0] // 2), str(SIZE[1] // 2))

    def windows(self, name: str) -> list[str]:
        """Return the visible windows whose title holds a name."""
        command = [self.hand, "search", "--onlyvisible", "--name", name]
        for _ in range(SEARCHES):
            search = subprocess.run(command, env=os.environ | {"DISPLAY": self.display}, capture_output=True, text=True)
            if not search.stderr:
                return search.stdout.split()
        raise AssertionError(search.stderr)  # a window that closes during a search ends it, but not each time

    def _do(self, *what: str) -> None:
        subprocess.run([self.hand, *what], env=os.environ | {"DISPLAY": self.display}, check=True)


def _places(seen: Pixels, wanted: Pixels) -> npt.NDArray[np.intp]:
    """Return where a picture stands, row and column of its corner; what it leaves transparent may be anything."""
    codes, colours = (_codes(pixels) for pixels in (seen, wanted))
    opaque = np.argwhere(wanted[:, :, 3] == 255)
    limit = np.array(codes.shape) - colours.shape
    places: npt.NDArray[np.intp] | None = None
    for row, column in sorted(opaque.tolist(), key=lambda at: int((colours == colours[tuple(at)]).sum())):
        if places is None:  # the rarest colour first
            places = np.argwhere(codes[row : row + limit[0], column : column + limit[1]] == colours[row, column])
        else:
            places = places[codes[places[:, 0] + row, places[:, 1] + column] == colours[row, column]]
    assert places is not None, "a picture without an opaque pixel"
    return places


def _codes(pixels: Pixels) -> npt.NDArray[np.integer]:
    """Return one number a pixel."""
    parts = pixels.astype(np.uint32)
    return parts[:, :, 0] << 16 | parts[:, :, 1] << 8 | parts[:, :, 2]


@contextmanager
def screen(folder: Path, size: tuple[int, int] = SIZE) -> Iterator[Screen]:
    """Yield a screen of its own; skips the test without Xvfb and xdotool, and fails it on CI."""
    server, hand = program("Xvfb", "Xvfb"), program("xdotool", "xdotool")
    options = ["-displayfd", "1", "-screen", "0", f"{size[0]}x{size[1]}x24", "-fbdir", str(folder), "-nolisten", "tcp"]
    options.append("-noreset")  # or it starts anew when its last client leaves, as the office's splash screen does
    process = subprocess.Popen([server, *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        yield Screen(f":{process.stdout.readline().strip()}", folder, hand)
    finally:
        process.terminate()
        process.wait()
        if process.stdout:
            process.stdout.close()
