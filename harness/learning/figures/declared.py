"""Draw without a trace: a MAX graph (`graph`), promised counters (`counts`), blocks on a multiprocessor (`room`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.errors import UsageError
from harness.learning.figures.figure import Figure, FigureRequest
from harness.learning.figures.scene import Scene, text_width
from harness.learning.words import Phrases
from harness.model.case import Case, CounterClaim, OccupancyClaim
from harness.model.occupancy import block_limits, compute_occupancy
from harness.model.steps import HostStep, Step
from harness.simt.gpus import find_gpu

__all__ = ["counts", "graph", "room"]

_WARP = 32  # lanes: figures are of NVIDIA's code
_PAD, _ROW, _BOX = 10, 18, 24
_BAR, _ROOM = 260, 400  # the widths of the longest bar, and of all that a multiprocessor has, in pixels


def graph(cases: Sequence[Case], wish: FigureRequest, say: Phrases) -> Figure:
    """Draw the node of the first case's MAX graph, at a warp width of 32: the tensors that go in and come out, and the
    launches that its op makes. `row_count` is the number of these launches.

    Raises:
        UsageError: The puzzle's Python calls no op.
    """
    entry = cases[0]
    if entry.graph is None:
        raise UsageError(f"{wish}: no Python file of {entry.puzzle} calls an op.")
    declared, step = entry.graph, entry.steps[0]
    assert isinstance(step, HostStep)
    shapes = {tensor.name: " x ".join(map(str, tensor.shape)) for tensor in entry.instance(_WARP).tensors}
    inputs, outputs = declared.operands.split(), declared.results.split()
    launches = list(zip(step.expected_launches or (), step.geometries(_WARP), strict=True))
    names = ", ".join(f"{key} = {value}" for key, value in declared.parameters.items())
    lines = [f"{at} {of.name}" if len(launches) > 1 else of.name for at, (of, _) in enumerate(launches, 1)]
    sizes = [f"{_extent(launch.grid)} x {_extent(launch.block)}" for _, launch in launches]

    above = [*inputs, *(outputs if declared.torch else ())]  # torch's caller makes the results before the call
    texts = {name: f"{name} ({shapes[name]})" for name in (*inputs, *outputs)}
    wides = [round(text_width(texts[name])) + 2 * _PAD for name in above]
    inner = max(map(text_width, [f"{declared.op}   {names}", *map("   ".join, zip(lines, sizes, strict=True))]))
    wide = max(round(inner) + 4 * _PAD, sum(wides) + _PAD * (len(wides) - 1))
    scene, top = Scene(), 20
    scene.add_text("left soft", 0, 10, say("graph_torch" if declared.torch else "graph_inputs"))
    x, middles = (wide - sum(wides) - _PAD * (len(wides) - 1)) // 2, {}
    for name, box_width in zip(above, wides, strict=True):
        scene.add_box("written" if name in outputs else "run", x, top, box_width, _BOX)
        scene.add_text("", x + box_width // 2, top + 16, texts[name])
        middles[name] = x + box_width // 2
        x += box_width + _PAD
    node = top + _BOX + 34
    for name in above:
        if name in outputs:
            scene.rise((middles[name], node), (middles[name], top + _BOX))
        else:
            scene.add_flow((middles[name], top + _BOX), (middles[name], node))
    height = 26 + _ROW * len(lines) + _PAD
    scene.add_box("held", 0, node, wide, height)
    scene.add_text("left bold", _PAD, node + 17, declared.op)
    scene.add_text("right soft", wide - _PAD, node + 17, names)
    for at, (line, size) in enumerate(zip(lines, sizes, strict=True)):
        scene.add_text("left", 2 * _PAD, node + 26 + _ROW * at + 14, line)
        scene.add_text("right soft", wide - _PAD, node + 26 + _ROW * at + 14, size)
    bottom = node + height
    if declared.torch:
        scene.add_note(bottom + 20, say("graph_torch_note", results=", ".join(outputs)))
    else:
        for name in outputs:
            box_width = round(text_width(texts[name])) + 2 * _PAD
            scene.add_flow((wide // 2, bottom), (wide // 2, bottom + 34))
            scene.add_box("written", (wide - box_width) // 2, bottom + 34, box_width, _BOX)
            scene.add_text("", wide // 2, bottom + 50, texts[name])
            bottom += 34 + _BOX
        scene.add_note(bottom + 20, say("graph_note"))
    launches_text = "; ".join(map(" ".join, zip(lines, sizes, strict=True)))
    alt = say(
        "alt_graph_torch" if declared.torch else "alt_graph",
        op=declared.op,
        inputs=", ".join(texts[name] for name in inputs),
        outputs=", ".join(texts[name] for name in outputs),
        launches=launches_text,
    )
    return Figure(scene.render_svg(alt), alt, scene.width, len(lines))


def _extent(extent: Sequence[int]) -> str:
    """Return three extents as text without ones at the end: `(4, 2)`, `(8)`, `(1)`."""
    text = f"{extent[0]}, {extent[1]}, {extent[2]}"
    while text.endswith(", 1"):
        text = text[:-3]
    return f"({text})"


def counts(cases: Sequence[Case], wish: FigureRequest, say: Phrases) -> Figure:
    """Draw the promised number of the counter `wish.name`, a bar for each launch of the first `most` (all) cases.

    Launches without such a promise are left out. The longest bar stands for the largest number. `row_count` is the
    number of bars.

    Raises:
        UsageError: Nothing is promised of that counter.
    """
    shown_cases = cases[: wish.number("most", len(cases))]
    bars = [(entry.id, *bar) for entry in shown_cases for bar in _bars(entry, wish.name)]
    if not bars:
        raise UsageError(f"{wish}: nothing is promised of {wish.name!r} in {cases[0].puzzle}.")
    scene, bottom, most = Scene(), 0, max(1, *(number for *_, number in bars))
    for at, (id, kernel, number) in enumerate(bars):
        if not at or bars[at - 1][0] != id:
            scene.add_text("left bold", 0, bottom + 10, id)
            bottom += 16
        long = max(1, _BAR * number // most)
        scene.add_text("left soft", 0, bottom + 12, kernel)
        scene.add_box("written", 0, bottom + 17, long, 14)
        scene.add_text("left", long + 8, bottom + 28, f"{number:,}")
        bottom += 42
    scene.add_note(bottom + 8, say(f"counter_{wish.name}"))
    rows_text = "; ".join(f"{id} {kernel}: {number}" for id, kernel, number in bars)
    alt = say("alt_counts", counter=say(f"counter_{wish.name}"), rows=rows_text)
    return Figure(scene.render_svg(alt), alt, scene.width, len(bars))


def _bars(entry: Case, counter: str) -> Iterator[tuple[str, int]]:
    """Yield, by launch, each kernel for which the counter is promised, and the promised number at a warp of 32 lanes.

    Promises for one vendor other than NVIDIA are left out.
    """
    kernels = [name for step in entry.steps for name in _launched(step)]
    claims = [claim for claim in entry.claims if isinstance(claim, CounterClaim) and claim.counter == counter]
    for claim in sorted(claims, key=lambda claim: claim.step):
        if claim.vendor in (None, "nvidia"):
            yield kernels[claim.step], claim.expected(_WARP)


def _launched(step: Step) -> tuple[str, ...]:
    """Return the names of the kernels that a step launches: its own, or those that a host function is to launch.

    If a host function does not say what it launches, its name is returned.
    """
    expected = step.expected_launches if isinstance(step, HostStep) else None
    return tuple(launched.name for launched in expected) if expected else (step.name,)


def room(cases: Sequence[Case], wish: FigureRequest, say: Phrases) -> Figure:
    """Draw how the blocks of the first case's kernel fill a multiprocessor, on an sm_90 and an sm_86.

    Each GPU has a bar of threads and one of shared memory. The sizes are those of the case's first occupancy promise.

    Raises:
        UsageError: Nothing is promised of the first case's occupancy.
    """
    claim = next((claim for claim in cases[0].claims if isinstance(claim, OccupancyClaim)), None)
    if claim is None:
        raise UsageError(f"{wish}: nothing is promised of the occupancy of {cases[0].id}.")
    scene, bottom, descriptions = Scene(), 0, []
    for name in ("nvidia:sm_90", "nvidia:sm_86"):
        gpu = find_gpu(name)
        assert gpu is not None
        full = compute_occupancy(gpu, claim.threads, claim.shared)
        assert full is not None and gpu.multiprocessor_threads is not None
        allowed = block_limits(gpu, claim.threads, claim.shared)
        head = say("room_head", gpu=name, warps=full.warps, most=full.most_warps, percent=f"{full.percent:.4g}")
        scene.add_text("left bold", 0, bottom + 10, head)
        descriptions.append(head)
        shared = (claim.shared + gpu.reserved_shared_bytes) >> 10
        rows = [
            ("threads", claim.threads, gpu.multiprocessor_threads, say("room_threads")),
            ("shared memory", shared, gpu.multiprocessor_shared_bytes >> 10, say("room_shared")),
        ]
        for resource, used, most, label in rows:
            fits = say("room_fits", blocks=allowed.get(resource, full.blocks))
            scene.add_text("left soft", 0, bottom + 30, f"{label}: {most:,}. {fits}")
            descriptions.append(f"{label}: {most}. {fits}")
            scene.add_box("idle", 0, bottom + 36, _ROOM, _BOX)
            for block in range(full.blocks):
                left, right = (_ROOM * used * edge // most for edge in (block, block + 1))
                scene.add_box(
                    "written" if resource in full.limited_by else "run", left, bottom + 36, right - left, _BOX
                )
                scene.add_text("", (left + right) // 2, bottom + 52, f"{used:,}")
            bottom += 46
        bottom += 40
    scene.add_note(bottom, say("room_note"))
    alt = say("alt_room", id=cases[0].id, rows="; ".join(descriptions))
    return Figure(scene.render_svg(alt), alt, scene.width, len(descriptions))
