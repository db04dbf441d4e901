"""The picture of the front page, `docs/front.svg`: a terminal that tells of a race in p15, and the page of `show`.

Both are drawn from runs that are stored: what a check says of a solution without its last barrier, and of it with the
barrier, stands in `tests/solutions/front.json`, the solution's trace beside it. Nothing is compiled to draw them again.
"""

from __future__ import annotations

import html
import json
import math
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.build.cache import sha256_hex
from harness.build.toolchain import package_versions
from harness.cases import pipeline
from harness.catalogue import find_case
from harness.learning.figures.moments import shorten_number, threads_per_block
from harness.learning.replay import DecodedTrace, RecordedState, Step
from harness.learning.words import Phrases, load_phrases
from harness.model import codec
from harness.model.lines import fit_line
from harness.model.report import CaseReport
from harness.model.sources import MOJO, Sources
from harness.report.findings import format_case
from harness.simt.messages import LANGUAGES, words
from harness.simt.observing.columns import LOAD, STORE
from harness.simt.render import Renderer
from tests.generate.files import Generated
from tests.generate.stored_traces import data_of, target_of

__all__ = ["generated", "judged", "picture"]

STORED = Path("tests", "solutions", "front.json")
CASE, BARRIER = "p15", "        barrier()\n\n        stride //= 2"
FILE = f"{CASE}/problem.mojo"
LINE = 70  # of the source: the step of the page that is shown is the first that runs it
_WIDTH, _PAD, _ROW = 800, 16, 15
_COLUMNS = 112
_CELL, _PITCH, _HEIGHT = 36, 39, 22
_ABOVE, _LINES = 3, 13  # lines of the source: above the one that runs, and in all
_LANES = 36  # from the heading of the lanes to their cells: below it stand what they do, and their numbers
_LEFT = 466  # of the lanes and of memory; the source is left of them
_STYLE = """<style>
svg{--paper:#fbfaf7;--sheet:#fff;--ink:#1d1f23;--soft:#555b66;--line:#d8d5cc;--run:#d9ebf8;--blue:#0072b2;--write:#ffe0a8;
--brown:#a37800;--idle:#f4f2ec;--wait:#8f3f74;--bar:#b9b5aa;--now:#fff2cf;--good:#00674c}
@media (prefers-color-scheme:dark){svg{--paper:#15171b;--sheet:#1c1f24;--ink:#e9e7e1;--soft:#a9aeb8;--line:#3a3f48;
--run:#17405f;--blue:#56b4e9;--write:#5c3d00;--brown:#f0b440;--idle:#23262c;--wait:#cc66aa;--bar:#565c68;--now:#3d3413;
--good:#5fd6b0}}
text{font:11px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--ink);white-space:pre}
.terminal{fill:#1b1e24;stroke:#3a3f48}.said{fill:#d9dde4}.asked{fill:#fff;font-weight:700}.wrong{fill:#ffb86b;font-weight:700}
.sheet{fill:var(--paper);stroke:var(--line)}.inner{fill:var(--sheet);stroke:var(--line)}
.title{font-size:15px;font-weight:700}.soft{fill:var(--soft)}.head{fill:var(--soft);font-weight:700}
.right{fill:var(--good);font-weight:700}.pill{fill:none;stroke:var(--good);stroke-width:1.5}.middle{text-anchor:middle}
.bar{fill:var(--bar)}.barrier{fill:var(--wait)}.mark{fill:var(--ink)}.now{fill:var(--now)}
.run{fill:var(--run);stroke:var(--blue)}.idle{fill:var(--idle);stroke:var(--line)}.held{fill:var(--sheet);stroke:var(--line)}
.skip{fill:var(--sheet);stroke:var(--soft);stroke-dasharray:1.5 2}.small{font-size:8px;fill:var(--soft);font-weight:700}
.number{font-size:9px;fill:var(--soft)}.count{font-weight:700}.read{fill:var(--run);stroke:var(--blue)}.flow{fill:none;stroke:var(--blue);stroke-width:1.3}.tip{fill:var(--blue)}.written{fill:var(--write);stroke:var(--brown);stroke-width:2}
</style>"""


class _Drawing:
    """Boxes and texts in the order in which they are drawn."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def box(self, style: str, x: float, y: float, width: float, height: float, round: int = 0) -> None:
        corner = f' rx="{round}"' if round else ""
        self.parts.append(f'<rect class="{style}" x="{x}" y="{y}" width="{width}" height="{height}"{corner}/>')

    def arrow(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """An arrow upwards: what a lane reads."""
        (left, bottom), (right, top) = start, end
        bend = (bottom - top) * 5 // 12
        shape = f"M{left} {bottom}C{left} {bottom - bend} {right} {top + bend} {right} {top}"
        self.parts.append(f'<path class="flow" d="{shape}"/><path class="tip" d="M{right} {top}l-3.5 6h7z"/>')

    def text(self, style: str, x: float, y: float, text: str) -> None:
        named = f' class="{style}"' if style else ""
        self.parts.append(f'<text{named} x="{x}" y="{y}">{html.escape(text)}</text>')


def generated(root: Path, *, compile_stale: bool) -> Iterator[Generated]:
    """The stored report, and the picture in each language.

    Args:
        root: The repository.
        compile_stale: Otherwise a report that is stale is given an empty text.
    """
    made_from = sha256_hex(json.dumps([_wrong(), _right(), package_versions()]).encode())
    held = (root / STORED).read_text(encoding="utf-8") if (root / STORED).is_file() else ""
    if not held or json.loads(held)["from"] != made_from:
        held = _stored(made_from, judged(_wrong()), judged(_right())) if compile_stale else ""
    yield Generated(root / STORED, held)
    if held:
        reports = [codec.build_record(CaseReport, report) for report in json.loads(held)["reports"]]
        for language in LANGUAGES:
            end = "" if language == "en" else f".{language}"
            yield Generated(root / "docs" / f"front{end}.svg", picture(reports, language))


def _right() -> str:
    return (MOJO / CASE / "solution.mojo").read_text(encoding="utf-8")


def _wrong() -> str:
    """The solution without its last barrier."""
    assert BARRIER in _right()
    return _right().replace(BARRIER, BARRIER.rpartition("\n\n")[2])


def judged(kernel: str) -> CaseReport:
    """What a check says of a kernel, a file's text."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, FILE)
        file.parent.mkdir()
        file.write_text(kernel, encoding="utf-8")
        sources = Sources("problems", {CASE: file})
        plan = replace(pipeline.plan("nvidia:sm_90", "simulator"), data_seed=1)
        told = pipeline.learner(find_case(CASE), plan=plan, sources=sources, notify=lambda _: None)
        kept = replace(told.case, counters=(), measured=(), claims=(), build_seconds=0.0, run_seconds=0.0)
        text = codec.encode(kept).decode().replace(f"{folder}{os.sep}", "")
    return codec.decode(CaseReport, text.encode())


def _stored(made_from: str, *reports: CaseReport) -> str:
    kept = []
    for report in reports:
        datasets = tuple(replace(dataset, findings=(), run_seconds=0.0) for dataset in report.datasets)
        kept.append(json.loads(codec.encode(replace(report, datasets=datasets))))
    return json.dumps({"from": made_from, "reports": kept}, indent=1) + "\n"


def picture(reports: Sequence[CaseReport], language: str) -> str:
    """The terminal above the page.

    Args:
        reports: Of `judged`: of the wrong kernel, and of the right one.
        language: Of what is said.
    """
    replay, say = DecodedTrace(data_of(find_case(CASE), target_of(find_case(CASE)), language)), load_phrases(language)
    drawing = _Drawing()
    bottom = _page(drawing, _terminal(drawing, reports, language) + _PAD, replay, say)
    title = html.escape(f"puzzles check {CASE}; puzzles show {CASE}")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{bottom}" '
        f'viewBox="0 0 {_WIDTH} {bottom}" role="img">\n<title>{title}</title>\n{_STYLE}\n'
    )
    return head + "\n".join(drawing.parts) + "\n</svg>\n"


def _terminal(drawing: _Drawing, reports: Sequence[CaseReport], language: str) -> int:
    """What `puzzles check` says, before the barrier is put back and afterwards; returns where it ends."""
    show = Renderer(lambda _: _wrong().split("\n"), words(language), detail=False)
    rows: list[tuple[str, str]] = []
    for report, typed in zip(reports, ("", "   # line 77: barrier()"), strict=True):
        said = [part for line in format_case(report, show) for part in fit_line(line, _COLUMNS)]
        rows += [("asked", f"$ puzzles check {CASE}{typed}"), *(("said", line) for line in said)]
    rows[2] = "wrong", rows[2][1]  # the finding's heading, below the verdict
    rows += [("asked", f"$ puzzles show {CASE}"), ("said", f"{CASE}.html")]
    height = _ROW * len(rows) + 2 * _PAD - 6
    drawing.box("terminal", 0.5, 0.5, _WIDTH - 1, height, 8)
    for at, (style, line) in enumerate(rows):
        drawing.text(style, _PAD, _PAD + 8 + at * _ROW, line)
    return height


def _page(drawing: _Drawing, top: int, replay: DecodedTrace, say: Phrases) -> int:
    """The page of `show` at a step in which lanes read what others wrote; returns where it ends."""
    data = replay.data
    states = enumerate(replay.states())
    wanted = next(at for at, step in enumerate(replay.steps) if data["lines"][step.line][1] == LINE)
    state = next(state for at, state in states if at == wanted)
    step, threads = replay.steps[wanted], threads_per_block(data)
    height = 332
    drawing.box("sheet", 0.5, top + 0.5, _WIDTH - 1, height - 1, 8)
    y = top + 30
    drawing.text("title", _PAD, y, f"{data['case']} · {data['title']}")
    verdict = f"{say('verdict')}: {data['verdict']}"
    drawing.box("pill", 190, y - 15, 120, 21, 10)
    drawing.text("right middle", 250, y, verdict)
    grid, block = (re.sub("(, 1)+$", "", ", ".join(map(str, data[name]))) for name in ("grid", "block"))
    drawing.text("soft", 330, y, f"{data['kernel']} · {data['target']} · grid ({grid}) × block ({block})")
    _timeline(drawing, y + 18, replay, wanted, say)
    _source(drawing, y + 78, data, LINE, say)
    _arrows(drawing, y + 78, replay, step)
    _lanes(drawing, y + 78, replay, step, state, threads, say)
    _memory(drawing, y + 252, replay, step, state, say)
    return top + height


def _timeline(drawing: _Drawing, y: int, replay: DecodedTrace, now: int, say: Phrases) -> None:
    """A bar for each step, as high as many lanes run it; a line for each barrier."""
    wide, most = (_WIDTH - 2 * _PAD - 180) / len(replay.steps), max(len(step.active) for step in replay.steps)
    for at, step in enumerate(replay.steps):
        left, high = round(_PAD + at * wide, 1), max(2, round(24 * len(step.active) / most))
        if step.synchronizations:
            drawing.box("barrier", round(left + wide / 2, 1), y, 2, 30)
        else:
            drawing.box("bar", left, y + 28 - high, round(wide - 2, 1), high)
    drawing.box("mark", round(_PAD + now * wide + wide / 2 - 1, 1), y - 4, 2, 36)
    told = f"{say('step_of', step=now + 1, steps=len(replay.steps))} · {say('line', line=LINE)}"
    drawing.text("", _WIDTH - _PAD - 164, y + 20, told)


def _lanes(
    drawing: _Drawing, y: int, replay: DecodedTrace, step: Step, state: RecordedState, threads: int, say: Phrases
) -> None:
    """The lanes of the first block, with what each adds."""
    name = "addend"
    variable = next(at for at, each in enumerate(replay.data["variables"]) if each["name"] == name)
    active = set(step.active.tolist())
    counts = (
        say("overview_run", count=len(active)),
        say("overview_skip", count=threads * math.prod(replay.data["grid"]) - len(active)),
    )
    drawing.text("head", _LEFT, y, f"{say('lanes')} · {say('block', block=0)} · {name}")
    drawing.box("bar run", _LEFT, y + 9, 9, 9)
    drawing.text("count", _LEFT + 14, y + 17, f"{counts[0]}   ↷ {counts[1]}")
    for lane in range(threads):
        x, held = _LEFT + lane * _PITCH, state.variables[variable].get(lane)
        drawing.text("number middle", x + _CELL // 2, y + _LANES - 3, str(lane))
        drawing.box("run" if lane in active else "skip", x, y + _LANES, _CELL, _HEIGHT, 3)
        drawing.text(
            "middle", x + _CELL // 2, y + _LANES + 16, "·" if held is None else shorten_number(replay.text(held))
        )
        if lane not in active:
            drawing.text("small", x + _CELL - 9, y + _LANES + 8, "↷")


def _arrows(drawing: _Drawing, y: int, replay: DecodedTrace, step: Step) -> None:
    """From each cell of the first block's shared array to the lane that reads it."""
    cache = next(at for at, each in enumerate(replay.data["buffers"]) if each["name"] == "cache")
    for access in step.accesses:
        if (access.buffer, access.kind) == (cache, LOAD):
            for lane, cells in zip(access.lanes.tolist(), access.cells.tolist(), strict=True):
                for cell in cells if lane < threads_per_block(replay.data) else ():
                    start, end = (_LEFT + at * _PITCH + _CELL // 2 for at in (cell, lane))
                    drawing.arrow((start, y + 132), (end, y + _LANES + _HEIGHT))


def _source(drawing: _Drawing, y: int, data: Mapping[str, Any], now: int, say: Phrases) -> None:
    """The lines around the one that runs."""
    source, first = data["files"][0], now - _ABOVE
    drawing.text("head", _PAD, y, say("source"))
    drawing.box("inner", _PAD, y + 8, 430, _LINES * 14 + 12, 6)
    drawing.box("now", _PAD + 1, y + 14 + _ABOVE * 14, 428, 15)
    for at, number in enumerate(range(first, first + _LINES)):
        drawing.text("soft", _PAD + 10, y + 25 + at * 14, f"{number:3}")
        drawing.text("", _PAD + 44, y + 25 + at * 14, source["lines"][number - source["from"]])


def _memory(drawing: _Drawing, y: int, replay: DecodedTrace, step: Step, state: RecordedState, say: Phrases) -> None:
    """The first block's shared array and the outputs, with what is read and written now."""
    drawing.text("head", _LEFT, y - 66, say("memory"))
    for at, name in enumerate(("cache", "output")):
        number = next(at for at, each in enumerate(replay.data["buffers"]) if each["name"] == name)
        buffer = replay.data["buffers"][number]
        shape = ", ".join(map(str, buffer["shape"]))
        row = y - 50 + at * 54
        drawing.text("", _LEFT, row, f"{name}[{shape}]  {say(buffer['space'])}")
        touched = {kind: _cells(step, number, kind) for kind in (LOAD, STORE)}
        for cell in range(buffer["cells"]):
            held = state.cells[number].get(cell)
            style = "written" if cell in touched[STORE] else "read" if cell in touched[LOAD] else "held"
            drawing.box(style if held is not None else "idle", _LEFT + cell * _PITCH, row + 8, _CELL, _HEIGHT, 3)
            drawing.text(
                "middle",
                _LEFT + cell * _PITCH + _CELL // 2,
                row + 23,
                "·" if held is None else shorten_number(replay.text(held)),
            )
            if style == "read":
                drawing.text("small", _LEFT + cell * _PITCH + _CELL - 8, row + 16, "R")


def _cells(step: Step, buffer: int, kind: int) -> Sequence[int]:
    found = [
        access.cells.reshape(-1).tolist() for access in step.accesses if (access.buffer, access.kind) == (buffer, kind)
    ]
    return [cell for cells in found for cell in cells]
