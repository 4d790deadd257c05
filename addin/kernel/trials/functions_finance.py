"""Annuities, cash flows and depreciation as operations. RATE, IRR, PPMT and MIRR search or branch: they are refused."""

from __future__ import annotations

from addin.kernel.excel.values import ExcelError, as_grid
from addin.kernel.trials.arguments import VectorFunction, constant_of
from addin.kernel.trials.forms import Forms, Item, Value
from addin.kernel.trials.functions_ranges import numbers
from addin.kernel.trials.operations import TRUE

BEYOND = 709.0  # e to this power is no float


class _Growth:
    """(1+r)^n, the annuity factor ((1+r)^n-1)/r, 1 + r x due; a rate of -100 % or less is left to the evaluator."""

    def __init__(self, forms: Forms, rate: int, periods: int, kind: int | None) -> None:
        tape = forms.tape
        zero, one = tape.const(0.0), tape.const(1.0)
        flat = tape.raw("eq", rate, zero)
        exponent = tape.apply("mul", periods, tape.apply("log1p", rate))
        self.forms = forms
        self.low = tape.raw("le", rate, tape.const(-1.0))
        self.beyond = tape.both(tape.no(flat), tape.raw("ge", exponent, tape.const(BEYOND)))
        grown = tape.apply("pow", tape.apply("add", one, rate), periods)
        self.grown = tape.select(flat, one, grown)
        self.factor = tape.select(flat, periods, tape.apply("div", tape.apply("expm1", exponent), rate))
        due = zero if kind is None else tape.number(tape.raw("ne", kind, zero))
        self.due = tape.apply("add", one, tape.apply("mul", rate, due))

    def finished(self, node: int, *errors: tuple[int, ExcelError]) -> Item:
        """Return the value with the errors of the rate."""
        result = self.forms.finished(node, [(self.beyond, ExcelError.NUM), *errors])
        return self.forms.unless(self.low, self.forms.rerun(), result)


def _minus(forms: Forms, node: int) -> int:
    return forms.tape.apply("neg", node)


def future_value(
    forms: Forms, rate: int, periods: int, payment: int, present: int | None = None, kind: int | None = None
) -> Item:
    """Return FV."""
    tape, growth = forms.tape, _Growth(forms, rate, periods, kind)
    grown = tape.apply("mul", tape.const(0.0) if present is None else present, growth.grown)
    paid = tape.apply("mul", tape.apply("mul", payment, growth.due), growth.factor)
    return growth.finished(_minus(forms, tape.apply("add", grown, paid)))


def present_value(
    forms: Forms, rate: int, periods: int, payment: int, future: int | None = None, kind: int | None = None
) -> Item:
    """Return PV."""
    tape, growth = forms.tape, _Growth(forms, rate, periods, kind)
    paid = tape.apply("mul", tape.apply("mul", payment, growth.due), growth.factor)
    total = tape.apply("add", tape.const(0.0) if future is None else future, paid)
    none = (tape.raw("eq", growth.grown, tape.const(0.0)), ExcelError.DIV0)
    return growth.finished(tape.apply("div", _minus(forms, total), growth.grown), none)


def payment_of(
    forms: Forms, rate: int, periods: int, present: int, future: int | None = None, kind: int | None = None
) -> Item:
    """Return PMT."""
    tape, growth = forms.tape, _Growth(forms, rate, periods, kind)
    total = tape.apply("add", tape.apply("mul", present, growth.grown), tape.const(0.0) if future is None else future)
    node = tape.apply("div", _minus(forms, total), tape.apply("mul", growth.due, growth.factor))
    none = tape.either(tape.raw("eq", periods, tape.const(0.0)), tape.raw("le", rate, tape.const(-1.0)))
    return forms.unless(none, forms.code(ExcelError.NUM), growth.finished(node))


def net_present_value(forms: Forms, rate: int, *flows: Value) -> Item:
    """Return NPV."""
    tape, seen = forms.tape, numbers(forms, flows)
    if any(there != TRUE for _, there in seen.entries):
        forms.refuse("NPV of cells that are not always numbers is not supported")
    one, total = tape.const(1.0), tape.const(0.0)
    grown = tape.apply("add", one, rate)
    for period, (flow, _) in enumerate(seen.entries, 1):
        divisor = grown if period == 1 else tape.apply("pow", grown, tape.const(float(period)))
        total = tape.apply("add", total, tape.apply("div", flow, divisor))
    lost = tape.raw("eq", rate, tape.const(-1.0))
    result = forms.unless(seen.bad, seen.code, forms.finished(total))
    return forms.unless(lost, forms.code(ExcelError.DIV0), result)


def dated_value(forms: Forms, rate: int, flows: Value, dates: Value) -> Item:
    """Return XNPV for dates that are the same in every trial."""
    tape = forms.tape
    amounts = [forms.to_number(item) for item in as_grid(flows).flat()]
    days = [constant_of(forms, forms.to_number(item).node, 2) // 1 for item in as_grid(dates).flat()]
    plain = [dict(forms.parts(item)).keys() <= {"number", "error"} for item in as_grid(flows).flat()]
    if not all(plain) or len(days) != len(amounts) or min(days) < max(days[0], 0):
        forms.refuse("XNPV of these flows and dates is not supported")
    grown, total = tape.apply("add", tape.const(1.0), rate), tape.const(0.0)
    for amount, day in zip(amounts, days, strict=True):
        share = (day - days[0]) / 365
        divisor = tape.const(1.0) if share == 0 else tape.apply("pow", grown, tape.const(share))
        total = tape.apply("add", total, tape.apply("div", amount.node, divisor))
    bad, code = forms.first_error(*((amount.bad, amount.code) for amount in amounts))
    low = (tape.raw("le", rate, tape.const(0.0)), ExcelError.NUM)
    return forms.unless(bad, code, forms.finished(total, [low]))


def straight_line(forms: Forms, cost: int, salvage: int, life: int) -> Item:
    """Return SLN."""
    tape = forms.tape
    none = (tape.raw("eq", life, tape.const(0.0)), ExcelError.DIV0)
    return forms.computed("div", tape.apply("sub", cost, salvage), life, errors=[none])


def effective(forms: Forms, nominal: int, periods: int) -> Item:
    """Return EFFECT for a number of periods that is the same in every trial."""
    tape = forms.tape
    times = float(int(constant_of(forms, periods, 1)))
    if times < 1:
        return ExcelError.NUM
    base = tape.apply("add", tape.const(1.0), tape.apply("div", nominal, tape.const(times)))
    grown = base if times == 1 else tape.apply("pow", base, tape.const(times))
    none = (tape.raw("le", nominal, tape.const(0.0)), ExcelError.NUM)
    return forms.finished(tape.apply("sub", grown, tape.const(1.0)), [none])


FUNCTIONS: dict[str, VectorFunction] = {
    "EFFECT": effective,
    "FV": future_value,
    "NPV": net_present_value,
    "PMT": payment_of,
    "PV": present_value,
    "SLN": straight_line,
    "XNPV": dated_value,
}
