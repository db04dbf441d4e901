"""Figures of time: what lanes and blocks do step by step, and where they wait for each other."""

from __future__ import annotations

from collections.abc import Iterable

from harness.learning.figures.figure import Figure, Wish
from harness.learning.figures.moments import Flow, Moment, moments, source_text, threads_of
from harness.learning.figures.scene import CHARACTER, Scene
from harness.learning.replay import Replay
from harness.learning.words import Phrases

__all__ = ["blocks", "lanes"]

_ROW, _BOX = 24, 18
_LONGEST = 40  # characters of a line of the source


class _Rows:
    """The rows of a figure of time: moments, with the source at the left."""

    def __init__(self, replay: Replay, shown: Iterable[Moment], say: Phrases) -> None:
        self.moments, self.say = list(shown), say
        data = replay.data
        self.at = {moment.number: row for row, moment in enumerate(self.moments)}
        lines = [data["lines"][moment.step.line][1] for moment in self.moments]
        texts = [source_text(data, moment.step.line) for moment in self.moments]
        # A line that goes on from the row above is not told again.
        new = [not at or line != lines[at - 1] for at, line in enumerate(lines)]
        self.numbers = [str(line) if starts else "" for line, starts in zip(lines, new, strict=True)]
        cut = [text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…" for text in texts]
        self.texts = [text if starts else "" for text, starts in zip(cut, new, strict=True)]
        self.left = 44 + round(CHARACTER * max((len(text) for text in self.texts), default=0))

    def top(self, row: int) -> int:
        return 20 + row * _ROW

    def draw_source(self, scene: Scene) -> None:
        for row, (number, text) in enumerate(zip(self.numbers, self.texts, strict=True)):
            if text:
                scene.text("right soft", 22, self.top(row) + 13, number)
                scene.text("left", 30, self.top(row) + 13, text)

    def draw_flow(self, scene: Scene, flow: Flow, start: int, end: int) -> None:
        written, read = self.top(self.at[flow.written]) + _BOX, self.top(self.at[flow.read])
        scene.flow((start, written), (end, read))

    def meeting(self, moment: Moment) -> str:
        return self.say({"cluster": "cluster_barrier", "warp": "warp_sync"}.get(moment.meeting, "barrier"))


def lanes(replay: Replay, wish: Wish, say: Phrases) -> Figure:
    """The lanes of a block: who reads, writes, exchanges and waits, and what one reads that another wrote."""
    data = replay.data
    threads, block = threads_of(data), wish.number("block", 0)
    count = min(threads, wish.number("most", 32))
    shown = range(block * threads, block * threads + count)
    steps, flows = moments(replay)
    rows = _Rows(replay, (moment for moment in steps if not set(moment.step.active.tolist()).isdisjoint(shown)), say)
    wide = 28 if count <= 16 else 20
    scene = Scene()

    def x(lane: int) -> int:
        return rows.left + (lane - shown.start) * (wide + 2)

    scene.text("right soft", rows.left - 10, 10, say("thread_n"))
    for lane in shown:
        scene.text("soft", x(lane) + wide // 2, 10, str(lane - shown.start))
    rows.draw_source(scene)
    for row, moment in enumerate(rows.moments):
        top, active = rows.top(row), set(moment.step.active.tolist())
        if moment.meeting:
            middle = top + _BOX // 2
            _barrier(
                scene, "barrier" if moment.meeting != "cluster" else "cluster", x(shown.start), x(shown.stop), middle
            )
            scene.text("left soft", x(shown.stop) + 6, middle + 4, rows.meeting(moment))
            continue
        waiting = set(moment.step.waiting.tolist())
        for lane in shown:
            sign = moment.does.get(lane, "")
            style = "idle" if lane not in active else "written" if "W" in sign else "run"
            scene.box(style, x(lane), top, wide, _BOX)
            scene.text("small bold", x(lane) + wide // 2, top + 13, sign or ("‖" if lane in waiting else ""))
    drawn = [
        flow for flow in flows if {flow.written, flow.read} <= set(rows.at) and {flow.writer, flow.reader} <= set(shown)
    ]
    for flow in drawn:
        rows.draw_flow(scene, flow, x(flow.writer) + wide // 2, x(flow.reader) + wide // 2)
    scene.text("left soft", 0, rows.top(len(rows.moments)) + 16, say("lanes_note"))
    barriers = sum(1 for moment in rows.moments if moment.meeting)
    alt = say(
        "alt_lanes", count=count, block=block, steps=len(rows.moments) - barriers, barriers=barriers, flows=len(drawn)
    )
    return Figure(scene.svg(alt), alt, len(rows.moments))


def blocks(replay: Replay, wish: Wish, say: Phrases) -> Figure:
    """The blocks of a grid: how many of their threads run a line, where they meet, and what one reads of another."""
    data = replay.data
    threads = threads_of(data)
    count = min(data["grid"][0] * data["grid"][1] * data["grid"][2], wish.number("most", 8))
    steps, flows = moments(replay)
    rows = _Rows(replay, steps, say)
    wide, gap = 112, 16
    scene = Scene()

    def x(block: int) -> int:
        return rows.left + block * (wide + gap)

    for block in range(count):
        scene.text("soft", x(block) + wide // 2, 10, say("block", block=block))
    rows.draw_source(scene)
    for row, moment in enumerate(rows.moments):
        top = rows.top(row)
        active: dict[int, int] = {}
        for lane in moment.step.active.tolist():
            active[lane // threads] = active.get(lane // threads, 0) + 1
        if moment.meeting == "cluster":
            _barrier(scene, "cluster", x(0), x(count) - gap, top + _BOX // 2)
            scene.text("left soft", x(count) - gap + 6, top + _BOX // 2 + 4, rows.meeting(moment))
            continue
        for block in range(count):
            if not (running := active.get(block, 0)):
                continue
            if moment.meeting:
                _barrier(scene, "barrier", x(block), x(block) + wide, top + _BOX // 2)
                continue
            scene.box("idle", x(block), top, wide, _BOX)
            long = max(3, wide * running // threads)
            written = moment.writes.get(_only(moment, block, threads), "")
            scene.box("written" if written else "run", x(block), top, long, _BOX)
            scene.text(
                "right" if long < wide else "",
                x(block) + (wide - 4 if long < wide else wide // 2),
                top + 13,
                written or str(running),
            )
    between = [flow for flow in flows if flow.writer // threads != flow.reader // threads]
    drawn = [flow for flow in between if max(flow.writer, flow.reader) < count * threads]
    for flow in drawn:
        rows.draw_flow(scene, flow, x(flow.writer // threads) + 3, x(flow.reader // threads) + 3)
    scene.text("left soft", 0, rows.top(len(rows.moments)) + 16, say("blocks_note", threads=threads))
    kinds = [moment.meeting for moment in rows.moments]
    alt = say(
        "alt_blocks",
        count=count,
        threads=threads,
        barriers=kinds.count("barrier"),
        clusters=kinds.count("cluster"),
        flows=len(drawn),
    )
    return Figure(scene.svg(alt), alt, len(rows.moments))


def _only(moment: Moment, block: int, threads: int) -> int:
    """The lane of a block that writes to global memory, where it is one alone."""
    writers = [lane for lane in moment.writes if lane // threads == block]
    return writers[0] if len(writers) == 1 else -1


def _barrier(scene: Scene, style: str, left: int, right: int, middle: int) -> None:
    for y in (middle - 3, middle + 3) if style == "barrier" else (middle,):
        scene.line(style, (left, y), (right, y))
