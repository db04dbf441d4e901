"""What the documents' own check lets pass, as their readers reported it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from harness.build.unit import Build, BuildUnit, make_units
from harness.catalogue import find_case
from harness.model.case import Case, Dataset, Kernel
from harness.model.sources import Sources
from harness.model.target import Target
from tests import compiled
from tests.learners import solution

__all__ = ["REPORTED", "Reported", "parts", "written"]

BLOCKS, TPB = 3, 8
SIZE = BLOCKS * TPB


@dataclass(frozen=True)
class Reported:
    """A kernel that is wrong.

    Attributes:
        case: Whose.
        edits: What makes it of the solution, as a text and what stands in its place.
        finding: The kind of the first finding.
        at: The line at which it stands.
    """

    case: str
    edits: dict[str, str]
    finding: str
    at: str


_SCAN = (
    "        var addend = Scalar[dtype](0)\n        if local_i >= offset:\n"
    "            addend = shared[local_i - offset]\n\n        barrier()\n\n        shared[local_i] += addend\n"
)
_IN_PLACE = "        if local_i >= offset:\n            shared[local_i] += shared[local_i - offset]\n"
_NOTE = "        # All read before anybody writes what another one still has to read.\n"
REPORTED = {
    "p12-in-place": Reported(
        "p12",
        {"if local_i < stride:": "if local_i + stride < TPB:"},
        "race",
        "shared[local_i] += shared[local_i + stride]",
    ),
    "p14-simple-in-place": Reported(
        "p14:simple", {_NOTE + _SCAN: _IN_PLACE}, "race", "shared[local_i] += shared[local_i - offset]"
    ),
    "p14-complete-in-place": Reported(
        "p14:complete", {_NOTE: "", _SCAN: _IN_PLACE}, "race", "shared[local_i] += shared[local_i - offset]"
    ),
    "p14-on-three-blocks": Reported(
        "p14:complete",
        {
            "        for block in range(block_idx.x):\n            output[global_i] += output[size + block]\n": (
                "        if block_idx.x > 0:\n            output[global_i] += output[size + block_idx.x - 1]\n"
            )
        },
        "check",
        "output[global_i] += output[size + block_idx.x - 1]",
    ),
}


def _three_blocks(entry: Case) -> Case:
    """Puzzle 14's sum over blocks, over one block more than the documents have."""
    two = entry.instance(32)
    shapes = {"output": (SIZE + BLOCKS,), "a": (SIZE,)}
    a = np.arange(SIZE, dtype=np.float32)
    three = replace(
        two,
        arguments=(
            *(replace(tensor, shape=shapes[tensor.name]) for tensor in two.tensors),
            replace(two.scalars[0], value=SIZE),
        ),
        constants={"TPB": TPB, "SIZE_2": SIZE, "EXTENDED_SIZE": SIZE + BLOCKS},
        datasets=(Dataset("documented", {"a": a}, "a total of a block that is not the one before"),),
    )
    steps = tuple(Kernel(step.name, step.arguments, grid=BLOCKS, block=TPB) for step in entry.kernel_steps)
    sums = {"output": np.concatenate([a.cumsum(), a.reshape(BLOCKS, TPB).sum(axis=1)])}
    return replace(entry, steps=steps, resolve=lambda _: three, oracle=lambda *_: sums, size=None, claims=())


def _made(name: str, reported: Reported, *, mended: bool) -> tuple[Case, str]:
    """The case under a name of its own, and the file that is run."""
    entry, text = find_case(reported.case), solution(reported.case.partition(":")[0])
    for right, wrong in reported.edits.items():
        assert right in text
        text = text if mended else text.replace(right, wrong)
    if name == "p14-on-three-blocks":
        entry = _three_blocks(entry)
        text = text.replace("SIZE_2 = 15", f"SIZE_2 = {SIZE}").replace("SIZE_2 + 2", f"SIZE_2 + {BLOCKS}")
    own = f"{name}-{'mended' if mended else 'wrong'}".replace("-", "_")
    return replace(entry, puzzle=own, mode=None, op=own, further=()), text


def parts(entry: Case, file: Path, target: Target) -> list[tuple[BuildUnit, Target]]:
    """One of them as the compiler takes it."""
    build = Build(target=target, sources=Sources(overrides={entry.puzzle: file}))
    return [(unit, target) for unit in make_units([entry], build)]


@cache
def written() -> tuple[tuple[Case, Path], ...]:
    """The wrong kernels and the mended ones, each with its file."""
    made = (_made(name, reported, mended=mended) for name, reported in REPORTED.items() for mended in (False, True))
    return tuple((entry, compiled.placed(f"{entry.puzzle}.mojo", text)) for entry, text in made)
