"""The solutions' compiled kernels as `nox -s generate` stores them beside this file: no compiler is needed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from harness.backends.base import Outcome, Request
from harness.backends.simulator import SimulatorBackend
from harness.catalogue import CASES
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.target import Target
from harness.simt.options import Engine

__all__ = ["PLACES", "TARGETS", "launches", "simulator", "text_of"]

FOLDER = Path(__file__).parent
TARGETS = ("nvidia:sm_90", "amd:gfx942", "amd:gfx1100", "apple:apple-m4")
# Every case that is stored, on each of the targets that can run it.
PLACES = [
    (case, target)
    for target in TARGETS
    for case in CASES
    if (FOLDER / f"{case.op}.{target.partition(':')[2]}.ll").is_file()
]


def text_of(op: str, target: str) -> str:
    """The LLVM IR of a case's kernel, by the name of its op (`p26_pair_swap`)."""
    return (FOLDER / f"{op}.{target.partition(':')[2]}.ll").read_text(encoding="utf-8")


def simulator(
    case: Case, target: str, seed: int | None = None, *, code: str | None = None, engine: Engine = "reference"
) -> SimulatorBackend:
    """A simulator with all observers and the case's kernel, or other code in its place."""
    texts = {case.id: (text_of(case.op, target) if code is None else code,)}
    return SimulatorBackend(LaunchPlan(Target.parse(target), "simulator", seed=seed, engine=engine), texts)


@cache
def launches(case: Case, target: str, seed: int | None) -> tuple[tuple[Request, Outcome], ...]:
    """Requests and outcomes of every data set, run once for all who look at them."""
    instance = case.instance(Target.parse(target).warp_width)
    backend = simulator(case, target, seed)
    requests = [Request(case=case, instance=instance, dataset=dataset) for dataset in instance.datasets]
    return tuple((request, backend.launch(request)) for request in requests)
