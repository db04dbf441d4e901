"""Figures of time: what lanes and blocks do step by step, and where they wait for each other."""

from __future__ import annotations

from collections.abc import Iterable

from harness.learning.figures.figure import Figure, Wish
from harness.learning.figures.moments import Flow, Moment, moments, threads_of
from harness.learning.figures.scene import Scene
from harness.learning.replay import Replay
from harness.learning.words import Phrases

__all__ = ["blocks", "lanes", "warps"]

_BOX, _GAP, _TEXT = 18, 6, 14
_RULE = 8  # the height of a barrier
_TIP = 9  # between a line of the source and what arrows point at: no text lies on their tips
_LEFT = 30  # of what is drawn; the lines' numbers stand before it
_LONGEST = 56  # characters of a line of the source


class _Rows:
    """The rows of a figure of time: moments, each below the line of the source that runs.

    The source stands above what is drawn, not beside it: a telephone shows a narrow figure at its own size.
    """

    def __init__(
        self, replay: Replay, shown: Iterable[Moment], say: Phrases, *, head: int, flows: Iterable[Flow]
    ) -> None:
        self.moments, self.say = list(shown), say
        pointed_at = {flow.read for flow in flows}
        self.rooms = [_TIP * (moment.number in pointed_at) for moment in self.moments]
        data = replay.data
        self.at = {moment.number: row for row, moment in enumerate(self.moments)}
        lines = [data["lines"][moment.step.line][1] for moment in self.moments]
        texts = [replay.source(moment.step.line) for moment in self.moments]
        # A line that goes on from the row above is not told again.
        new = [not at or line != lines[at - 1] for at, line in enumerate(lines)]
        self.numbers = [str(line) if starts else "" for line, starts in zip(lines, new, strict=True)]
        cut = [text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…" for text in texts]
        self.texts = [text if starts else "" for text, starts in zip(cut, new, strict=True)]
        self.tops: list[int] = []
        self.bottom = head
        for text, moment, room in zip(self.texts, self.moments, self.rooms, strict=True):
            self.tops.append(self.bottom + (_TEXT if text or moment.meeting else 0) + room)
            self.bottom = self.tops[-1] + (_RULE if moment.meeting else _BOX) + _GAP

    def draw_source(self, scene: Scene) -> None:
        for top, number, text, room in zip(self.tops, self.numbers, self.texts, self.rooms, strict=True):
            if text:
                scene.text("right soft", _LEFT - 8, top - room - 4, number)
                scene.text("left source", _LEFT, top - room - 4, text)

    def draw_meeting(self, scene: Scene, row: int, places: Iterable[tuple[int, int]]) -> None:
        """A barrier across each of the places, from left to right, with its name at the end."""
        kind, middle = self.moments[row].meeting, self.tops[row] + _RULE // 2
        style = "cluster" if kind == "cluster" else "barrier"
        right = 0
        for left, right in places:
            for y in (middle - 3, middle + 3) if style == "barrier" else (middle,):
                scene.line(style, (left, y), (right, y))
        name = self.say({"cluster": "cluster_barrier", "warp": "warp_sync"}.get(kind, "barrier"))
        scene.text("right soft", right, self.tops[row] - 4, name)

    def draw_flow(self, scene: Scene, flow: Flow, start: int, end: int) -> None:
        scene.flow((start, self.tops[self.at[flow.written]] + _BOX), (end, self.tops[self.at[flow.read]]))


def lanes(replay: Replay, wish: Wish, say: Phrases) -> Figure:
    """The lanes of a block: who reads, writes, exchanges and waits, and what one reads that another wrote."""
    data = replay.data
    threads, block = threads_of(data), wish.number("block", 0)
    count = min(threads, wish.number("most", 32))
    shown = range(block * threads, block * threads + count)
    steps, flows = moments(replay)
    flows = [flow for flow in flows if {flow.writer, flow.reader} <= set(shown)]
    some = (moment for moment in steps if not set(moment.step.active.tolist()).isdisjoint(shown))
    rows = _Rows(replay, some, say, head=34, flows=flows)
    wide, gap = (26, 2) if count <= 16 else (12, 1)
    scene = Scene()

    def x(lane: int) -> int:
        return _LEFT + (lane - shown.start) * (wide + gap)

    scene.text("left soft", 0, 10, say("thread_n"))
    for lane in shown:
        scene.text("soft" if count <= 16 else "soft small", x(lane) + wide // 2, 26, str(lane - shown.start))
    rows.draw_source(scene)
    for row, moment in enumerate(rows.moments):
        if moment.meeting:
            rows.draw_meeting(scene, row, [(x(shown.start), x(shown.stop) - gap)])
            continue
        top, active, waiting = rows.tops[row], set(moment.step.active.tolist()), set(moment.step.waiting.tolist())
        for lane in shown:
            sign = moment.does.get(lane, "")
            style = "idle" if lane not in active else "written" if "W" in sign else "run"
            scene.box(style, x(lane), top, wide, _BOX)
            scene.text("small bold", x(lane) + wide // 2, top + 13, sign or ("‖" if lane in waiting else ""))
    drawn = [flow for flow in flows if {flow.written, flow.read} <= set(rows.at)]
    for flow in drawn:
        rows.draw_flow(scene, flow, x(flow.writer) + wide // 2, x(flow.reader) + wide // 2)
    scene.note(rows.bottom + 12, say("lanes_note"))
    barriers = sum(1 for moment in rows.moments if moment.meeting)
    alt = say(
        "alt_lanes", count=count, block=block, steps=len(rows.moments) - barriers, barriers=barriers, flows=len(drawn)
    )
    return Figure(scene.svg(alt), alt, scene.width, len(rows.moments))


def blocks(replay: Replay, wish: Wish, say: Phrases) -> Figure:
    """The blocks of a grid: how many of their threads run a line, where they meet, and what one reads of another."""
    data = replay.data
    threads = threads_of(data)
    count = min(data["grid"][0] * data["grid"][1] * data["grid"][2], wish.number("most", 8))
    steps, flows = moments(replay)
    between = [flow for flow in flows if flow.writer // threads != flow.reader // threads]
    drawn = [flow for flow in between if max(flow.writer, flow.reader) < count * threads]
    rows = _Rows(replay, steps, say, head=18, flows=drawn)
    wide, gap = 92, 12
    scene = Scene()

    def x(block: int) -> int:
        return _LEFT + block * (wide + gap)

    for block in range(count):
        scene.text("soft", x(block) + wide // 2, 10, say("block", block=block))
    rows.draw_source(scene)
    for row, moment in enumerate(rows.moments):
        active: dict[int, int] = {}
        for lane in moment.step.active.tolist():
            active[lane // threads] = active.get(lane // threads, 0) + 1
        here = [block for block in range(count) if active.get(block)]
        if moment.meeting:
            each = [(x(block), x(block) + wide) for block in here]
            rows.draw_meeting(scene, row, each if moment.meeting != "cluster" else [(x(0), x(count) - gap)])
            continue
        for block in here:
            top, running = rows.tops[row], active[block]
            scene.box("idle", x(block), top, wide, _BOX)
            long = max(3, wide * running // threads)
            written = moment.writes.get(_only(moment, block, threads), "")
            scene.box("written" if written else "run", x(block), top, long, _BOX)
            scene.text(
                "right" if long < wide else "",
                x(block) + (wide - 4 if long < wide else wide // 2),
                top + 13,
                f"= {written}" if written else str(running),
            )
    for flow in drawn:
        rows.draw_flow(scene, flow, x(flow.writer // threads) + 3, x(flow.reader // threads) + 3)
    scene.note(rows.bottom + 12, say("blocks_note", threads=threads))
    kinds = [moment.meeting for moment in rows.moments]
    alt = say(
        "alt_blocks",
        count=count,
        threads=threads,
        barriers=kinds.count("barrier"),
        clusters=kinds.count("cluster"),
        flows=len(drawn),
    )
    return Figure(scene.svg(alt), alt, scene.width, len(rows.moments))


def _only(moment: Moment, block: int, threads: int) -> int:
    """The lane of a block that writes to global memory, where it is one alone."""
    writers = [lane for lane in moment.writes if lane // threads == block]
    return writers[0] if len(writers) == 1 else -1


def warps(replay: Replay, wish: Wish, say: Phrases) -> Figure:
    """The warps of a block through time: how many lanes of each run a line, and what one warp reads of another."""
    data = replay.data
    threads, width, block = threads_of(data), int(data["warp"]), wish.number("block", 0)
    count = min(-(-threads // width), wish.number("most", 8))
    first = block * threads
    steps, flows = moments(replay)
    shown = [moment for moment in steps if _lanes_of(moment, first, threads)]
    numbers = {moment.number for moment in shown}
    first_read: dict[tuple[int, int], int] = {}  # by step and reader, when the warp first reads what others wrote in it
    drawn: dict[tuple[int, int, int], Flow] = {}
    for flow in flows:
        writer, reader = ((lane - first) // width for lane in (flow.writer, flow.reader))
        if writer == reader or max(writer, reader) >= count or not {flow.written, flow.read} <= numbers:
            continue
        if first_read.setdefault((flow.written, reader), flow.read) == flow.read:
            drawn.setdefault((flow.written, writer, reader), flow)
    rows = _Rows(replay, shown, say, head=18, flows=drawn.values())
    wide, gap = (48, 6) if count > 4 else (92, 12)
    scene = Scene()

    def x(warp: int) -> int:
        return _LEFT + warp * (wide + gap)

    for warp in range(count):
        scene.text("soft", x(warp) + wide // 2, 10, say("warp", warp=warp))
    rows.draw_source(scene)
    for row, moment in enumerate(rows.moments):
        active = {lane - first for lane in _lanes_of(moment, first, threads)}
        lanes_by = [sorted(lane for lane in active if lane // width == warp) for warp in range(count)]
        if moment.meeting:
            rows.draw_meeting(scene, row, [(x(warp), x(warp) + wide) for warp in range(count) if lanes_by[warp]])
            continue
        arriving = {lane - first for lane in moment.does} - active
        for warp, running in enumerate(lanes_by):
            landing = [lane for lane in arriving if lane // width == warp]
            if landing and not running:
                scene.box("written", x(warp), rows.tops[row], wide, _BOX)
                scene.text("", x(warp) + wide // 2, rows.tops[row] + 13, f"⇣ {len(landing)}")
            if running:
                signs = {moment.does.get(first + lane, "") for lane in running} - {""}
                style = "written" if any("W" in sign for sign in signs) else "run"
                scene.box("idle", x(warp), rows.tops[row], wide, _BOX)
                scene.box(style, x(warp), rows.tops[row], max(3, wide * len(running) // width), _BOX)
                text = f"{'/'.join(sorted(signs))} {len(running)}{' ⇣' * bool(landing)}"
                scene.text("", x(warp) + wide // 2, rows.tops[row] + 13, text)
    for (_, writer, reader), flow in drawn.items():
        rows.draw_flow(scene, flow, x(writer) + 3, x(reader) + 3)
    lands = any(moment.does.keys() - set(moment.step.active.tolist()) for moment in rows.moments)
    note = say("warps_note", lanes=width)
    scene.note(rows.bottom + 12, f"{note}; {say('warps_lands')}" if lands else note)
    barriers = sum(1 for moment in rows.moments if moment.meeting)
    alt = say(
        "alt_warps",
        count=count,
        lanes=width,
        block=block,
        steps=len(rows.moments) - barriers,
        barriers=barriers,
        flows=len(drawn),
    )
    return Figure(scene.svg(alt), alt, scene.width, len(rows.moments))


def _lanes_of(moment: Moment, first: int, threads: int) -> list[int]:
    """The lanes of one block, from its first one on, that run a step."""
    return [lane for lane in moment.step.active.tolist() if first <= lane < first + threads]
