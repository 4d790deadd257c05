"""The live page in a browser: a recalculation, a key, and the frames that it draws while a worker simulates.

    python -m tests.benchmarks.bench_page

Needs Chromium or Chrome. Read the medians: the longest time between two frames may be another program's.
"""

from __future__ import annotations

import statistics
from pathlib import Path

from tests.benchmarks.document import paragraph
from tests.live.test_page import first_field, text
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
# From a press on Draw to the figures: the times between frames, in ms, sorted, and what the trials took.
FRAMES = """(async () => {
  const found = [], begun = performance.now(), figures = () => document.querySelector('.holds');
  document.getElementById('draw').click();
  for (let before = await new Promise(requestAnimationFrame), after = 2; after > 0;) {
    const now = await new Promise(requestAnimationFrame);
    found.push(now - before);
    before = now;
    if (figures()) after--; // the frames that show them count too
  }
  return [found.sort((left, right) => left - right), performance.now() - begun];
})()"""


def section() -> str:
    """Return the paragraph of docs/speed.md: size of the page, recalculations, keys, frames."""
    with Browser() as browser:
        shown = browser.open(PAGE.as_uri())
        shown.wait_for("document.body.classList.contains('live')")
        times = []
        for users in range(1000, 1100):
            shown.fill(first_field(shown, "Users"), str(users))
            times.append(float(text(shown, "spent").partition(" in ")[2].partition(" ms")[0]))
        painted = shown.evaluate(PAINTED)
        frames, took = shown.evaluate(FRAMES)
    key, late, frame = statistics.median(painted), painted[94], statistics.median(frames)
    dropped = sum(round(each / frame) - 1 for each in frames)
    return paragraph(
        f"""The live page has {PAGE.stat().st_size:,} bytes. In Chromium it recalculates in
        {statistics.median(times):.1f} ms (median of {len(times)} changes of an input, best {min(times):.1f}). A key is
        painted after {key:.0f} ms (median of {len(painted)}; 95 of them within {late:.0f} ms). 10,000 trials in a
        worker take {took / 1000:.1f} s, in which the page draws {len(frames)} frames, one each {frame:.1f} ms, and
        drops {dropped} (the longest time between two, {frames[-1]:.0f} ms, may be another program's):
        `python -m tests.benchmarks.bench_page`."""
    )


def main() -> None:
    """Print it."""
    print(section())


if __name__ == "__main__":
    main()
