"""Draw the figures `lanes`, `blocks` and `warps`: activity step by step, barriers, and values passed between them."""

from __future__ import annotations

from collections.abc import Iterable

from harness.learning.figures.figure import Figure, FigureRequest
from harness.learning.figures.moments import Flow, Moment, find_moments, threads_per_block
from harness.learning.figures.scene import Scene
from harness.learning.replay import DecodedTrace
from harness.learning.words import Phrases

__all__ = ["draw_blocks", "draw_lanes", "warps"]

_BOX, _GAP, _TEXT = 18, 6, 14
_RULE = 8  # the height of a barrier
_TIP = 9  # between a line of the source and what arrows point at: no text lies on their tips
_LEFT = 30  # of what is drawn; the lines' numbers stand before it
_LONGEST = 56  # characters of a line of the source


class _TimeRows:
    """The rows of a figure of time, a moment each, below the source line that runs.

    The source stands above the row, not beside it: a telephone shows a narrow figure without scaling.
    """

    def __init__(
        self, replay: DecodedTrace, moments: Iterable[Moment], say: Phrases, *, head: int, flows: Iterable[Flow]
    ) -> None:
        self.moments, self.say = list(moments), say
        pointed_at = {flow.read for flow in flows}
        self.arrow_gaps = [_TIP * (moment.number in pointed_at) for moment in self.moments]
        data = replay.data
        self.row_of_moment = {moment.number: row for row, moment in enumerate(self.moments)}
        lines = [data["lines"][moment.step.line][1] for moment in self.moments]
        texts = [replay.source(moment.step.line) for moment in self.moments]
        # A line that goes on from the row above is not told again.
        new = [not at or line != lines[at - 1] for at, line in enumerate(lines)]
        self.numbers = [str(line) if starts else "" for line, starts in zip(lines, new, strict=True)]
        cut = [text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…" for text in texts]
        self.texts = [text if starts else "" for text, starts in zip(cut, new, strict=True)]
        self.tops: list[int] = []
        self.bottom = head
        for text, moment, room in zip(self.texts, self.moments, self.arrow_gaps, strict=True):
            self.tops.append(self.bottom + (_TEXT if text or moment.synchronization else 0) + room)
            self.bottom = self.tops[-1] + (_RULE if moment.synchronization else _BOX) + _GAP

    def draw_source(self, scene: Scene) -> None:
        for top, number, text, room in zip(self.tops, self.numbers, self.texts, self.arrow_gaps, strict=True):
            if text:
                scene.add_text("right soft", _LEFT - 8, top - room - 4, number)
                scene.add_text("left source", _LEFT, top - room - 4, text)

    def draw_synchronization(self, scene: Scene, row: int, spans: Iterable[tuple[int, int]]) -> None:
        """Draw the barrier of a row across each (left, right) span of x coordinates; the spans come from left to right.

        What kind of barrier it is stands above the right end of the last span, in the figure's language.
        """
        kind, middle = self.moments[row].synchronization, self.tops[row] + _RULE // 2
        style = "cluster" if kind == "cluster" else "barrier"
        right = 0
        for left, right in spans:
            for y in (middle - 3, middle + 3) if style == "barrier" else (middle,):
                scene.add_line(style, (left, y), (right, y))
        name = self.say({"cluster": "cluster_barrier", "warp": "warp_sync"}.get(kind, "barrier"))
        scene.add_text("right soft", right, self.tops[row] - 4, name)

    def draw_flow(self, scene: Scene, flow: Flow, start: int, end: int) -> None:
        scene.add_flow(
            (start, self.tops[self.row_of_moment[flow.written]] + _BOX), (end, self.tops[self.row_of_moment[flow.read]])
        )


def draw_lanes(replay: DecodedTrace, wish: FigureRequest, say: Phrases) -> Figure:
    """Draw what the lanes of a block do over time: reads, writes, exchanges, waits, and values passed between them.

    It shows the first `most` (32) lanes of one block (option `block`, 0). `row_count` is the number of moments, as
    `find_moments` has them, in which one of these lanes runs.
    """
    data = replay.data
    threads, block = threads_per_block(data), wish.number("block", 0)
    count = min(threads, wish.number("most", 32))
    visible = range(block * threads, block * threads + count)
    steps, flows = find_moments(replay)
    flows = [flow for flow in flows if {flow.writer, flow.reader} <= set(visible)]
    visible_moments = (moment for moment in steps if not set(moment.step.active.tolist()).isdisjoint(visible))
    time_rows = _TimeRows(replay, visible_moments, say, head=34, flows=flows)
    box_width, gap = (26, 2) if count <= 16 else (12, 1)
    scene = Scene()

    def x(lane: int) -> int:
        return _LEFT + (lane - visible.start) * (box_width + gap)

    scene.add_text("left soft", 0, 10, say("thread_n"))
    for lane in visible:
        scene.add_text("soft" if count <= 16 else "soft small", x(lane) + box_width // 2, 26, str(lane - visible.start))
    time_rows.draw_source(scene)
    for row, moment in enumerate(time_rows.moments):
        if moment.synchronization:
            time_rows.draw_synchronization(scene, row, [(x(visible.start), x(visible.stop) - gap)])
            continue
        top, active, waiting = time_rows.tops[row], set(moment.step.active.tolist()), set(moment.step.waiting.tolist())
        for lane in visible:
            sign = moment.actions.get(lane, "")
            style = "idle" if lane not in active else "written" if "W" in sign else "run"
            scene.add_box(style, x(lane), top, box_width, _BOX)
            scene.add_text("small bold", x(lane) + box_width // 2, top + 13, sign or ("‖" if lane in waiting else ""))
    drawn_flows = [flow for flow in flows if {flow.written, flow.read} <= set(time_rows.row_of_moment)]
    for flow in drawn_flows:
        time_rows.draw_flow(scene, flow, x(flow.writer) + box_width // 2, x(flow.reader) + box_width // 2)
    scene.add_note(time_rows.bottom + 12, say("lanes_note"))
    barriers = sum(1 for moment in time_rows.moments if moment.synchronization)
    alt = say(
        "alt_lanes",
        count=count,
        block=block,
        steps=len(time_rows.moments) - barriers,
        barriers=barriers,
        flows=len(drawn_flows),
    )
    return Figure(scene.render_svg(alt), alt, scene.width, len(time_rows.moments))


def draw_blocks(replay: DecodedTrace, wish: FigureRequest, say: Phrases) -> Figure:
    """Draw what the blocks of a grid do over time: how many threads run, barriers, and values passed between blocks.

    It shows the first `most` (8) blocks. If one thread of a block alone writes to global memory, the value replaces the
    number of threads. `row_count` is the number of all moments, as `find_moments` has them.
    """
    data = replay.data
    threads = threads_per_block(data)
    count = min(data["grid"][0] * data["grid"][1] * data["grid"][2], wish.number("most", 8))
    steps, flows = find_moments(replay)
    between = [flow for flow in flows if flow.writer // threads != flow.reader // threads]
    drawn_flows = [flow for flow in between if max(flow.writer, flow.reader) < count * threads]
    time_rows = _TimeRows(replay, steps, say, head=18, flows=drawn_flows)
    box_width, gap = 92, 12
    scene = Scene()

    def x(block: int) -> int:
        return _LEFT + block * (box_width + gap)

    for block in range(count):
        scene.add_text("soft", x(block) + box_width // 2, 10, say("block", block=block))
    time_rows.draw_source(scene)
    for row, moment in enumerate(time_rows.moments):
        active: dict[int, int] = {}
        for lane in moment.step.active.tolist():
            active[lane // threads] = active.get(lane // threads, 0) + 1
        active_blocks = [block for block in range(count) if active.get(block)]
        if moment.synchronization:
            each = [(x(block), x(block) + box_width) for block in active_blocks]
            time_rows.draw_synchronization(
                scene, row, each if moment.synchronization != "cluster" else [(x(0), x(count) - gap)]
            )
            continue
        for block in active_blocks:
            top, running = time_rows.tops[row], active[block]
            scene.add_box("idle", x(block), top, box_width, _BOX)
            run_width = max(3, box_width * running // threads)
            written = moment.writes.get(_sole_writer(moment, block, threads), "")
            scene.add_box("written" if written else "run", x(block), top, run_width, _BOX)
            scene.add_text(
                "right" if run_width < box_width else "",
                x(block) + (box_width - 4 if run_width < box_width else box_width // 2),
                top + 13,
                f"= {written}" if written else str(running),
            )
    for flow in drawn_flows:
        time_rows.draw_flow(scene, flow, x(flow.writer // threads) + 3, x(flow.reader // threads) + 3)
    scene.add_note(time_rows.bottom + 12, say("blocks_note", threads=threads))
    kinds = [moment.synchronization for moment in time_rows.moments]
    alt = say(
        "alt_blocks",
        count=count,
        threads=threads,
        barriers=kinds.count("barrier"),
        clusters=kinds.count("cluster"),
        flows=len(drawn_flows),
    )
    return Figure(scene.render_svg(alt), alt, scene.width, len(time_rows.moments))


def _sole_writer(moment: Moment, block: int, threads: int) -> int:
    """Return the only lane in a block that writes to global memory, by its number in the grid; -1 for none or several.

    `threads` are the threads per block.
    """
    writers = [lane for lane in moment.writes if lane // threads == block]
    return writers[0] if len(writers) == 1 else -1


def warps(replay: DecodedTrace, wish: FigureRequest, say: Phrases) -> Figure:
    """Draw the warps of a block over time: how many lanes of each run a step, and what one warp reads of another.

    It shows the first `most` (8) warps of one block (option `block`, 0). If a warp reads several times what others
    wrote in a step, only the first time has arrows. `row_count` is the number of moments in which the block runs.
    """
    data = replay.data
    threads, width, block = threads_per_block(data), int(data["warp"]), wish.number("block", 0)
    count = min(-(-threads // width), wish.number("most", 8))
    first = block * threads
    steps, flows = find_moments(replay)
    visible = [moment for moment in steps if _lanes_of(moment, first, threads)]
    numbers = {moment.number for moment in visible}
    first_read: dict[tuple[int, int], int] = {}  # by step and reader, when the warp first reads what others wrote in it
    drawn_flows: dict[tuple[int, int, int], Flow] = {}
    for flow in flows:
        writer, reader = ((lane - first) // width for lane in (flow.writer, flow.reader))
        if writer == reader or max(writer, reader) >= count or not {flow.written, flow.read} <= numbers:
            continue
        if first_read.setdefault((flow.written, reader), flow.read) == flow.read:
            drawn_flows.setdefault((flow.written, writer, reader), flow)
    time_rows = _TimeRows(replay, visible, say, head=18, flows=drawn_flows.values())
    box_width, gap = (48, 6) if count > 4 else (92, 12)
    scene = Scene()

    def x(warp: int) -> int:
        return _LEFT + warp * (box_width + gap)

    for warp in range(count):
        scene.add_text("soft", x(warp) + box_width // 2, 10, say("warp", warp=warp))
    time_rows.draw_source(scene)
    for row, moment in enumerate(time_rows.moments):
        active = {lane - first for lane in _lanes_of(moment, first, threads)}
        lanes_by = [sorted(lane for lane in active if lane // width == warp) for warp in range(count)]
        if moment.synchronization:
            time_rows.draw_synchronization(
                scene, row, [(x(warp), x(warp) + box_width) for warp in range(count) if lanes_by[warp]]
            )
            continue
        arriving = {lane - first for lane in moment.actions} - active
        for warp, running in enumerate(lanes_by):
            landing = [lane for lane in arriving if lane // width == warp]
            if landing and not running:
                scene.add_box("written", x(warp), time_rows.tops[row], box_width, _BOX)
                scene.add_text("", x(warp) + box_width // 2, time_rows.tops[row] + 13, f"⇣ {len(landing)}")
            if running:
                signs = {moment.actions.get(first + lane, "") for lane in running} - {""}
                style = "written" if any("W" in sign for sign in signs) else "run"
                scene.add_box("idle", x(warp), time_rows.tops[row], box_width, _BOX)
                scene.add_box(style, x(warp), time_rows.tops[row], max(3, box_width * len(running) // width), _BOX)
                text = f"{'/'.join(sorted(signs))} {len(running)}{' ⇣' * bool(landing)}"
                scene.add_text("", x(warp) + box_width // 2, time_rows.tops[row] + 13, text)
    for (_, writer, reader), flow in drawn_flows.items():
        time_rows.draw_flow(scene, flow, x(writer) + 3, x(reader) + 3)
    lands = any(moment.actions.keys() - set(moment.step.active.tolist()) for moment in time_rows.moments)
    note = say("warps_note", lanes=width)
    scene.add_note(time_rows.bottom + 12, f"{note}; {say('warps_lands')}" if lands else note)
    barriers = sum(1 for moment in time_rows.moments if moment.synchronization)
    alt = say(
        "alt_warps",
        count=count,
        lanes=width,
        block=block,
        steps=len(time_rows.moments) - barriers,
        barriers=barriers,
        flows=len(drawn_flows),
    )
    return Figure(scene.render_svg(alt), alt, scene.width, len(time_rows.moments))


def _lanes_of(moment: Moment, first: int, threads: int) -> list[int]:
    """Return the lanes, by their numbers in the grid, of the block that begins at `first`, that run a step."""
    return [lane for lane in moment.step.active.tolist() if first <= lane < first + threads]
