"""What native code is told: records of eight-byte fields that Python fills and native code reads by the same names."""

from __future__ import annotations

import numpy as np

from addin.simulation.native.writing import DOUBLE, INTEGER, POINTER, Function, Value

FORMS = ("given", "skipped", "table", "uniform", "triangular", "ranked", "listed")  # how an input gets its values
LIMBS = 71  # words of an exact sum


def _record(**fields: str) -> np.dtype[np.void]:
    kinds = {"number": "<f8", "integer": "<i8", "address": "<u8"}
    return np.dtype([(name, kinds[kind]) for kind, names in fields.items() for name in names.split()])


INPUT = _record(
    integer="form size whole",  # a position in FORMS; of what `table` holds; 1 where values are rounded
    address="points table edges",  # unscrambled Sobol words, and what the form reads
    number="first second third fourth fifth low high",  # parameters of the form; bounds
)
RESULT = _record(
    integer="whole length",  # 1 where fractions are counted; values of the list
    address="listed",
    number="pivot low inverse",  # what sums are taken from; lower end of the bins, 1 / their width
)
WORK = _record(
    # trials of each replicate, replicates, the first of them to do; number of the first trial, and its place in the
    # table of Sobol words; number of inputs, results, slots, gaps, outputs that may end in a code, and of those that
    # say whether the design holds; distances between rows; the processor's overflow flag
    integer="trials replicates first start point inputs results slots gaps coded holding x_row r_row c_row overflow",
    # matrices of inputs, results and codes; records; scrambling keys (inputs, replicates, 4) and offsets (inputs,) of
    # Sobol words; rows, and the most of each; a word; ends (results, 2) and number (results,) of what is and what is
    # not a number; the kind of each code; functions; what a Summary and a Part hold
    address=(
        "x r c input_records result_records keys offsets coded_rows holding_rows holding_most status ends strange "
        "kinds kernel forget overflowed counts words minimum maximum fractional lowest highest errors first_error cuts"
    ),
)


class Fields:
    """The fields of a record as values of a function, each loaded where it is asked for."""

    def __init__(self, function: Function, record: np.dtype[np.void], address: Value) -> None:
        self._function, self._names, self._address = function, record.names or (), address
        self._kinds = {name: record[name].str for name in self._names}

    def __getattr__(self, name: str) -> Value:
        kind = {"<f8": DOUBLE, "<i8": INTEGER, "<u8": POINTER}[self._kinds[name]]
        return self._function.load(kind, self._address, self._names.index(name))


def element(function: Function, records: Value, record: np.dtype[np.void], number: Value) -> Value:
    """Return the address of one of several records."""
    return function.place(records, number * (record.itemsize // 8), "i64")
