"""The workbook as the sources make it, assembled once for all tests of a run; a test that changes it has its own."""

import pickle
from dataclasses import replace
from functools import cache
from pathlib import Path

from openpyxl import Workbook

import build
from model.provenance import provenance
from model.reading.read import read
from model.workbook import Built, assemble


@cache
def built() -> Built:
    """Return the workbook, without stored results."""
    return assemble(read(), provenance())


@cache
def _pickled() -> bytes:
    return pickle.dumps(built().workbook)


def fresh() -> Workbook:
    """Return the workbook to change, or to save, as that changes it too; ten times as fast as assembling it."""
    workbook: Workbook = pickle.loads(_pickled())
    return workbook


def write(folder: Path) -> Path:
    """Write the workbook with its results, as a build does; return its path."""
    return build.write(replace(built(), workbook=fresh()), build.computed(built()), folder)
