"""The check of the documents: their own data alone, compared as they compare; and what of it lets wrong kernels pass.

A puzzle's module says by case what they compare, where that is not each element with the expected one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from unittest import mock

import numpy as np

from harness.backends.base import Request
from harness.backends.simulator import SimulatorBackend
from harness.build.device_code import Texts
from harness.cases.check import judge
from harness.cases.fresh import add_fresh_data
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.report import DatasetReport
from harness.model.target import Target
from harness.model.verdict import Verdict
from harness.simt.ir.values import POISON_BYTES
from harness.simt.state import allocation
from tests.mutants.automatic import SEED, killer

__all__ = [
    "EQUAL",
    "IN_RANGE",
    "NOTHING",
    "RISING",
    "WHERE_WRITTEN",
    "Blind",
    "Rule",
    "first",
    "lets_pass",
    "refusal",
    "rule_of",
    "told",
    "within",
]


@dataclass(frozen=True, slots=True)
class Rule:
    """What is compared.

    Attributes:
        says: In a few words.
        met: Of the result and the expected one, flat.
    """

    says: str
    met: Callable[[np.ndarray, np.ndarray], bool]


@dataclass(frozen=True, slots=True)
class Blind:
    """A blind spot of the documents' check.

    Attributes:
        why: What of the data or the check lets a wrong kernel pass.
        refused: The verdict here, and on which data set.
    """

    why: str
    refused: str


def within(rtol: float, atol: float = 1e-8) -> Rule:
    """Each element within a bound, as Mojo's `assert_almost_equal` has it."""
    shown = f"{rtol:g} of its value" if rtol else f"{atol:g}"

    def met(got: np.ndarray, expected: np.ndarray) -> bool:
        largest = np.maximum(np.abs(got), np.abs(expected))
        return bool((np.abs(got - expected) <= np.maximum(rtol * largest, atol)).all())

    return Rule(f"each within {shown}", met)


def first(count: int, rule: Rule) -> Rule:
    """The first elements alone."""
    says = f"the first {count} alone, {rule.says}"
    return Rule(says, lambda got, expected: rule.met(got[:count], expected[:count]))


EQUAL = Rule("each equal", np.array_equal)
NOTHING = Rule("nothing is compared", lambda *_: True)
IN_RANGE = Rule(
    "each in a range",
    # The documents' range is wider than what is expected, which here is not rounded.
    lambda got, expected: bool(
        (got >= expected.min() * (1 - 1e-6)).all() and (got <= expected.max() * (1 + 1e-6)).all()
    ),
)
RISING = Rule("above 0, each larger than the one before", lambda got, _: bool((np.diff(got, prepend=0) > 0).all()))
WHERE_WRITTEN = Rule("those that are not 0", lambda got, expected: np.array_equal(got[got != 0], expected[got != 0]))


def lets_pass(case: Case, target: Target, code: Texts, rules: Mapping[str, Rule]) -> bool:
    """Whether device code passes the documents' check: of fresh memory, all zeros, nothing but the result is seen."""
    case = case.simulated
    instance = case.instance(target.warp_width)
    documented = instance.datasets[0]
    request = Request(case=case, instance=instance, dataset=documented, fill="zero", counted=False)
    with mock.patch.object(allocation, "POISON_BYTES", np.zeros_like(POISON_BYTES)):  # of shared memory
        outcome = SimulatorBackend(LaunchPlan(target, "simulator"), {case.id: code}).launch(request)
    if outcome.failure:
        return False
    got = case.printed_values({name: observed.values for name, observed in outcome.results.items()})
    expected = case.printed_values(case.expected(documented, instance.width))
    return rule_of(case, rules).met(got.ravel(), expected.ravel())


def rule_of(case: Case, rules: Mapping[str, Rule]) -> Rule:
    """What the documents compare of a case."""
    return rules.get(case.id, within(1e-5) if case.within else EQUAL)


def refusal(case: Case, target: Target, code: Texts, assembly: str, further: Sequence[Texts]) -> str:
    """What the harness says of device code, at further launches too, and on which data set; empty if nothing."""
    for sized, texts in zip(case.simulated.sizes, (code, *further), strict=False):
        instance = add_fresh_data(sized, sized.instance(target.warp_width), SEED)
        backend = SimulatorBackend(LaunchPlan(target, "simulator"), {sized.id: texts})
        for dataset in instance.datasets:
            request = Request(case=sized, instance=instance, dataset=dataset)
            report = judge(request, backend.launch(request))
            if report.verdict != Verdict.PASS:
                return told(report)
    return "a promise is not kept" if killer(case, target, code, assembly) else ""


def told(report: DatasetReport) -> str:
    """A verdict in a few words, with the kind of the finding that decided it."""
    kind = f", {report.findings[0].kind}" if report.verdict == Verdict.FINDING else ""
    return f"{report.verdict} on {report.name}{kind}"
