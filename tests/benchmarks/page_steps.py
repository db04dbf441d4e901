"""How long a step of a page takes: 1,024 lanes and 2,000 steps, folded and with every row opened.

`python -m tests.benchmarks.page_steps`, where Playwright and Chromium are installed: milliseconds of a step with its
layout, the median, the 95th percentile and the longest of 400, and how many of them took more than 50; once of the
page's own thread, which other programs of the machine do not change, and once of the clock.
"""

from __future__ import annotations

import copy
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from harness.catalogue import find_case
from harness.learning.page import render_page as html
from harness.learning.trace import Trace
from harness.learning.words import load_phrases
from tests.generate.stored_traces import data_of, target_of

STEPS = 2000
P34 = find_case("p34:reduction")
COUNT = 400
RUN = """async (count) => {
  view.go(0);
  await new Promise(requestAnimationFrame);
  for (let at = 0; at < count; at++) {
    performance.mark(`begin ${at}`);
    view.move(1);
    document.body.getBoundingClientRect();
    performance.mark(`end ${at}`);
    if (at % 10 === 0) await new Promise(requestAnimationFrame);
  }
}"""


def repeated(steps: int) -> Trace:
    """Return the stored trace of p34, repeated until it has so many steps."""
    data = data_of(P34, target_of(P34))
    times = -(-steps // data["kept"])
    parts = []
    for number in range(times):
        for part in copy.deepcopy(data["parts"]):
            for name, table in part.items():
                if name != "steps" and table["step"]:
                    table["step"][0] += number * data["kept"]  # differences: the first one moves all
            parts.append(part)
    return Trace(data | {"parts": parts, "steps": data["steps"] * times, "kept": data["kept"] * times})


def measure(browser: Any, page: Any) -> dict[str, list[float]]:
    """Return the milliseconds of each step in ascending order, of the page's thread and of the clock."""
    browser.start_tracing(page=page, categories=["blink.user_timing"])
    page.evaluate(RUN, COUNT)
    marks = {event["name"]: event for event in json.loads(browser.stop_tracing())["traceEvents"] if "tts" in event}
    steps = [(marks[f"begin {number}"], marks[f"end {number}"]) for number in range(COUNT)]
    clocks = {"of the page's thread": "tts", "of the clock": "ts"}
    return {name: sorted((end[clock] - begin[clock]) / 1000 for begin, end in steps) for name, clock in clocks.items()}


def main() -> int:
    """Print the times of a step."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        file = Path(folder, "long.html")
        file.write_text(html([repeated(STEPS)], load_phrases("en")), encoding="utf-8")
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(file.as_uri())
        page.wait_for_selector("body[data-ready]")
        print(f"{file.stat().st_size:,} bytes")
        for name in ("folded", "opened"):
            if name == "opened":
                page.evaluate("view.unfold()")
            for clock, times in measure(browser, page).items():
                slow = sum(time > 50 for time in times)
                shares = f"median {times[COUNT // 2]:.1f}, 95 % {times[COUNT * 95 // 100]:.1f}, longest {times[-1]:.1f}"
                print(f"{name}, ms {clock}: {shares}; above 50: {slow}")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
