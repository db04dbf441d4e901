"""Draw the figure `exchange`: values that a warp's lanes exchange by shuffles, and which of them reach one lane."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise

from harness.errors import unknown_name
from harness.learning.figures.figure import Figure, FigureRequest
from harness.learning.figures.moments import shorten_number, threads_per_block
from harness.learning.figures.scene import Scene, text_width
from harness.learning.replay import DecodedTrace, Numbers, Step
from harness.learning.words import Phrases

__all__ = ["draw_exchange"]

_HEIGHT, _ROW = 16, 18
_GAP, _NARROW = 34, 26  # between columns at least, more where values come from afar; the second where room is scarce
_ROOM = 456  # pixels, beyond which room is scarce


@dataclass(slots=True)
class _Column:
    label: str
    texts: list[str]
    links: list[tuple[int, int]]  # from a lane of the column before to one of this column


def draw_exchange(replay: DecodedTrace, wish: FigureRequest, say: Phrases) -> Figure:
    """Draw how lanes exchange values: a column of lanes before the exchanges, and one after each.

    The columns show the variable that the request names, or else the values that lanes give and get. It shows the first
    `most` lanes (a warp's) of one block (option `block`, 0). Links that contribute nothing to the last value of lane
    `lane` (0) are faded. `row_count` is the number of columns, 0 without an exchange.

    Raises:
        UsageError: The trace has no such variable.
    """
    data = replay.data
    names = [variable["name"] for variable in data["variables"]]
    if wish.name and wish.name not in names:
        raise unknown_name("variable", wish.name, names)
    threads = threads_per_block(data)
    first = wish.number("block", 0) * threads
    count = min(threads, wish.number("most", data["warp"]))
    if wish.name:
        columns = _variable_columns(replay, names.index(wish.name), first, count, say)
    else:
        columns = _exchange_columns(replay, first, count, say)
    scene = Scene()
    followed = wish.number("lane", 0)
    contributing = _find_contributing(columns, followed)
    box_width = max(24, 8 + round(max((text_width(text) for column in columns for text in column.texts), default=0)))
    label_overhang = max(0, *(round(text_width(column.label) - box_width) // 2 for column in columns)) if columns else 0
    head, x_start = 18, 12 + label_overhang + round(max(text_width(say("lane_n")), text_width(str(count))))
    offsets = [max((abs(source - target) for source, target in column.links), default=0) for column in columns[1:]]
    gaps = [max(_GAP, 24 + 2 * offset) for offset in offsets]
    if x_start + len(columns) * box_width + sum(gaps) > _ROOM:
        gaps = [max(_NARROW, 16 + 2 * offset) for offset in offsets]
    places = list(accumulate((box_width + gap for gap in gaps), initial=x_start))

    scene.add_text("left soft", 0, 10, say("lane_n"))
    for lane in range(count):
        scene.add_text("right soft", x_start - label_overhang - 8, head + lane * _ROW + 12, str(lane))
    before: list[str] = []
    for at, column in enumerate(columns):
        scene.add_text("soft", places[at] + box_width // 2, 10, column.label)
        for lane, text in enumerate(column.texts):
            new = bool(at) and text != before[lane]
            scene.add_box("written" if new else "held", places[at], head + lane * _ROW, box_width, _HEIGHT)
            scene.add_text("bold" if new else "", places[at] + box_width // 2, head + lane * _ROW + 12, text)
        for source, target in column.links:
            start, end = ((lane * _ROW + head + _HEIGHT // 2) for lane in (source, target))
            is_faded = len(columns) > 2 and target not in contributing[at]
            scene.add_line("weak" if is_faded else "link", (places[at - 1] + box_width, start), (places[at], end))
        before = column.texts
    if len(columns) > 2:
        scene.add_note(head + count * _ROW + 16, say("heard_note", lane=followed))
    summary = f"{_summarize_values(columns[0].texts)} → {_summarize_values(columns[-1].texts)}" if columns else ""
    alt = say(
        "alt_exchange",
        count=count,
        times=len(columns) - 1,
        offsets=", ".join(map(str, offsets)),
        name=wish.name or say("a_value"),
        told=summary,
    )
    return Figure(scene.render_svg(alt), alt, scene.width, len(columns) if len(columns) > 1 else 0)


def _find_contributing(columns: list[_Column], lane: int) -> list[set[int]]:
    """Return, for each column, the lanes whose values contribute to the value that `lane` holds in the end.

    Each of these lanes is taken to keep its own value too, so the last set is only `lane` and each earlier one has it.
    """
    contributing = [{lane}]
    for column in reversed(columns[1:]):
        contributing.append(
            contributing[-1] | {source for source, target in column.links if target in contributing[-1]}
        )
    return contributing[::-1]


def _variable_columns(replay: DecodedTrace, number: int, first: int, count: int, say: Phrases) -> list[_Column]:
    """Return a column for the step that first sets a variable, and for each later step that sets it and exchanges
    values; empty if no step sets it.

    A column shows `count` lanes, from lane `first` of the grid, and `·` for a lane without a value. Links are those of
    the step's exchanges, and one from each lane that receives a value to itself.
    """
    columns: list[_Column] = []
    for step, state in zip(replay.steps, replay.states(), strict=True):
        if not any(value.variable == number for value in step.values) or (columns and not step.shuffles):
            continue
        texts_by_lane = state.variables[number]
        texts = [
            shorten_number(replay.text(texts_by_lane[lane])) if lane in texts_by_lane else "·"
            for lane in range(first, first + count)
        ]
        links = [link for shuffle in step.shuffles for link in _links(shuffle.lanes, shuffle.sources, first, count)]
        # The line is the same for each exchange.
        distance = max((abs(source - lane) for source, lane in links), default=0)
        label = say("apart", lanes=distance) if distance else say("line", line=replay.data["lines"][step.line][1])
        columns.append(_Column(label, texts, [*links, *((lane, lane) for _, lane in links)]))
    return columns


def _exchange_columns(replay: DecodedTrace, first: int, count: int, say: Phrases) -> list[_Column]:
    """Return a column of the values that lanes give and one of those that they get, for each exchange.

    A column shows `count` lanes, from lane `first` of the grid. What lanes give is no column if the column before has
    the same values. Exchanges in which each lane reads all others, such as votes, are left out. At the first step with
    several exchanges that are not all such, which is a library function's, all other columns are dropped and only those
    of `_of_library` are returned.
    """
    columns: list[_Column] = []
    for step in replay.steps:
        if len(step.shuffles) > 1 and any(shuffle.sources is not None for shuffle in step.shuffles):
            return _of_library(replay, step, first, count, say)
        for shuffle in step.shuffles:
            if shuffle.sources is None:
                continue
            sent, received = (
                _texts_by_lane(replay, shuffle.lanes, values, first, count)
                for values in (shuffle.sent, shuffle.received)
            )
            if not columns or columns[-1].texts != sent:
                columns.append(_Column(say("give"), sent, []))
            columns.append(_Column(say("get"), received, _links(shuffle.lanes, shuffle.sources, first, count)))
    return columns


def _of_library(replay: DecodedTrace, step: Step, first: int, count: int, say: Phrases) -> list[_Column]:
    """Return the columns of a step in which a library function makes several exchanges to add up values.

    Votes among them are left out. At least one of them must be no vote.
    That it adds up is assumed, not checked. The column after an exchange is what lanes give to the next one, the last
    column is what the step leaves in a variable; there is no such column if it sets none.
    """
    shuffles = [shuffle for shuffle in step.shuffles if shuffle.sources is not None]
    columns = [_Column(say("give"), _texts_by_lane(replay, shuffles[0].lanes, shuffles[0].sent, first, count), [])]
    texts_by_lane = [(shuffle.lanes, shuffle.sent) for shuffle in shuffles[1:]]
    texts_by_lane += [(value.lanes, value.values) for value in step.values[-1:]]
    for shuffle, (lanes, values) in zip(shuffles, texts_by_lane, strict=False):
        links = _links(shuffle.lanes, shuffle.sources, first, count)
        distance = max((abs(source - lane) for source, lane in links), default=0)
        same_lane = [(lane, lane) for _, lane in links]
        columns.append(
            _Column(
                say("apart", lanes=distance), _texts_by_lane(replay, lanes, values, first, count), [*links, *same_lane]
            )
        )
    return columns


def _texts_by_lane(replay: DecodedTrace, lanes: Numbers, values: Numbers, first: int, count: int) -> list[str]:
    texts_by_lane = dict(zip(lanes.tolist(), values.tolist(), strict=True))
    return [
        shorten_number(replay.text(texts_by_lane[lane])) if lane in texts_by_lane else "·"
        for lane in range(first, first + count)
    ]


def _links(lanes: Numbers, sources: Numbers | None, first: int, count: int) -> list[tuple[int, int]]:
    pairs = zip(lanes.tolist(), [] if sources is None else sources.tolist(), strict=False)
    inside = range(first, first + count)
    return [(source - first, lane - first) for lane, source in pairs if lane in inside and source in inside]


def _summarize_values(texts: list[str]) -> str:
    """Join values by spaces: one if all are equal; all if they are at most 8, or if any two neighbours are equal; else
    the first four, `…` and the last two.
    """
    if len(set(texts)) == 1:
        return texts[0]
    if len(texts) <= 8 or any(left == right for left, right in pairwise(texts)):
        return " ".join(texts)
    return f"{' '.join(texts[:4])} … {' '.join(texts[-2:])}"
