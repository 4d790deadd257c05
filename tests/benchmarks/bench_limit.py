"""What one core can multiply and add at most: the limit that the kernel's trials per second stand beside.

Run: python -m tests.benchmarks.bench_limit

Sixteen vectors that are multiplied and added to without end, in registers: no memory, no dependence that is waited for.
Compiled as the kernel is, for this processor.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from addin.kernel.trials.emit_llvm import PARAMETERS, WIDE, WIDTH, D, splat
from addin.kernel.trials.native import Native, is_fused

VECTORS, ROUNDS, TURNS = 16, 1 << 22, 7


def _source() -> str:
    """Return the loop: each round multiplies every vector by a factor and adds a term; one instruction, if there is."""
    start = [f"  %a{k} = phi {D} [{splat(float(k))}, %entry], [%b{k}, %loop]" for k in range(VECTORS)]
    factor, term = splat(0.999999), splat(1e-6)
    step = [f"  %b{k} = call {D} @llvm.fma.v{WIDTH}f64({D} %a{k}, {D} {factor}, {D} {term})" for k in range(VECTORS)]
    if not is_fused():
        step = [f"  %m{k} = fmul {D} %a{k}, {factor}\n  %b{k} = fadd {D} %m{k}, {term}" for k in range(VECTORS)]
    total = [f"  %s{k} = fadd {D} %s{k - 1}, %b{k}" for k in range(1, VECTORS)]
    return "\n".join(
        [
            f"declare {D} @llvm.fma.v{WIDTH}f64({D}, {D}, {D})",
            f"define void @kernel({PARAMETERS}){WIDE} {{",
            "entry:\n  br label %loop\nloop:",
            "  %i = phi i64 [0, %entry], [%next, %loop]",
            *start,
            *step,
            "  %next = add i64 %i, 1\n  %more = icmp ult i64 %next, %n\n  br i1 %more, label %loop, label %done\ndone:",
            f"  %s0 = fadd {D} %b0, {splat(0.0)}",
            *total,
            f"  store {D} %s{VECTORS - 1}, ptr %R, align 8\n  ret void\n}}",
        ]
    )


def rates() -> tuple[float, float]:
    """Return multiply-adds per second on one thread and on two, the fastest of several turns."""
    import numpy as np

    native, best = Native(_source()), [0.0, 0.0]

    def run(_: int) -> None:
        out = np.empty(WIDTH)
        native([0, out.ctypes.data, 0], [0, 0, 0], ROUNDS)

    for _ in range(TURNS):
        for threads in (1, 2):
            with ThreadPoolExecutor(threads) as pool:
                begin = time.perf_counter()
                list(pool.map(run, range(threads)))
                rate = threads * ROUNDS * VECTORS * WIDTH / (time.perf_counter() - begin)
            best[threads - 1] = max(best[threads - 1], rate)
    return best[0], best[1]


def main() -> None:
    """Print both."""
    one, two = rates()
    print(f"{one / 1e9:.1f} billion multiply-adds a second on one thread, {two / 1e9:.1f} on two")


if __name__ == "__main__":
    main()
