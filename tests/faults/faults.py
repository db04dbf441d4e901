"""Kernels and circumstances that go wrong, with what each must come to.

Each `*.mojo` here takes the place of puzzle 15. Its first lines say what is
expected: `# gpu: VERDICT: regular expression`, the same for `simulator`, and
`# differs:` why the two differ, where they do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from harness.catalogue import find_case
from harness.model.case import Case, Dataset, Instance, TensorArgument
from harness.model.sources import Sources

__all__ = ["FAULTS", "P15", "Expected", "Fault"]

HERE = Path(__file__).parent
P15 = find_case("p15")


@dataclass(frozen=True, slots=True)
class Expected:
    """A verdict, and a regular expression that is found in its reason."""

    verdict: str
    reason: str

    @classmethod
    def parse(cls, text: str) -> Expected:
        """Reads `VERDICT: regular expression`."""
        verdict, _, reason = text.partition(":")
        return cls(verdict, reason.strip())

    def met(self, verdict: str, reason: str) -> bool:
        """Whether a verdict and its reason are these."""
        return verdict == self.verdict and re.search(self.reason, reason, re.DOTALL) is not None


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that goes wrong.

    Attributes:
        name: Of the file, without its ending.
        title: One sentence.
        gpu: What is expected of the hardware.
        simulator: What is expected of the simulator; None where it cannot happen.
        differs: Why the two verdicts differ, or empty.
        file: The kernel, or None for the solution.
        case: What runs it.
        around: What happens meanwhile: `killed` ends the worker from outside,
            `occupied` leaves little of the GPU's memory.
    """

    name: str
    title: str
    gpu: Expected
    simulator: Expected | None
    differs: str = ""
    file: Path | None = None
    case: Case = P15
    around: str = ""

    @property
    def sources(self) -> Sources:
        """Whose kernel."""
        return Sources(overrides={"p15": self.file} if self.file else {})


def _of(path: Path) -> Fault:
    text = path.read_text(encoding="utf-8")
    said = dict(re.findall(r"^# (gpu|simulator|differs): (.*)$", text, re.MULTILINE))
    title = re.search(r'^"""(.*)"""$', text, re.MULTILINE)[1]
    return Fault(
        path.stem, title, Expected.parse(said["gpu"]), Expected.parse(said["simulator"]), said.get("differs", ""), path
    )


def _rows(instance: Callable[[int], Instance], batch: int, width: int) -> Instance:
    """Puzzle 15 with `batch` rows in memory, of which the documented launch sums the first."""
    small = instance(width)
    _, a, size = small.arguments
    # One element in memory stands for all of them.
    ones = np.broadcast_to(np.float32(1), (batch, a.shape[1]))
    return replace(
        small,
        arguments=(TensorArgument("output", "output", (batch, 1)), TensorArgument("a", "input", ones.shape), size),
        datasets=(Dataset("ones", {"a": ones}, "nothing: it is not to run"),),
    )


def _enlarged(batch: int) -> Case:
    (step,) = P15.steps
    return replace(
        P15,
        steps=(replace(step, parameters={"batch": batch}),),
        resolve=partial(_rows, P15.resolve, batch),
        oracle=lambda _inputs, _width: {},
        further=(),
    )


_CIRCUMSTANCES = (
    Fault(
        "huge_buffers",
        "Takes 1.75 TiB of buffers.",
        Expected.parse(r"LAUNCH_ERROR: needs [\d.]+ TiB of memory .* is free"),
        Expected.parse(r"LAUNCH_ERROR: needs [\d.]+ TiB of memory .* is free"),
        file=HERE / "sized" / "rows.mojo",
        case=_enlarged(2**36),
    ),
    Fault(
        "occupied_gpu",
        "Takes 1.75 GiB of buffers where other processes hold nearly all of the GPU's memory.",
        Expected.parse(r"LAUNCH_ERROR: (?i:out.of.memory|alloc).*\(phase: copy in\)"),
        None,
        file=HERE / "sized" / "rows.mojo",
        case=_enlarged(2**26),
        around="occupied",
    ),
    Fault(
        "killed_by_signal",
        "Its process is killed while the kernel runs.",
        Expected.parse(r"LAUNCH_ERROR: its process was killed by SIGKILL \(phase: execute\)"),
        None,
        file=HERE / "endless_loop.mojo",
        around="killed",
    ),
)

FAULTS = (*(_of(path) for path in sorted(HERE.glob("*.mojo"))), *_CIRCUMSTANCES)
