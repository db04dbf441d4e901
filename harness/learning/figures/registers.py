"""Figures of registers: how values pass between the lanes of a warp."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from harness.errors import unknown
from harness.learning.figures.figure import Figure, Wish
from harness.learning.figures.moments import short, threads_of
from harness.learning.figures.scene import Scene, width_of
from harness.learning.replay import Numbers, Replay
from harness.learning.words import Phrases

__all__ = ["exchange"]

_HEIGHT, _ROW, _GAP = 20, 62, 2


@dataclass(slots=True)
class _Row:
    label: str
    texts: list[str]
    links: list[tuple[int, int]]  # from a lane of the row above to one of this row


def exchange(replay: Replay, wish: Wish, say: Phrases) -> Figure:
    """A row of lanes before, and one after each exchange: what a variable holds, or without a name what lanes get."""
    data = replay.data
    names = [variable["name"] for variable in data["variables"]]
    if wish.name and wish.name not in names:
        raise unknown("variable", wish.name, names)
    threads = threads_of(data)
    first = wish.number("block", 0) * threads
    count = min(threads, wish.number("most", data["warp"]))
    if wish.name:
        rows = _of_variable(replay, names.index(wish.name), first, count, say)
    else:
        rows = _given(replay, first, count, say)
    scene = Scene()
    followed = wish.number("lane", 0)
    heard = _heard(rows, followed)
    labels = [row.label for row in rows]
    left = 14 + round(max(map(width_of, labels), default=0))
    wide = max(24, 4 + round(5.4 * max((len(text) for row in rows for text in row.texts), default=1)))
    scene.text("left soft", 0, 10, say("lane_n"))
    for column in range(count):
        scene.text("soft small", left + column * (wide + _GAP) + wide // 2, 10, str(column))
    before: list[str] = []
    for at, row in enumerate(rows):
        top = 18 + at * _ROW
        scene.text("left soft", 0, top + 14, labels[at])
        for column, text in enumerate(row.texts):
            x = left + column * (wide + _GAP)
            new = bool(at) and text != before[column]
            scene.box("written" if new else "held", x, top, wide, _HEIGHT)
            scene.text("small bold" if new else "small", x + wide // 2, top + 14, text)
        for source, target in row.links:
            ends = [
                (left + lane * (wide + _GAP) + wide // 2, top - edge)
                for lane, edge in ((source, _ROW - _HEIGHT), (target, 0))
            ]
            scene.line("link" if len(rows) == 2 or target in heard[at] else "weak", *ends)
        before = row.texts
    if len(rows) > 2:
        scene.text("left soft", 0, 18 + len(rows) * _ROW - _ROW + _HEIGHT + 20, say("heard_note", lane=followed))
    offsets = [max((abs(source - target) for source, target in row.links), default=0) for row in rows[1:]]
    told = f"{_runs(rows[0].texts)} → {_runs(rows[-1].texts)}" if rows else ""
    alt = say(
        "alt_exchange",
        count=count,
        times=len(rows) - 1,
        offsets=", ".join(map(str, offsets)),
        name=wish.name or say("a_value"),
        told=told,
    )
    return Figure(scene.svg(alt), alt, len(rows) if len(rows) > 1 else 0)


def _heard(rows: list[_Row], lane: int) -> list[set[int]]:
    """For each row the lanes whose values are in what a lane holds in the end."""
    heard = [{lane}]
    for row in reversed(rows[1:]):
        heard.append(heard[-1] | {source for source, target in row.links if target in heard[-1]})
    return heard[::-1]


def _of_variable(replay: Replay, number: int, first: int, count: int, say: Phrases) -> list[_Row]:
    """The steps that exchange values and change the variable, after the one that set it."""
    rows: list[_Row] = []
    for step, state in zip(replay.steps, replay.states(), strict=True):
        if not any(value.variable == number for value in step.values) or (rows and not step.shuffles):
            continue
        held = state.variables[number]
        texts = [short(replay.text(held[lane])) if lane in held else "·" for lane in range(first, first + count)]
        links = [link for shuffle in step.shuffles for link in _links(shuffle.lanes, shuffle.sources, first, count)]
        label = say("line", line=replay.data["lines"][step.line][1])
        rows.append(_Row(label, texts, [*links, *((lane, lane) for _, lane in links)]))
    return rows


def _given(replay: Replay, first: int, count: int, say: Phrases) -> list[_Row]:
    """For each exchange what lanes give, and what they get; the next one gives what this one got."""
    rows: list[_Row] = []
    for step in replay.steps:
        for shuffle in step.shuffles:
            if shuffle.sources is None:
                continue
            given, got = (
                _by_lane(replay, shuffle.lanes, values, first, count) for values in (shuffle.given, shuffle.got)
            )
            if not rows or rows[-1].texts != given:
                rows.append(_Row(say("give"), given, []))
            rows.append(_Row(say("get"), got, _links(shuffle.lanes, shuffle.sources, first, count)))
    return rows


def _by_lane(replay: Replay, lanes: Numbers, values: Numbers, first: int, count: int) -> list[str]:
    held = dict(zip(lanes.tolist(), values.tolist(), strict=True))
    return [short(replay.text(held[lane])) if lane in held else "·" for lane in range(first, first + count)]


def _links(lanes: Numbers, sources: Numbers | None, first: int, count: int) -> list[tuple[int, int]]:
    pairs = zip(lanes.tolist(), [] if sources is None else sources.tolist(), strict=False)
    inside = range(first, first + count)
    return [(source - first, lane - first) for lane, source in pairs if lane in inside and source in inside]


def _runs(texts: list[str]) -> str:
    """Values in a row, many alike told once, and of many different ones the first and the last."""
    if len(set(texts)) == 1:
        return texts[0]
    if len(texts) <= 8 or any(left == right for left, right in pairwise(texts)):
        return " ".join(texts)
    return f"{' '.join(texts[:4])} … {' '.join(texts[-2:])}"
