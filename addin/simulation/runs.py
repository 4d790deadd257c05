"""Chunks of a simulation on an executor, merged in order, until all are done or a precision is met."""

from __future__ import annotations

import math
import re
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass

from addin.errors import RequestError
from addin.numerals import numeral
from addin.simulation.chunks import Part, is_native, run_chunks
from addin.simulation.statistics import statistics
from addin.simulation.summaries import Summary
from addin.simulation.trials import HOLDS, Job

Progress = Callable[[int, int], None]
FEW, MANY = 4, 64  # most chunks of a task, where they take long and where not: a stop waits for it, each is merged
_UNTIL = re.compile(r"(p\d{1,2}(?:\.\d+)?|mean)=(\d+(?:\.\d+)?)%$")


@dataclass(frozen=True)
class Until:
    """A precision to reach: the error bar of a percentile (None = of the mean) as a share of the figure."""

    text: str
    probability: float | None
    share: float

    @classmethod
    def read(cls, text: str) -> Until:
        """Read `p95=0.5%` or `mean=1%`. Raises RequestError for anything else."""
        match = _UNTIL.match(text.strip().lower())
        if match is None or float(match[2]) <= 0 or match[1] in ("p0", "p00"):
            raise RequestError(f"--until {text}: expected a percentile or the mean and a share, such as p95=0.5%.")
        return cls(match[0], None if match[1] == "mean" else float(match[1][1:]) / 100, float(match[2]) / 100)

    def worst(self, summary: Summary) -> tuple[float, str]:
        """Return the widest bar as a share of its figure, and the result it belongs to."""
        widest = (0.0, "")
        for name in summary.layout.outputs:
            figures = statistics(summary, name)
            if name == HOLDS or not figures.valid:
                continue
            bar = figures.mean if self.probability is None else figures.percentile(self.probability).interval
            share = bar.half_width / abs(bar.value) if bar.value else (0.0 if bar.half_width == 0 else math.inf)
            widest = max(widest, (share, name))
        return widest


class Run:
    """The chunks of a job on an executor, merged in the order of their numbers."""

    def __init__(self, job: Job, until: Until | None) -> None:
        self.job, self.until = job, until
        self.part: Part | None = None
        self.partial = False
        self.notes: list[str] = []

    def stages(self) -> list[int]:
        """Return the chunk numbers after which the precision is looked at: 1, 2, 4 ... all."""
        total = self.job.plan.chunks
        if self.until is None:
            return [total]
        return [1 << k for k in range(total.bit_length()) if 1 << k < total] + [total]

    def through(self, executor: Executor, workers: int, progress: Progress | None) -> None:
        """Run until the last chunk, the precision or an interrupt."""
        done = 0
        try:
            if progress is not None:
                progress(0, self.job.plan.trials)
            for end in self.stages():
                self._stage(executor, done, end, workers, progress)
                done = end
                if self.until is not None and self.part is not None:
                    share, name = self.until.worst(self.part.summary)
                    if share <= self.until.share:
                        self.notes.append(
                            f"Stopped at {numeral(self.part.summary.trials)} trials: {self.until.text} reached."
                        )
                        return
                    if end == self.job.plan.chunks:
                        self.notes.append(
                            f"{self.until.text} is not reached: {name} has {numeral(share, '.2%')}. "
                            "Ask for more trials."
                        )
        except KeyboardInterrupt:
            self.partial = True

    def _stage(self, executor: Executor, first: int, end: int, workers: int, progress: Progress | None) -> None:
        quick = not isinstance(executor, ThreadPoolExecutor) or is_native(self.job)
        most = MANY if quick else FEW
        size = max(1, min(most, (end - first) // (4 * workers)))
        starts = iter(range(first, end, size))
        waiting: deque[Future[Part]] = deque()
        plan = self.job.plan

        def send() -> None:
            start = next(starts, None)
            if start is not None:
                waiting.append(executor.submit(run_chunks, self.job, start, min(start + size, end)))

        try:
            for _ in range(2 * workers):
                send()
            while waiting:
                part = waiting[0].result()
                waiting.popleft()
                self._merge(part)
                send()
                if progress is not None and self.part is not None:
                    progress(self.part.summary.trials, plan.trials)
        finally:
            for future in waiting:
                future.cancel()

    def _merge(self, part: Part) -> None:
        if self.part is None:
            self.part = part
            return
        self.part.summary.merge(part.summary)
        kept = (*self.part.kept, *part.kept)
        self.part = Part(self.part.summary, self.part.cut + part.cut, kept)
