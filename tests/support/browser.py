"""A headless Chromium for tests of pages, driven over its DevTools pipe: no port, no driver, no package.

with Browser() as browser:
    page = browser.open(path.as_uri(), width=400)
    page.evaluate("document.title")

`page.console` holds what the page said (errors and broken policies too), `page.requests` every address it asked for.
Source of the protocol: "Chrome DevTools Protocol", by the names of its methods; a zero byte ends each message, JSON.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.support import needed

PATIENCE = 60.0  # seconds for one answer; a page of half a megabyte needs about one
KEYS = {
    "Tab": (9, ""), "Enter": (13, "\r"), "Escape": (27, ""), " ": (32, " "), "Backspace": (8, ""), "Delete": (46, ""),
    "ArrowDown": (40, ""), "ArrowUp": (38, ""), "ArrowLeft": (37, ""), "ArrowRight": (39, ""),
    "Home": (36, ""), "End": (35, ""),
}  # fmt: skip
SHIFT, CONTROL = 8, 2


class Browser:
    """The browser. A test that opens it is skipped where there is none; on CI it fails."""

    def __init__(self) -> None:
        program = needed.program("chromium", "Chromium")
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        options = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--mute-audio",
            "--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--hide-scrollbars",
            "--force-color-profile=srgb", f"--user-data-dir={self._folder.name}",
        ]  # fmt: skip
        # Chromium reads commands from descriptor 3 and answers on 4; a shell moves ours there.
        shell = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}'
        self._process = subprocess.Popen(
            ["/bin/bash", "-c", shell, program, *options, "--remote-debugging-pipe", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=(to_browser, from_browser),
        )  # fmt: skip
        os.close(to_browser)
        os.close(from_browser)
        self._number, self._rest = 0, b""
        self._pages: dict[str, Page] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the browser."""
        with contextlib.suppress(OSError, AssertionError):
            self.send("Browser.close")
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._in)
        os.close(self._out)
        self._folder.cleanup()

    def open(
        self, address: str, *, width: int = 1280, height: int = 900, script: bool = True, private: bool = False
    ) -> Page:
        """Return a page that has loaded an address; `script` False is a reader whose mail removes scripts.

        A `private` page is in a private window of its own, which shares nothing with others.
        """
        apart = self.send("Target.createBrowserContext", disposeOnDetach=True) if private else {}
        target = self.send("Target.createTarget", url="about:blank", **apart)["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self._pages[session] = Page(self, session, target)
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.send(f"{domain}.enable")
        page.send("Page.setLifecycleEventsEnabled", enabled=True)
        page.resize(width, height)
        if not script:
            page.send("Emulation.setScriptExecutionDisabled", value=True)
        loader = page.send("Page.navigate", url=address)["loaderId"]
        while loader not in page.loaded:  # not the empty page of before, whose event may come late
            self.receive()
        return page

    def send(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Return the answer to a command. Raises AssertionError with the browser's complaint."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer.get("result", {})

    def receive(self) -> dict[str, Any]:
        """Return the next message, told to the page that it is about. Raises AssertionError where none comes."""
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"Chromium said nothing for {PATIENCE:.0f} s"
            read = os.read(self._in, 1 << 20)
            assert read, "Chromium has ended"
            self._rest += read
        text, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        page = self._pages.get(message.get("sessionId", ""))
        if page is not None and "method" in message:
            page.note(message["method"], message["params"])
        return message


class Page:
    """A page of the browser."""

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self._browser, self._session, self._target = browser, session, target
        self.console: list[str] = []
        self.requests: list[str] = []
        self.loaded: set[str] = set()  # documents, by the browser's own names

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Return the answer to a command of the protocol."""
        return self._browser.send(method, self._session, **parameters)

    def note(self, method: str, told: dict[str, Any]) -> None:
        """Keep what the browser tells of the page."""
        if method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif method == "Page.lifecycleEvent" and told["name"] == "load":
            self.loaded.add(told["loaderId"])
        elif method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(each.get("value", each.get("description", ""))) for each in told["args"]))
        elif method == "Runtime.exceptionThrown":
            details = told["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded":
            self.console.append(told["entry"]["text"])

    def reload(self) -> None:
        """Load the page again and wait until it has loaded."""
        before = set(self.loaded)
        self.send("Page.reload")
        while self.loaded == before:
            self._browser.receive()

    def leave_and_come_back(self) -> None:
        """Go to another page, and back as somebody does with the button of the browser."""
        self.send("Page.navigate", url="about:blank")
        self.wait_for("location.href === 'about:blank'")
        history = self.send("Page.getNavigationHistory")
        before = history["entries"][history["currentIndex"] - 1]
        self.send("Page.navigateToHistoryEntry", entryId=before["id"])
        self.wait_for(f"location.href === {json.dumps(before['url'])}")

    def zoom(self, share: float, width: int, height: int = 900) -> None:
        """Enlarge the page by a share in a window of a size, as the browser's own zoom does."""
        size = {"width": round(width / share), "height": round(height / share), "deviceScaleFactor": share}
        self.send("Emulation.setDeviceMetricsOverride", **size, mobile=False)

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression, a promise's when it has one. Raises AssertionError."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait_for(self, expression: str) -> None:
        """Wait until an expression is true. Raises AssertionError with it after a minute."""
        end = time.monotonic() + PATIENCE
        while not self.evaluate(f"Boolean({expression})"):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.02)

    def settle(self) -> None:
        """Wait until what was typed has been drawn."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def press(self, key: str, modifiers: int = 0) -> None:
        """Press a key: one of KEYS, or a letter."""
        code, text = KEYS.get(key) or (ord(key.upper()), key)
        common = {"key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        typed = {"text": text} if text and not modifiers & CONTROL else {}
        self.send("Input.dispatchKeyEvent", type="keyDown" if typed else "rawKeyDown", **common, **typed)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text: str) -> None:
        """Type a text where the cursor stands."""
        self.send("Input.insertText", text=text)

    def fill(self, selector: str, text: str) -> None:
        """Replace what stands in a field."""
        self.evaluate(
            f"(field => {{ field.focus(); field.select(); }})(document.querySelector({json.dumps(selector)}))"
        )
        if text:
            self.type(text)
        else:
            self.press("Delete")
        self.settle()

    def resize(self, width: int, height: int = 900) -> None:
        """Give the page another size."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def screenshot(self, path: Path, *, whole: bool = True) -> None:
        """Save a picture of the page, its whole length or what is in view."""
        answer = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole, **self._clip(whole))
        path.write_bytes(base64.b64decode(answer["data"]))

    def _clip(self, whole: bool) -> dict[str, Any]:
        if not whole:
            return {}
        size = self.send("Page.getLayoutMetrics")["cssContentSize"]
        return {"clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}}

    def pdf(self, path: Path) -> None:
        """Save the page as it prints on A4."""
        answer = self.send("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, printBackground=False)
        path.write_bytes(base64.b64decode(answer["data"]))

    def close(self) -> None:
        """Close the page."""
        self._browser.send("Target.closeTarget", targetId=self._target)
