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
CACHED = ("boot", "login", "steady")
PHASES = ("provisioning", "boot", "login", "steady", "logoff", "patching")  # places 1 to 6 among the constraints
CONSTRAINTS = (
    *("Capacity", "Provisioning IOPS", "Boot IOPS", "Login IOPS", "Steady work IOPS", "Log-off IOPS"),
    *("Patching IOPS", "Throughput", "Latency"),
)
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
            value = line(key)
            assert isinstance(value, float)
            return value

        self.chunk = chunk
        self.usable, self.desktop = number("usable_gib"), number("desktop_gib")
        self.flash = number("flash_iops")
        read_cost, write_cost = number("read_cost"), number("write_cost")
        self.rated = number("throughput_rating")
        self.within, self.boot_within = 1 / number("latency_utilisation"), 1 / number("boot_latency_utilisation")
        self.left = {phase: 1 - number(f"{phase}_reduction_ratio") for phase in CACHED}
        reads = {p: number(f"{p}_array_read_ratio" if p in CACHED else f"{p}_read_ratio") for p in PHASES}
        self.cost = {phase: write_cost + share * (read_cost - write_cost) for phase, share in reads.items()}
        self.minute, megabytes = number("seconds_per_minute"), number("mb_per_kib")
        self.moved = {phase: number(f"{phase}_block_kib") * megabytes / self.rated for phase in PHASES}
        self.deployed = number("provisioning_work_ios") * number("provision_rate_per_min") / self.minute
        self.logged_off = number("logoff_work_ios") / (self.minute * number("logoff_window_min"))
        self.patched = number("patching_work_ios") / self.minute
        self.stream = number("patch_delay_s") / (number("patch_streams") * self.minute)
        self.patch_tail = number("patch_tail_min")
        self.run_minutes, self.preboot = number("boot_run_min"), number("preboot_ratio")
        self.start, self.tail = number("start_rate_per_min"), number("boot_tail_min")
        self.memory = local()
        self.pool = ThreadPoolExecutor(2)

    def run(self, x: Array, out: Array, threads: int = 1) -> None:
        """Write the outputs, shape (outputs, trials), of inputs in the order of the benchmark."""

        def part(start: int) -> None:
            end = start + self.chunk
            self.run_chunk(x[:, start:end], out[:, start:end])

        starts = range(0, x.shape[1], self.chunk)
        if threads == 1:
            for start in starts:
                part(start)
            return
        list(self.pool.map(part, starts))

    def run_chunk(self, x: Array, out: Array) -> None:
        """Compute one chunk."""
        if not hasattr(self.memory, "floats"):
            self.memory.floats = np.empty((14, self.chunk))
            self.memory.flags = np.empty((2, self.chunk), np.bool_)
        n = x.shape[1]
        provisioned, active, load, raw, t, u, rest, latency, divide, array_minutes = self.memory.floats[:10, :n]
        deploying, leaving = self.memory.floats[10:12, :n]
        flag, other = self.memory.flags[:, :n]
        desktops, concurrent, growth, reduction, thicker, scale, boot, login, steady, cap, headroom, price, _ = x
        binding, second, required, capacity, cost, ratio_capacity, *ratios = out[:11]
        np.add(growth, 1.0, t)
        np.multiply(desktops, t, t)
        round_up(t, provisioned, u, flag)
        np.maximum(provisioned, 1.0, out=provisioned)
        np.multiply(provisioned, self.desktop, t)
        np.add(thicker, 1.0, u)
        np.multiply(t, u, t)
        np.maximum(reduction, 1.0, out=u)
        np.divide(t, u, capacity)
        np.subtract(1.0, headroom, t)
        np.multiply(t, self.usable, t)
        np.divide(capacity, t, ratio_capacity)
        np.multiply(provisioned, concurrent, active)
        np.copyto(u, scale)  # every phase grows with it
        np.multiply(active, u, load)
        np.multiply(cap, self.flash, raw)
        np.divide(u, raw, rest)  # of demand over supply
        throughput = ratios[4]
        np.multiply(rest, self.deployed * self.cost["provisioning"], deploying)
        np.multiply(u, self.deployed * self.moved["provisioning"], throughput)
        # patching: work over the minutes of streams and tail
        np.multiply(provisioned, self.stream, t)
        np.add(t, self.patch_tail, t)
        np.divide(provisioned, t, t)
        np.multiply(t, self.patched, t)
        np.multiply(t, rest, ratios[3])
        np.multiply(ratios[3], self.cost["patching"], ratios[3])
        np.multiply(t, u, t)
        self.move(t, "patching", throughput, u)
        np.multiply(load, self.logged_off, t)
        self.ratio(t, raw, "logoff", leaving)
        self.move(t, "logoff", throughput, u)
        # boot: work over the minutes of the start throttle
        np.multiply(active, self.preboot / self.start, divide)
        np.maximum(divide, self.tail, out=divide)
        np.multiply(load, boot, t)
        np.multiply(t, self.preboot * self.left["boot"] * self.run_minutes, t)
        np.divide(t, divide, t)
        self.ratio(t, raw, "boot", ratios[0])
        np.multiply(divide, ratios[0], array_minutes)
        self.move(t, "boot", throughput, u)
        # login: the window is the busy period, so all log in together, or all work
        np.multiply(load, steady, t)
        np.multiply(t, self.left["steady"], t)
        self.ratio(t, raw, "steady", ratios[2])
        self.move(t, "steady", throughput, u)
        np.multiply(load, login, u)
        np.multiply(u, self.left["login"], u)
        np.maximum(t, u, out=t)
        self.ratio(t, raw, "login", ratios[1])
        self.move(t, "login", throughput, u)
        np.maximum(ratios[1], ratios[2], out=latency)
        np.multiply(latency, self.within, latency)
        np.multiply(ratios[0], self.boot_within, t)
        np.maximum(latency, t, out=latency)
        np.multiply(latency, cap, latency)
        self.constraints(
            (binding, second, required),
            (ratio_capacity, deploying, *ratios[:3], leaving, ratios[3], throughput, latency),
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
        # boot minutes: until the last start, by throttle or arrays, then the last boot
        np.divide(array_minutes, required, array_minutes)
        np.multiply(active, self.preboot / self.start, out[16])
        np.maximum(out[16], array_minutes, out=out[16])
        np.add(out[16], self.tail, out[16])

    def ratio(self, load: Array, raw: Array, phase: str, out: Array) -> None:
        """Write demand over supply of a phase."""
        np.multiply(load, self.cost[phase], out)
        np.divide(out, raw, out)

    def move(self, load: Array, phase: str, most: Array, t: Array) -> None:
        """Raise the largest throughput ratio to that of a phase."""
        np.multiply(load, self.moved[phase], t)
        np.maximum(most, t, out=most)

    def constraints(
        self, results: tuple[Array, ...], ratios: tuple[Array, ...], largest: Array, scratch: tuple[Array, ...]
    ) -> None:
        """Write the largest ratio, what it is, what comes next (places from 0)."""
        binding, second, required = results
        t, rest, flag, other = scratch
        places = range(len(ratios))
        np.maximum(ratios[0], 0.0, out=largest)
        for ratio in ratios[1:]:
            np.maximum(largest, ratio, out=largest)
        round_up(largest, required, t, flag)
        np.maximum(required, 1.0, out=required)
        binding.fill(0.0)
        for ratio, place in zip(ratios[::-1], places[::-1], strict=True):
            np.equal(ratio, largest, flag)
            np.copyto(binding, place, where=flag)
        rest.fill(0.0)
        for ratio, place in zip(ratios, places, strict=True):
            np.not_equal(binding, place, flag)
            np.maximum(rest, ratio, out=rest, where=flag)
        second.fill(0.0)
        for ratio, place in zip(ratios[::-1], places[::-1], strict=True):
            np.not_equal(binding, place, flag)
            np.equal(ratio, rest, other)
            np.logical_and(flag, other, flag)
            np.copyto(second, place, where=flag)
