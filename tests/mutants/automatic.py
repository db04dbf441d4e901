"""Runs the automatic mutants of the solutions' compiled code.

A mutant is killed when its verdict on some data set, or a promise, is not met.
What survives must be explained in `equivalent.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from harness.backends.base import Outcome, Request
from harness.backends.simulator import SimulatorBackend
from harness.build.device_code import Texts
from harness.cases import claims
from harness.cases.check import judge
from harness.cases.fresh import add_fresh_data
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.target import Target
from tests.mutants.operators import IrMutant, mutants
from tests.solutions.stored import PLACES, TARGETS, text_of

__all__ = ["SEED", "TARGETS", "Fate", "fates", "killer", "verdict"]

SECONDS = 2.0
SEED = 0  # of what is drawn for wrong kernels by hand


class Launching(Protocol):
    """What `verdict` asks of a backend."""

    def launch(self, request: Request) -> Outcome: ...


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant.

    Attributes:
        killer: The verdict that killed it, and on which data set; empty if it survived.
    """

    case: Case
    target: str
    mutant: IrMutant
    killer: str


def fates(target: str) -> Iterator[Fate]:
    """Runs every mutant of every case whose code is stored, on a target."""
    parsed = Target.parse(target)
    for case in (case for case, stored in PLACES if stored == target):
        for mutant in mutants(text_of(case.op, target)):
            yield Fate(case, target, mutant, killer(case, parsed, (mutant.text,)))


def killer(
    case: Case,
    target: Target,
    code: Texts,
    assembly: str | None = None,
    further: Sequence[Texts] = (),
    *,
    seed: int | None = None,
) -> str:
    """The verdict that device code earns on the first data set that catches it; empty if none does.

    Args:
        assembly: Of all launches; without it no promise about instructions is asked for.
        further: The code at each further launch; without it the case is not run there.
        seed: Of fresh data, which has other sizes too; without it there is none.
    """
    case = case.simulated
    if further:
        beside = (killer(one, target, texts) for one, texts in zip(case.further, further, strict=True))
        return killer(case, target, code, assembly, seed=seed) or next(filter(None, beside), "")
    backend = SimulatorBackend(LaunchPlan(target, "simulator"), {case.id: code})
    return verdict(backend, case, target, assembly, seed=seed)


def verdict(
    backend: Launching,
    case: Case,
    target: Target,
    assembly: str | None = None,
    *,
    promises: bool = True,
    seed: int | None = None,
    seconds: float = SECONDS,
) -> str:
    """The verdict on the first data set on which a backend's kernels are not right; empty if they are on all.

    Args:
        assembly: As of `killer`.
        promises: Whether what is promised of kernels counts, too.
        seed: As of `killer`.
        seconds: The time limit of each launch.
    """
    instance = add_fresh_data(case, case.instance(target.warp_width), seed)
    for dataset in instance.datasets:
        request = Request(case=case, instance=instance, dataset=dataset, time_limit_seconds=seconds)
        outcome = backend.launch(request)
        report = judge(request, outcome)
        if report.verdict != "PASS":
            return f"{report.verdict} on {dataset.name}"
        if not promises:
            continue
        if any(finding.kind == "promise" for finding in report.findings):
            return "claim"
        if dataset is instance.datasets[0] and not all(
            claim.holds for claim in claims.check(case, target, outcome.counters, assembly)
        ):
            return "claim"
    return ""
