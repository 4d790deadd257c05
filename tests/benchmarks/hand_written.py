"""The sizing model of one array and method, written by hand in numpy: what the compiled slices are measured against.

As a careful programmer would write it: constants folded, chunks in cache, out= everywhere, buffers made once, branches
that never happen with these texts left out, no error masks, comparisons as they come. ROUNDUP sees 15 digits.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import local

import numpy as np

from addin.kernel import Scalar

Array = np.ndarray
PHASES = ("boot", "login", "steady")
CAPACITY, BOOT, LOGIN, STEADY, PATCHING, THROUGHPUT, LATENCY = 0, 2, 3, 4, 6, 7, 8  # places among the constraints
OUTPUTS = (
    "binding_constraint",
    "next_constraint",
    "arrays_required",
    "capacity_required_gib",
    "cost_per_desktop",
    "ratio_capacity",
    "ratio_boot",
    "ratio_login",
    "ratio_steady",
    "ratio_patching",
    "ratio_throughput",
    "ratio_largest",
    "utilisation_boot",
    "utilisation_login",
    "utilisation_steady",
    "utilisation_patching",
    "boot_minutes",
)


def round_up(x: Array, out: Array, t: Array, flag: Array) -> None:
    """Write ROUNDUP(x, 0) of numbers that are not negative, in Excel's 15 digits."""
    np.multiply(x, 1 - 5e-15, t)
    np.ceil(t, t)
    np.ceil(x, out)
    np.not_equal(out, t, flag)
    if flag.any():
        near = np.flatnonzero(flag)
        out[near] = [np.ceil(float(f"{value:.15g}")) for value in x[near]]


class HandWritten:
    """The model with the values of the fixed lines, by their keys."""

    def __init__(self, line: Callable[[str], Scalar], chunk: int) -> None:
        def number(key: str) -> float:
            found = line(key)
            assert isinstance(found, float)
            return found

        self.chunk = chunk
        self.usable, self.desktop = number("usable_gib"), number("desktop_gib")
        self.flash = number("flash_iops")
        read_cost, write_cost = number("read_cost"), number("write_cost")
        self.rated = number("throughput_rating")
        self.per_limit = 1 / number("latency_utilisation")
        self.left = {phase: 1 - number(f"{phase}_reduction_ratio") for phase in PHASES}
        self.cost = {
            phase: write_cost + number(f"{phase}_array_read_ratio") * (read_cost - write_cost) for phase in PHASES
        }
        self.block = {phase: number(f"{phase}_block_kib") for phase in (*PHASES, "patching")}
        patch = number("patching_read_ratio")
        self.patch_iops = number("patching_iops_per_desktop")
        self.patch_cost = patch * read_cost + (1 - patch) * write_cost
        self.megabytes = number("mb_per_kib")
        self.work = number("ios_per_boot") * self.left["boot"] / number("boot_work_ratio")
        self.preboot, self.tail = number("preboot_ratio"), number("boot_tail_min")
        self.start, self.minute = number("start_rate_per_min"), number("seconds_per_minute")
        self.memory = local()
        self.pool = ThreadPoolExecutor(2)

    def run(self, x: Array, out: Array, threads: int = 1) -> None:
        """Write the outputs, shape (outputs, trials), of inputs in the order of the benchmark."""

        def part(start: int) -> None:
            end = start + self.chunk
            self.one(x[:, start:end], out[:, start:end])

        starts = range(0, x.shape[1], self.chunk)
        if threads == 1:
            for start in starts:
                part(start)
            return
        list(self.pool.map(part, starts))

    def one(self, x: Array, out: Array) -> None:
        """Compute one chunk."""
        if not hasattr(self.memory, "floats"):
            self.memory.floats = np.empty((11, self.chunk))
            self.memory.flags = np.empty((2, self.chunk), np.bool_)
        n = x.shape[1]
        provisioned, active, factor, load, raw, peak, t, u, rest, latency, served = self.memory.floats[:, :n]
        flag, other = self.memory.flags[:, :n]
        desktops, concurrent, growth, reduction, technology, scale, boot, login, steady, cap, headroom, price, work = x
        binding, second, required, capacity, cost, ratio_capacity, *ratios = out[:11]
        np.add(growth, 1.0, t)
        np.multiply(desktops, t, t)
        round_up(t, provisioned, u, flag)
        np.maximum(provisioned, 1.0, out=provisioned)
        np.multiply(provisioned, self.desktop, t)
        np.maximum(reduction, 1.0, out=u)
        np.divide(t, u, capacity)
        np.subtract(1.0, headroom, t)
        np.multiply(t, self.usable, t)
        np.divide(capacity, t, ratio_capacity)
        np.multiply(provisioned, concurrent, active)
        np.multiply(scale, technology, factor)
        np.multiply(cap, self.flash, raw)
        peak.fill(0.0)
        np.multiply(active, factor, load)
        for iops, phase, ratio in zip((boot, login, steady), PHASES, ratios[:3], strict=True):
            np.multiply(load, iops, t)
            np.multiply(t, self.left[phase], t)
            np.divide(raw, self.cost[phase], u)
            if phase == "boot":
                np.copyto(served, u)
            np.divide(t, u, ratio)
            np.multiply(t, self.block[phase] * self.megabytes, t)
            np.maximum(peak, t, out=peak)
        np.multiply(load, self.patch_iops, t)
        np.divide(raw, self.patch_cost, u)
        np.divide(t, u, ratios[3])
        np.multiply(t, self.block["patching"] * self.megabytes, t)
        np.maximum(peak, t, out=peak)
        np.divide(peak, self.rated, ratios[4])
        np.maximum(ratios[1], ratios[2], out=latency)
        np.multiply(latency, cap, latency)
        np.multiply(latency, self.per_limit, latency)
        self.constraints(
            (binding, second, required),
            (ratio_capacity, *ratios, latency),
            out[11],
            (t, rest, flag, other),
        )
        np.multiply(required, price, t)
        np.divide(t, provisioned, cost)
        np.less_equal(price, 0.0, flag)
        np.copyto(cost, np.nan, where=flag)
        for ratio, row in zip(ratios[:4], out[12:16], strict=True):
            np.multiply(ratio, cap, row)
            np.divide(row, required, row)
        self.boot((active, load, work, served, required), out[16], t)

    def boot(self, x: tuple[Array, ...], minutes: Array, t: Array) -> None:
        """Write how long the boot takes: by the start throttle or the arrays, whichever is slower."""
        active, load, work, served, required = x
        np.multiply(active, self.preboot, minutes)
        np.multiply(load, work, t)
        np.multiply(t, self.preboot * self.work / self.minute, t)
        np.divide(t, served, t)
        np.divide(t, required, t)
        np.divide(minutes, self.start, minutes)
        np.maximum(minutes, t, out=minutes)
        np.add(minutes, self.tail, minutes)

    def constraints(
        self, results: tuple[Array, ...], ratios: tuple[Array, ...], largest: Array, scratch: tuple[Array, ...]
    ) -> None:
        """Write the largest ratio, what it is, what comes next (places from 0, those without demand left out)."""
        binding, second, required = results
        t, rest, flag, other = scratch
        places = (CAPACITY, BOOT, LOGIN, STEADY, PATCHING, THROUGHPUT, LATENCY)
        np.maximum(ratios[0], 0.0, out=largest)
        for ratio in ratios[1:]:
            np.maximum(largest, ratio, out=largest)
        round_up(largest, required, t, flag)
        np.maximum(required, 1.0, out=required)
        binding.fill(1.0)
        for ratio, place in zip(ratios[::-1], places[::-1], strict=True):
            np.equal(ratio, largest, flag)
            np.copyto(binding, place, where=flag)
        rest.fill(0.0)
        for ratio, place in zip(ratios, places, strict=True):
            np.not_equal(binding, place, flag)
            np.maximum(rest, ratio, out=rest, where=flag)
        second.fill(1.0)
        for ratio, place in zip(ratios[::-1], places[::-1], strict=True):
            np.not_equal(binding, place, flag)
            np.equal(ratio, rest, other)
            np.logical_and(flag, other, flag)
            np.copyto(second, place, where=flag)
