"""A page in a real browser: Chromium of the system, driven by Playwright. One browser for a test run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.needed import package, program


@contextmanager
def chromium() -> Iterator[Any]:
    """Start the browser, or skip the test where it or its driver is missing; on CI that is a failure."""
    command = program("chromium", "Chromium (chromium)")
    package("playwright", "test")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=command, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class Opened:
    """A page that was opened at a width, with what it asked for and what it said."""

    def __init__(self, browser: Any, path: Path, width: int) -> None:
        self.requests: list[str] = []
        self.messages: list[str] = []
        self.page = browser.new_page(viewport={"width": width, "height": 900})
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.goto(path.as_uri())

    def violations(self) -> list[str]:
        """Return what axe-core finds against accessibility, one line each."""
        package("axe_playwright_python", "test")
        from axe_playwright_python.sync_playwright import Axe

        found = Axe().run(self.page).response["violations"]
        return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]
