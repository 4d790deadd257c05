"""The live page in a browser: a recalculation, and how long the page is busy at a time while it simulates.

    python -m tests.benchmarks.bench_page

Needs Chromium or Chrome. Read the median: the longest wait may be another program's.
"""

from __future__ import annotations

import statistics
from pathlib import Path

from tests.benchmarks.document import paragraph
from tests.live.test_page import BEAT, first_field, text
from tests.support.browser import Browser

PAGE = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.html"


# From a key in the first field to the frame that shows its answer, in ms, sorted.
PAINTED = """(async () => {
  const box = document.getElementById('input-0'), found = [];
  for (let n = 0; n < 100; n++) {
    await new Promise(done => setTimeout(done, 20 + 11 * Math.random()));
    const begun = performance.now();
    box.value = 1500 + 37 * n % 900;
    box.dispatchEvent(new Event('input'));
    found.push(await new Promise(done => requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => done(performance.now() - begun);
      port2.postMessage(0);
    })));
  }
  return found.sort((left, right) => left - right);
})()"""


def section() -> str:
    """Return the paragraph of docs/speed.md: size of the page, recalculations, keys, waits."""
    with Browser() as browser:
        shown = browser.open(PAGE.as_uri())
        shown.wait_for("document.body.classList.contains('live')")
        times = []
        for users in range(1000, 1100):
            shown.fill(first_field(shown, "Users"), str(users))
            times.append(float(text(shown, "spent").partition(" in ")[2].partition(" ms")[0]))
        painted = shown.evaluate(PAINTED)
        shown.evaluate(BEAT)
        shown.evaluate("document.getElementById('draw').click()")
        shown.wait_for("document.querySelector('.holds')")
        waits = sorted(shown.evaluate("clearInterval(testBeat), testWaits.filter(each => each > 6)"))
    key, late, busy = statistics.median(painted), painted[94], statistics.median(waits)
    return paragraph(
        f"""The live page has {PAGE.stat().st_size:,} bytes. In Chromium it recalculates in
        {statistics.median(times):.1f} ms (median of {len(times)} changes of an input, best {min(times):.1f}). A key is
        painted after {key:.0f} ms (median of {len(painted)}; 95 of them within {late:.0f} ms). While it simulates, the
        page is busy for {busy:.0f} ms at a time (median; the longest, {waits[-1]:.0f} ms, may be another program's):
        `python -m tests.benchmarks.bench_page`."""
    )


def main() -> None:
    """Print it."""
    print(section())


if __name__ == "__main__":
    main()
