"""What axe-core finds against accessibility in a page that is open in the browser of tests."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

from tests.support.browser import Page
from tests.support.needed import package

PACKAGE = "axe_playwright_python"  # only for the script in it; the browser is driven without its driver


def violations(page: Page) -> list[str]:
    """Return one line for each rule that a page breaks, with the first element that does."""
    package(PACKAGE, "test")
    found = importlib.util.find_spec(PACKAGE)
    assert found is not None
    assert found.origin is not None
    page.evaluate(Path(found.origin).with_name("axe.min.js").read_text(encoding="utf-8") + ";0")
    broken = json.loads(page.evaluate("axe.run().then(found => JSON.stringify(found.violations))"))
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in broken]
