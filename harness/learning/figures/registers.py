"""Figures of registers: how values pass between the lanes of a warp."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise

from harness.errors import unknown
from harness.learning.figures.figure import Figure, Wish
from harness.learning.figures.moments import short, threads_of
from harness.learning.figures.scene import Scene, width_of
from harness.learning.replay import Numbers, Replay, Step
from harness.learning.words import Phrases

__all__ = ["exchange"]

_HEIGHT, _ROW = 16, 18
_GAP, _NARROW = 34, 26  # between columns at least, more where values come from afar; the second where room is scarce
_ROOM = 456  # pixels, beyond which room is scarce


@dataclass(slots=True)
class _Column:
    label: str
    texts: list[str]
    links: list[tuple[int, int]]  # from a lane of the column before to one of this column


def exchange(replay: Replay, wish: Wish, say: Phrases) -> Figure:
    """A column of lanes before, and one after each exchange: what a variable holds, or without a name what lanes get.

    Lanes go downwards, as many as there are, and exchanges to the right: a telephone shows it at its own size.
    """
    data = replay.data
    names = [variable["name"] for variable in data["variables"]]
    if wish.name and wish.name not in names:
        raise unknown("variable", wish.name, names)
    threads = threads_of(data)
    first = wish.number("block", 0) * threads
    count = min(threads, wish.number("most", data["warp"]))
    if wish.name:
        columns = _of_variable(replay, names.index(wish.name), first, count, say)
    else:
        columns = _given(replay, first, count, say)
    scene = Scene()
    followed = wish.number("lane", 0)
    heard = _heard(columns, followed)
    wide = max(24, 8 + round(max((width_of(text) for column in columns for text in column.texts), default=0)))
    beyond = max(0, *(round(width_of(column.label) - wide) // 2 for column in columns)) if columns else 0
    head, left = 18, 12 + beyond + round(max(width_of(say("lane_n")), width_of(str(count))))
    offsets = [max((abs(source - target) for source, target in column.links), default=0) for column in columns[1:]]
    gaps = [max(_GAP, 24 + 2 * offset) for offset in offsets]
    if left + len(columns) * wide + sum(gaps) > _ROOM:
        gaps = [max(_NARROW, 16 + 2 * offset) for offset in offsets]
    places = list(accumulate((wide + gap for gap in gaps), initial=left))

    scene.text("left soft", 0, 10, say("lane_n"))
    for lane in range(count):
        scene.text("right soft", left - beyond - 8, head + lane * _ROW + 12, str(lane))
    before: list[str] = []
    for at, column in enumerate(columns):
        scene.text("soft", places[at] + wide // 2, 10, column.label)
        for lane, text in enumerate(column.texts):
            new = bool(at) and text != before[lane]
            scene.box("written" if new else "held", places[at], head + lane * _ROW, wide, _HEIGHT)
            scene.text("bold" if new else "", places[at] + wide // 2, head + lane * _ROW + 12, text)
        for source, target in column.links:
            start, end = ((lane * _ROW + head + _HEIGHT // 2) for lane in (source, target))
            aside = len(columns) > 2 and target not in heard[at]
            scene.line("weak" if aside else "link", (places[at - 1] + wide, start), (places[at], end))
        before = column.texts
    if len(columns) > 2:
        scene.note(head + count * _ROW + 16, say("heard_note", lane=followed))
    told = f"{_runs(columns[0].texts)} → {_runs(columns[-1].texts)}" if columns else ""
    alt = say(
        "alt_exchange",
        count=count,
        times=len(columns) - 1,
        offsets=", ".join(map(str, offsets)),
        name=wish.name or say("a_value"),
        told=told,
    )
    return Figure(scene.svg(alt), alt, scene.width, len(columns) if len(columns) > 1 else 0)


def _heard(columns: list[_Column], lane: int) -> list[set[int]]:
    """For each column the lanes whose values are in what a lane holds in the end."""
    heard = [{lane}]
    for column in reversed(columns[1:]):
        heard.append(heard[-1] | {source for source, target in column.links if target in heard[-1]})
    return heard[::-1]


def _of_variable(replay: Replay, number: int, first: int, count: int, say: Phrases) -> list[_Column]:
    """The steps that exchange values and change the variable, after the one that set it."""
    columns: list[_Column] = []
    for step, state in zip(replay.steps, replay.states(), strict=True):
        if not any(value.variable == number for value in step.values) or (columns and not step.shuffles):
            continue
        held = state.variables[number]
        texts = [short(replay.text(held[lane])) if lane in held else "·" for lane in range(first, first + count)]
        links = [link for shuffle in step.shuffles for link in _links(shuffle.lanes, shuffle.sources, first, count)]
        apart = max((abs(source - lane) for source, lane in links), default=0)  # the line is the same for each exchange
        label = say("apart", lanes=apart) if apart else say("line", line=replay.data["lines"][step.line][1])
        columns.append(_Column(label, texts, [*links, *((lane, lane) for _, lane in links)]))
    return columns


def _given(replay: Replay, first: int, count: int, say: Phrases) -> list[_Column]:
    """For each exchange what lanes give, and what they get; the next one gives what this one got."""
    columns: list[_Column] = []
    for step in replay.steps:
        if len(step.shuffles) > 1:
            return _of_library(replay, step, first, count, say)
        for shuffle in step.shuffles:
            if shuffle.sources is None:
                continue
            given, got = (
                _by_lane(replay, shuffle.lanes, values, first, count) for values in (shuffle.given, shuffle.got)
            )
            if not columns or columns[-1].texts != given:
                columns.append(_Column(say("give"), given, []))
            columns.append(_Column(say("get"), got, _links(shuffle.lanes, shuffle.sources, first, count)))
    return columns


def _of_library(replay: Replay, step: Step, first: int, count: int, say: Phrases) -> list[_Column]:
    """The exchanges that a function of the library makes in one step: what each lane gives to the next one is its sum
    so far, and what the step leaves in a variable is the sum of all.
    """
    shuffles = [shuffle for shuffle in step.shuffles if shuffle.sources is not None]
    columns = [_Column(say("give"), _by_lane(replay, shuffles[0].lanes, shuffles[0].given, first, count), [])]
    held = [(shuffle.lanes, shuffle.given) for shuffle in shuffles[1:]]
    held += [(value.lanes, value.values) for value in step.values[-1:]]
    for shuffle, (lanes, values) in zip(shuffles, held, strict=False):
        links = _links(shuffle.lanes, shuffle.sources, first, count)
        apart = max((abs(source - lane) for source, lane in links), default=0)
        own = [(lane, lane) for _, lane in links]
        columns.append(
            _Column(say("apart", lanes=apart), _by_lane(replay, lanes, values, first, count), [*links, *own])
        )
    return columns


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
