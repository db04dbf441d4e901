"""Format a trace as lines of text, for terminals and screen readers: launch, findings, steps of all lanes or one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from harness.learning.replay import DecodedTrace, Numbers, RecordedAccess, RecordedShuffle, Step, Value
from harness.learning.words import Phrases
from harness.simt.messages import words
from harness.simt.observing.columns import ATOMIC, LOAD, SETTLED, STORE
from harness.simt.plain import printable

__all__ = ["format_cell", "format_heading", "format_lanes", "format_trace", "format_value"]

SHOWN = 6  # of many accesses or values
VERBS = {LOAD: "reads", STORE: "writes", ATOMIC: "updates", SETTLED: "becomes"}
# As `PhaseBarrier.text` writes them.
_MBARRIER = re.compile(r"mbarrier (?P<phase>\d+) (?P<arrived>\d+)/(?P<expected>\d+)(?: (?P<bytes>-?\d+)B)?")
_TOKEN = re.compile(r"token (?P<phase>\d+)")
BARRIERS = {"barrier": "barrier", "cluster": "cluster_barrier", "mbarrier": "mbarrier", "warp": "warp_sync"}


def format_trace(data: Mapping[str, Any], say: Phrases, lane: int | None = None) -> Iterator[str]:
    """Yield the lines of text for a trace: its heading, then each step, numbered from 1.

    Args:
        data: The trace's data.
        say: The texts, in the language to write.
        lane: Show only the steps that this lane (its number in the grid) runs, and its part of them; all lanes if None.
    """
    replay = DecodedTrace(data)
    yield from format_heading(data, say)
    for number, step in enumerate(replay.steps, 1):
        if lane is None or lane in step.active:
            yield from _format_step(replay, say, number, step, lane)


def format_heading(data: Mapping[str, Any], say: Phrases) -> Iterator[str]:
    """Yield the lines about the launch as a whole: kernel, target, verdict, what is left out, and findings with their
    sides.

    Findings for information are not shown.
    """
    shape = say("grid_block", grid=_format_extent(data["grid"]), block=_format_extent(data["block"]))
    if data["cluster"] != [1, 1, 1]:
        shape += ", " + say("with_cluster", cluster=_format_extent(data["cluster"]))
    program = data["program"]
    if program:
        yield printable(f"{program['name']}: {say('launched', **program)}")
        if program["shown"] < program["launches"]:
            yield say("windowed_launches", **program)
    name = data["case"] or data["kernel"]
    about = [data["kernel"] if program else f"{name}: {data['kernel']}", data["target"], shape]
    if data["dataset"]:
        about.append(say("dataset", name=data["dataset"]))
    yield printable("; ".join(about))
    if program and data["arguments"]:
        yield printable(", ".join(f"{name} = {text}" if name else text for name, text in data["arguments"]))
    if data["verdict"]:
        yield f"{say('verdict')}: {words(say.language).word('verdict', data['verdict'])}"
        yield say("of_normal" if data["agrees"] else "disagree")
    if data["fault"]:
        yield printable(say("fault", reason=data["fault"]))
    yield from format_omissions(data, say)
    for finding in data["findings"]:
        if finding["severity"] != "information":
            yield printable(f"{finding['title']}: {finding['message']}")
            for number, side in enumerate(side for side in finding["sides"] if side["file"]):
                step = "" if side["step"] is None else f", {say('step')} {side['step'] + 1}"
                where = format_lanes(data, say, np.array([side["lane"]])) if side["lane"] is not None else ""
                yield printable(f"  {number + 1}. {side['file']}:{side['line']} {where}{step}")


def format_omissions(data: Mapping[str, Any], say: Phrases) -> Iterator[str]:
    """Yield sentences about the steps and blocks that a trace leaves out; nothing if it is complete."""
    if not data["kept"]:
        yield say("no_steps")
    elif data["kept"] < data["steps"]:
        yield say("windowed_steps", kept=data["kept"], steps=data["steps"])
    if data["blocks"] is not None:
        yield say("windowed_blocks", shown=len(data["blocks"]), blocks=int(np.prod(data["grid"])))


def _format_extent(extent: Sequence[int]) -> str:
    return ", ".join(map(str, extent))


def _format_step(replay: DecodedTrace, say: Phrases, number: int, step: Step, lane: int | None) -> Iterator[str]:
    data = replay.data
    line = data["lines"][step.line][1]
    yield printable(f"{number:5}  {say('line', line=line)}: {replay.source(step.line)}")
    if lane is None:
        blocks = data["blocks"] if data["blocks"] is not None else range(int(np.prod(data["grid"])))
        total = len(blocks) * int(np.prod(data["block"]))
        count = len(step.active)
        key = "all_lanes" if count == total else "some_lanes"
        counts = [say(key, count=count, total=total)]
        if count < total:
            counts[0] += f" ({format_lanes(data, say, step.active)})"
        counts += [say("waiting_n", count=len(step.waiting))] if len(step.waiting) else []
        counts += [say("ended_n", count=len(step.finished))] if len(step.finished) else []
        yield f"         {', '.join(counts)}"
    for meeting in step.synchronizations:
        if lane is None or lane in meeting.lanes:
            key = BARRIERS[meeting.kind.partition(".")[0]]
            yield f"         {say(key)}: {format_lanes(data, say, meeting.lanes)}"
    for access in step.accesses:
        yield from _format_access(replay, say, access, lane)
    for shuffle in step.shuffles:
        yield from _format_shuffle(replay, say, shuffle, lane)
    for value in _last_values(step.values):
        yield from _format_value(replay, say, value, lane)


def _format_access(replay: DecodedTrace, say: Phrases, access: RecordedAccess, lane: int | None) -> Iterator[str]:
    rows: Numbers = np.arange(len(access.cells)) if lane is None else np.flatnonzero(access.lanes == lane)
    if access.kind == SETTLED:
        rows = np.arange(len(access.cells))
    texts = []
    for row in rows[:SHOWN].tolist():
        for place, cell in enumerate(access.cells[row].tolist()):
            name = format_cell(replay.data, say, access.buffer, cell)
            if access.values is not None:
                name += f" = {format_value(say, replay.text(int(access.values[row, place])))}"
            elif access.kind != ATOMIC:  # of an `mbarrier` what it becomes is told
                name += " = ?"
            texts.append(name)
    if not texts:
        return
    more = f", {say('more', count=len(rows) - SHOWN)}" if len(rows) > SHOWN else ""
    yield printable(f"         {say(VERBS[access.kind])}: {', '.join(texts)}{more}")


def _format_shuffle(replay: DecodedTrace, say: Phrases, shuffle: RecordedShuffle, lane: int | None) -> Iterator[str]:
    rows = np.arange(len(shuffle.lanes)) if lane is None else np.flatnonzero(shuffle.lanes == lane)
    if shuffle.sources is None or not len(rows):
        return
    texts = []
    for at in rows[:SHOWN].tolist():
        receiver = format_lanes(replay.data, say, shuffle.lanes[at : at + 1])
        if shuffle.sources[at] < 0:
            texts.append(f"{receiver} {say('from_inactive')}")
            continue
        source = format_lanes(replay.data, say, shuffle.sources[at : at + 1])
        texts.append(f"{receiver} {say('gets', value=replay.text(int(shuffle.received[at])), source=source)}")
    more = f"; {say('more', count=len(rows) - SHOWN)}" if len(rows) > SHOWN else ""
    yield f"         {say('shuffle')}: {'; '.join(texts)}{more}"


def _last_values(values: Sequence[Value]) -> list[Value]:
    """Return the values without those that the same lanes set again, for the same variable, later in the step."""
    return list({(value.variable, value.lanes.tobytes()): value for value in values}.values())


def _format_value(replay: DecodedTrace, say: Phrases, value: Value, lane: int | None) -> Iterator[str]:
    name = replay.data["variables"][value.variable]["name"]
    selected = value.values if lane is None else value.values[value.lanes == lane]
    if not len(selected):
        return
    texts = [format_value(say, replay.text(int(value))) for value in selected[:SHOWN]]
    text = texts[0] if len(np.unique(selected)) == 1 else ", ".join(texts) + (", ..." if len(selected) > SHOWN else "")
    yield printable(f"         {name} = {text}")


def format_value(say: Phrases, text: str) -> str:
    """Return a recorded value in words if it is an `mbarrier` or a token of one; otherwise the same text."""
    if match := _MBARRIER.fullmatch(text):
        state = say("mbarrier_state", phase=match["phase"], arrived=match["arrived"], expected=match["expected"])
        return state + (f", {say('mbarrier_bytes', bytes=match['bytes'])}" if match["bytes"] else "")
    if match := _TOKEN.fullmatch(text):
        return say("mbarrier_token", phase=match["phase"])
    return text


def format_cell(data: Mapping[str, Any], say: Phrases, buffer: int, cell: int) -> str:
    """Return a cell's name as the source writes it, with its block or lane if each has cells of its own.

    `cell` counts through all blocks or lanes. The name has one index for each extent, or a single one if the shape does
    not match the size; a block is not named in a grid of one.
    """
    entry = data["buffers"][buffer]
    owner, at = divmod(cell, entry["cells"]) if entry["cells"] else (0, cell)
    index = np.unravel_index(at, entry["shape"]) if int(np.prod(entry["shape"])) == entry["cells"] else (at,)
    name = f"{entry['name']}[{', '.join(str(int(part)) for part in index)}]"
    if entry["rows"] == "block" and int(np.prod(data["grid"])) > 1:
        name += f" ({say('block', block=owner)})"
    elif entry["rows"] == "lane":
        name += f" ({format_lanes(data, say, np.array([owner]))})"
    return name


def format_lanes(data: Mapping[str, Any], say: Phrases, lanes: Numbers) -> str:
    """Return the names of lanes by block and thread, neighbours as ranges; at most `SHOWN` (6) groups, and how many
    more there are.

    Successive blocks with the same threads make one group. Blocks are not named in a grid of one.

    Args:
        data: The trace's data.
        say: The texts, in the language to write.
        lanes: The lanes' numbers in the grid, ascending.
    """
    threads = int(np.prod(data["block"]))
    several = int(np.prod(data["grid"])) > 1
    spans_by_block = [
        (block, _group_spans([lane % threads for lane in group]))
        for block, group in groupby(lanes.tolist(), key=lambda lane: lane // threads)
    ]
    texts = []
    for spans, group in groupby(spans_by_block, key=lambda pair: pair[1]):
        blocks = [block for block, _ in group]
        text = ", ".join(_format_span(say, "thread", first, last) for first, last in spans)
        block_text = ", ".join(_format_span(say, "block", first, last) for first, last in _group_spans(blocks))
        texts.append(f"{block_text} {text}" if several else text)
    return "; ".join(texts[:SHOWN]) + (f"; {say('more', count=len(texts) - SHOWN)}" if len(texts) > SHOWN else "")


def _group_spans(numbers: Sequence[int]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1] = spans[-1][0], number
        else:
            spans.append((number, number))
    return spans


def _format_span(say: Phrases, kind: str, first: int, last: int) -> str:
    return say(kind, **{kind: first}) if first == last else say(f"{kind}s", first=first, last=last)
