"""Finance functions: annuities, cash flows, depreciation.

An annuity keeps pv*(1+r)^n + pmt*(1+r*due)*((1+r)^n-1)/r + fv = 0 (Microsoft, "PV function").
"""

from __future__ import annotations

import math

from addin.kernel.excel.values import ExcelError, Fault, Scalar, Value, finite, numbers, plain_sum
from addin.kernel.scalar.functions_distributions import require
from addin.kernel.scalar.functions_math import power
from addin.kernel.scalar.roots import root
from addin.kernel.scalar.signatures import Table


def growth(rate: float, periods: float) -> tuple[float, float]:
    """Return (1+r)^n and the annuity factor ((1+r)^n-1)/r, which is n at rate 0."""
    if rate == 0:
        return 1.0, periods
    if rate <= -1:
        grown = power(1 + rate, periods)
        return grown, (grown - 1) / rate
    exponent = periods * math.log1p(rate)
    require(exponent < 709)
    return power(1 + rate, periods), math.expm1(exponent) / rate


def _due(kind: float) -> float:
    return float(kind != 0)


def future_value(rate: float, periods: float, payment: float, present: float = 0.0, kind: float = 0.0) -> float:
    """Return FV."""
    grown, factor = growth(rate, periods)
    return finite(-(present * grown + payment * (1 + rate * _due(kind)) * factor))


def present_value(rate: float, periods: float, payment: float, future: float = 0.0, kind: float = 0.0) -> float:
    """Return PV. Raises Fault with #DIV/0! at -100 %."""
    grown, factor = growth(rate, periods)
    if grown == 0:
        raise Fault(ExcelError.DIV0)
    return finite(-(future + payment * (1 + rate * _due(kind)) * factor) / grown)


def payment_of(rate: float, periods: float, present: float, future: float = 0.0, kind: float = 0.0) -> float:
    """Return PMT. Raises Fault with #NUM! for no period and for a rate of -100 % or less."""
    require(periods != 0 and rate > -1)
    grown, factor = growth(rate, periods)
    return finite(-(present * grown + future) / ((1 + rate * _due(kind)) * factor))


def principal(
    rate: float, period: float, periods: float, present: float, future: float = 0.0, kind: float = 0.0
) -> float:
    """Return PPMT: what the first payment pays back, grown by the rate from payment to payment.

    A payment less the interest on what is still owed is the same, but loses digits where little is paid back. Raises
    Fault with #NUM! outside the periods.
    """
    require(1 <= period < periods + 1)
    payment = payment_of(rate, periods, present, future, kind)
    if _due(kind) and period == 1:
        return payment  # without interest, as no time has passed
    _, factor = growth(rate, periods)
    grown, _ = growth(rate, period - 1)
    return finite(-(present + future) / factor * grown / (1 + rate * _due(kind)))


def periods_of(rate: float, payment: float, present: float, future: float = 0.0, kind: float = 0.0) -> float:
    """Return NPER. Raises Fault with #NUM! where the payments never get there."""
    if rate == 0:
        if payment == 0:
            raise Fault(ExcelError.NUM)
        return -(present + future) / payment
    require(rate > -1)
    level = payment * (1 + rate * _due(kind)) / rate
    require(present + level != 0 and (level - future) / (present + level) > 0)
    return math.log((level - future) / (present + level)) / math.log1p(rate)


def rate_of(
    periods: float, payment: float, present: float, future: float = 0.0, kind: float = 0.0, guess: float = 0.1
) -> float:
    """Return RATE. Raises Fault with #NUM! where no rate is found."""
    require(periods > 0)
    return root(lambda rate: present - present_value(rate, periods, payment, future, kind), guess)


def net_present_value(rate: float, *flows: Value) -> float:
    """Return NPV: the first flow is one period away. Raises Fault with #DIV/0! at -100 %."""
    if rate == -1:
        raise Fault(ExcelError.DIV0)
    return finite(plain_sum(flow / (1 + rate) ** (i + 1) for i, flow in enumerate(numbers(flows))))


def internal_rate(flows: Value, guess: float = 0.1) -> float:
    """Return IRR.

    Raises Fault with #NUM! unless the flows change sign, #VALUE! for an error among them or a guess of -100 % or less.
    """
    try:
        amounts = numbers((flows,))
    except Fault:
        raise Fault(ExcelError.VALUE) from None
    if guess <= -1:
        raise Fault(ExcelError.VALUE)
    require(any(flow > 0 for flow in amounts) and any(flow < 0 for flow in amounts))

    def value(rate: float) -> float:
        total = 0.0
        for flow in reversed(amounts):
            total = total / (1 + rate) + flow
        return total

    return root(value, guess)


def modified_rate(flows: Value, finance: float, reinvest: float) -> float:
    """Return MIRR: -100 % where nothing comes in. Raises Fault with #DIV/0! where nothing is spent."""
    amounts = numbers((flows,))
    if not any(flow < 0 for flow in amounts):
        raise Fault(ExcelError.DIV0)
    count = len(amounts)
    gained = plain_sum(flow * (1 + reinvest) ** (count - 1 - i) for i, flow in enumerate(amounts) if flow > 0)
    spent = plain_sum(flow / (1 + finance) ** i for i, flow in enumerate(amounts) if flow < 0)
    return power(-gained / spent, 1 / (count - 1)) - 1


def dated_value(rate: float, flows: Value, dates: Value) -> float:
    """Return XNPV: flows by date, 365 days a year.

    Raises Fault with #NUM! for a rate of 0 or less, unequal counts of numbers, and dates below 0 or before the first.
    """
    amounts, days = numbers((flows,)), [math.floor(day) for day in numbers((dates,))]
    require(0 < len(amounts) == len(days) and rate > 0 and all(day >= days[0] >= 0 for day in days))
    return finite(plain_sum(a / (1 + rate) ** ((day - days[0]) / 365) for a, day in zip(amounts, days, strict=True)))


def declining(cost: float, salvage: float, life: float, period: float, factor: float = 2.0) -> float:
    """Return DDB: never below the salvage value. Raises Fault with #NUM! outside the life."""
    require(cost >= 0 and salvage >= 0 and life > 0 and 0 < period <= life and factor > 0)
    share = min(1.0, factor / life)
    if share == 1.0:
        before, after = (cost if period == 1 else 0.0), 0.0
    else:
        before, after = cost * (1 - share) ** (period - 1), cost * (1 - share) ** period
    return max(0.0, before - max(after, salvage))


def straight_line(cost: float, salvage: float, life: float) -> Scalar:
    """Return SLN. Raises Fault with #DIV/0! for life 0."""
    if life == 0:
        raise Fault(ExcelError.DIV0)
    return (cost - salvage) / life


def effective(nominal: float, periods: float) -> float:
    """Return EFFECT; periods are truncated. Raises Fault with #NUM! for a rate of 0 or less, or no period."""
    times = math.trunc(periods)
    require(nominal > 0 and times >= 1)
    return (1 + nominal / times) ** times - 1


FUNCTIONS: Table = {
    "DDB": ("nnnnn", declining),
    "EFFECT": ("rr", effective),
    "FV": ("nnnnn", future_value),
    "IRR": ("an", internal_rate),
    "MIRR": ("ann", modified_rate),
    "NPER": ("nnnnn", periods_of),
    "NPV": ("n:a", net_present_value),
    "PMT": ("nnnnn", payment_of),
    "PPMT": ("nnnnnn", principal),
    "PV": ("nnnnn", present_value),
    "RATE": ("nnnnnn", rate_of),
    "SLN": ("nnn", straight_line),
    "XNPV": ("raa", dated_value),
}
