"""A trace as text: what a page shows, for terminals and screen readers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from harness.learning.replay import Access, Numbers, Replay, Shuffle, Step, Value
from harness.learning.words import Phrases
from harness.simt.messages import words
from harness.simt.observing.columns import ATOMIC, LOAD, SETTLED, STORE
from harness.simt.plain import printable

__all__ = ["cell_name", "heading", "lane_names", "lines", "value_text"]

SHOWN = 6  # of many accesses or values
VERBS = {LOAD: "reads", STORE: "writes", ATOMIC: "updates", SETTLED: "becomes"}
# As `PhaseBarrier.text` writes them.
_MBARRIER = re.compile(r"mbarrier (?P<phase>\d+) (?P<arrived>\d+)/(?P<expected>\d+)(?: (?P<bytes>-?\d+)B)?")
_TOKEN = re.compile(r"token (?P<phase>\d+)")
BARRIERS = {"barrier": "barrier", "cluster": "cluster_barrier", "mbarrier": "mbarrier", "warp": "warp_sync"}


def lines(data: Mapping[str, Any], say: Phrases, lane: int | None = None) -> Iterator[str]:
    """The lines of a trace.

    Args:
        data: Of the trace.
        say: The language.
        lane: The number in the grid of a lane, to show only what that one does; all if None.
    """
    replay = Replay(data)
    yield from heading(data, say)
    for number, step in enumerate(replay.steps, 1):
        if lane is None or lane in step.active:
            yield from _step(replay, say, number, step, lane)


def heading(data: Mapping[str, Any], say: Phrases) -> Iterator[str]:
    """What there is to say of the launch as a whole."""
    shape = say("grid_block", grid=_extent(data["grid"]), block=_extent(data["block"]))
    if data["cluster"] != [1, 1, 1]:
        shape += ", " + say("with_cluster", cluster=_extent(data["cluster"]))
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
    yield from windowed(data, say)
    for finding in data["findings"]:
        if finding["severity"] != "information":
            yield printable(f"{finding['title']}: {finding['message']}")
            for number, side in enumerate(side for side in finding["sides"] if side["file"]):
                step = "" if side["step"] is None else f", {say('step')} {side['step'] + 1}"
                where = lane_names(data, say, np.array([side["lane"]])) if side["lane"] is not None else ""
                yield printable(f"  {number + 1}. {side['file']}:{side['line']} {where}{step}")


def windowed(data: Mapping[str, Any], say: Phrases) -> Iterator[str]:
    """What of the launch is not shown."""
    if not data["kept"]:
        yield say("no_steps")
    elif data["kept"] < data["steps"]:
        yield say("windowed_steps", kept=data["kept"], steps=data["steps"])
    if data["blocks"] is not None:
        yield say("windowed_blocks", shown=len(data["blocks"]), blocks=int(np.prod(data["grid"])))


def _extent(extent: Sequence[int]) -> str:
    return ", ".join(map(str, extent))


def _step(replay: Replay, say: Phrases, number: int, step: Step, lane: int | None) -> Iterator[str]:
    data = replay.data
    line = data["lines"][step.line][1]
    yield printable(f"{number:5}  {say('line', line=line)}: {replay.source(step.line)}")
    if lane is None:
        shown = data["blocks"] if data["blocks"] is not None else range(int(np.prod(data["grid"])))
        total = len(shown) * int(np.prod(data["block"]))
        count = len(step.active)
        key = "all_lanes" if count == total else "some_lanes"
        parts = [say(key, count=count, total=total)]
        if count < total:
            parts[0] += f" ({lane_names(data, say, step.active)})"
        parts += [say("waiting_n", count=len(step.waiting))] if len(step.waiting) else []
        parts += [say("ended_n", count=len(step.ended))] if len(step.ended) else []
        yield f"         {', '.join(parts)}"
    for meeting in step.meetings:
        if lane is None or lane in meeting.lanes:
            key = BARRIERS[meeting.kind.partition(".")[0]]
            yield f"         {say(key)}: {lane_names(data, say, meeting.lanes)}"
    for access in step.accesses:
        yield from _access(replay, say, access, lane)
    for shuffle in step.shuffles:
        yield from _shuffle(replay, say, shuffle, lane)
    for value in _last(step.values):
        yield from _value(replay, say, value, lane)


def _access(replay: Replay, say: Phrases, access: Access, lane: int | None) -> Iterator[str]:
    chosen: Numbers = np.arange(len(access.cells)) if lane is None else np.flatnonzero(access.lanes == lane)
    if access.kind == SETTLED:
        chosen = np.arange(len(access.cells))
    told = []
    for row in chosen[:SHOWN].tolist():
        for place, cell in enumerate(access.cells[row].tolist()):
            name = cell_name(replay.data, say, access.buffer, cell)
            if access.values is not None:
                name += f" = {value_text(say, replay.text(int(access.values[row, place])))}"
            elif access.kind != ATOMIC:  # of an `mbarrier` what it becomes is told
                name += " = ?"
            told.append(name)
    if not told:
        return
    more = f", {say('more', count=len(chosen) - SHOWN)}" if len(chosen) > SHOWN else ""
    yield printable(f"         {say(VERBS[access.kind])}: {', '.join(told)}{more}")


def _shuffle(replay: Replay, say: Phrases, shuffle: Shuffle, lane: int | None) -> Iterator[str]:
    chosen = np.arange(len(shuffle.lanes)) if lane is None else np.flatnonzero(shuffle.lanes == lane)
    if shuffle.sources is None or not len(chosen):
        return
    told = []
    for at in chosen[:SHOWN].tolist():
        own = lane_names(replay.data, say, shuffle.lanes[at : at + 1])
        if shuffle.sources[at] < 0:
            told.append(f"{own} {say('from_inactive')}")
            continue
        source = lane_names(replay.data, say, shuffle.sources[at : at + 1])
        told.append(f"{own} {say('gets', value=replay.text(int(shuffle.got[at])), source=source)}")
    more = f"; {say('more', count=len(chosen) - SHOWN)}" if len(chosen) > SHOWN else ""
    yield f"         {say('shuffle')}: {'; '.join(told)}{more}"


def _last(values: Sequence[Value]) -> list[Value]:
    """Of the values that the same lanes give a variable in one step, the last."""
    return list({(value.variable, value.lanes.tobytes()): value for value in values}.values())


def _value(replay: Replay, say: Phrases, value: Value, lane: int | None) -> Iterator[str]:
    name = replay.data["variables"][value.variable]["name"]
    chosen = value.values if lane is None else value.values[value.lanes == lane]
    if not len(chosen):
        return
    texts = [value_text(say, replay.text(int(value))) for value in chosen[:SHOWN]]
    told = texts[0] if len(np.unique(chosen)) == 1 else ", ".join(texts) + (", ..." if len(chosen) > SHOWN else "")
    yield printable(f"         {name} = {told}")


def value_text(say: Phrases, text: str) -> str:
    """Return a recorded value in words if it is an `mbarrier` or a token of one; otherwise the same text."""
    if match := _MBARRIER.fullmatch(text):
        state = say("mbarrier_state", phase=match["phase"], arrived=match["arrived"], expected=match["expected"])
        return state + (f", {say('mbarrier_bytes', bytes=match['bytes'])}" if match["bytes"] else "")
    if match := _TOKEN.fullmatch(text):
        return say("mbarrier_token", phase=match["phase"])
    return text


def cell_name(data: Mapping[str, Any], say: Phrases, buffer: int, cell: int) -> str:
    """A cell as the source would write it, with whose it is."""
    held = data["buffers"][buffer]
    owner, at = divmod(cell, held["cells"]) if held["cells"] else (0, cell)
    place = np.unravel_index(at, held["shape"]) if int(np.prod(held["shape"])) == held["cells"] else (at,)
    name = f"{held['name']}[{', '.join(str(int(part)) for part in place)}]"
    if held["rows"] == "block" and int(np.prod(data["grid"])) > 1:
        name += f" ({say('block', block=owner)})"
    elif held["rows"] == "lane":
        name += f" ({lane_names(data, say, np.array([owner]))})"
    return name


def lane_names(data: Mapping[str, Any], say: Phrases, lanes: Numbers) -> str:
    """Lanes by block and thread, neighbours together."""
    threads = int(np.prod(data["block"]))
    several = int(np.prod(data["grid"])) > 1
    owned = [
        (block, _spans([lane % threads for lane in group]))
        for block, group in groupby(lanes.tolist(), key=lambda lane: lane // threads)
    ]
    parts = []
    for spans, group in groupby(owned, key=lambda pair: pair[1]):
        blocks = [block for block, _ in group]
        text = ", ".join(_span(say, "thread", first, last) for first, last in spans)
        whole = ", ".join(_span(say, "block", first, last) for first, last in _spans(blocks))
        parts.append(f"{whole} {text}" if several else text)
    return "; ".join(parts[:SHOWN]) + (f"; {say('more', count=len(parts) - SHOWN)}" if len(parts) > SHOWN else "")


def _spans(numbers: Sequence[int]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1] = spans[-1][0], number
        else:
            spans.append((number, number))
    return spans


def _span(say: Phrases, kind: str, first: int, last: int) -> str:
    return say(kind, **{kind: first}) if first == last else say(f"{kind}s", first=first, last=last)
