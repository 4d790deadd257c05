"""What tests do on a live page: type, reload, open links and files, look at what the browser keeps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.browser import Page

READY = "document.body && document.body.classList.contains('live')"
SECRET = "918273"  # a price that may not be found where prices are not kept


def ready(page: Page) -> Page:
    """Return a page when its script has run."""
    page.wait_for(READY)
    return page


def reload(page: Page) -> None:
    """Load the page again, as somebody does who closed it by mistake."""
    page.reload()
    ready(page)


def text(page: Page, name: str) -> str:
    """Return the text of an element."""
    found: str = page.evaluate(f"document.getElementById({json.dumps(name)}).textContent")
    return found


def told(page: Page) -> str:
    """Return what the page says about the last thing done."""
    return text(page, "note-text")


def field(page: Page, label: str) -> str:
    """Return the selector of the entry below a label."""
    labels = "[...document.querySelectorAll('label')]"
    found = page.evaluate(f"{labels}.find(each => each.textContent.startsWith({json.dumps(label)})).htmlFor")
    return f"#{found}"


def value(page: Page, label: str) -> str:
    """Return what stands in a field."""
    found: str = page.evaluate(f"document.querySelector('{field(page, label)}').value")
    return found


def click(page: Page, name: str) -> None:
    """Press a button by its id, and wait until the page has been drawn."""
    page.evaluate(f"document.getElementById({json.dumps(name)}).click()")
    page.settle()


def shown(page: Page, name: str) -> bool:
    """Say whether an element takes part in the page."""
    found: bool = page.evaluate(f"document.getElementById({json.dumps(name)}).checkVisibility()")
    return found


def changes(page: Page) -> dict[str, Any]:
    """Return the changed inputs as the page saves them."""
    found: dict[str, Any] = json.loads(page.evaluate("document.getElementById('as-json').value"))["inputs"]
    return found


def kept(page: Page) -> dict[str, str]:
    """Return what the browser keeps, by its keys."""
    found: dict[str, str] = page.evaluate("Object.fromEntries(Object.entries(localStorage))")
    return found


def link(page: Page) -> str:
    """Return the link that Copy link makes."""
    click(page, "copy-link")
    found: str = page.evaluate("document.getElementById('link').value")
    return found


def open_link(page: Page, pasted: str) -> None:
    """Paste a link under Open."""
    page.evaluate(f"document.getElementById('pasted').value = {json.dumps(pasted)}")
    click(page, "open-link")


def open_file(page: Page, path: Path) -> None:
    """Choose a file under Open, and wait until the page has said something about it."""
    page.evaluate("document.getElementById('note-close').click()")
    root = page.send("DOM.getDocument")["root"]["nodeId"]
    node = page.send("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
    page.send("DOM.setFileInputFiles", nodeId=node, files=[str(path)])
    page.wait_for("document.getElementById('note-text').textContent")
    page.settle()


def would_ask(page: Page) -> bool:
    """Say whether the page asks before it is left."""
    found: bool = page.evaluate("!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))")
    return found
