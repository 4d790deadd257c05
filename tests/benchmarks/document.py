"""What docs/speed.md is made of: tables, and the machine they were measured on."""

from __future__ import annotations

import importlib
import os
import platform
import sys
import textwrap
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

import pytest


def paragraph(text: str) -> str:
    """Return a text in lines of the document."""
    return textwrap.fill(" ".join(text.split()), 120, break_long_words=False, break_on_hyphens=False)


def markdown(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table, the first column to the left."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([f"| {' | '.join(headings)} |", f"|---|{'---:|' * (len(headings) - 1)}", *lines])


def machine() -> str:
    """Return processor, cores, how busy they are, and versions."""
    path, name, cores = Path("/proc/cpuinfo"), platform.processor() or platform.machine(), 0
    if path.exists():
        lines = [line.partition(":") for line in path.read_text(encoding="utf-8").splitlines()]
        facts = {key.strip(): value.strip() for key, _, value in lines}
        cores = sum(key.strip() == "processor" for key, _, _ in lines)
        name = f"{facts['model name']}, family {facts['cpu family']} model {facts['model']}"
    packages = ", ".join(f"{package} {version(package)}" for package in ("numpy", "llvmlite"))
    load = f", load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    python = f"Python {platform.python_version()}"
    return f"{name}, {cores or '?'} cores{load}, {platform.system()}, {python}, {packages}"


def measured(name: str) -> str:
    """Return what a benchmark prints into the document; why there is nothing, where a program is missing.

    It stands here because a process of its own cannot import it from a module that is run.
    """
    print(f"{name} ...", file=sys.stderr, flush=True)
    module = importlib.import_module(f"tests.benchmarks.{name}")
    try:
        return module.section() if hasattr(module, "section") else markdown(module.HEADINGS, module.rows())
    except pytest.skip.Exception as missing:
        return f"Not measured: {missing.msg}."
