"""Outcome and oracle to a verdict: what is wrong, in words a learner can use."""

from __future__ import annotations

from typing import Any

import numpy as np

from harness.backends.base import Observed, Outcome, Request
from harness.backends.guarded import damaged, poisoned
from harness.model.case import Buffer, Launch
from harness.model.report import DatasetReport, Verdict
from harness.model.sources import ROOT

__all__ = ["changed_inputs", "describe", "judge", "misbehaviour"]

FIRST_MISMATCHES = 5
FIRST_FINDINGS = 3


def judge(request: Request, outcome: Outcome, *, reference: bool = False) -> DatasetReport:
    """The verdict on one launch.

    Args:
        request: What was asked for.
        outcome: What the launch left behind.
        reference: Whether the sequential branch ran instead of the kernel.

    Returns:
        The report; its reason names every defect, the worst first.
    """
    verdict, reason = _verdict(request, outcome)
    if verdict == "PASS" and reference:
        verdict = "REFERENCE"
    return DatasetReport(request.dataset.name, verdict, reason, outcome.run_seconds)


def misbehaviour(request: Request, outcome: Outcome) -> list[str]:
    """What is wrong whatever the values should be: for data that no oracle knows.

    Findings, another launch than the documented one, writes outside a buffer, and
    elements of an output that nobody wrote. Inputs are left to `changed_inputs`.
    """
    problems = [describe(finding) for finding in _defects(outcome)] + _wrong_trace(request, outcome)
    for buffer in request.instance.results:
        observed = outcome.results[buffer.name]
        problems += _outside(buffer, observed)
        # In smaller elements the poison is a value like any other.
        if buffer.role == "output" and buffer.dtype.itemsize >= 4 and _marked(request):
            untouched = poisoned(observed.values, request.fill)
            problems += [f"{buffer.name} never written: {_count(untouched)}"] if untouched.any() else []
    return problems


def describe(finding: Any) -> str:
    """A finding in one line: what, the Mojo line, and the first lane that did it."""
    parts = [finding.message]
    if finding.sites:
        parts.append("at " + " and ".join(str(site).removeprefix(f"{ROOT}/") for site in finding.sites))
    if finding.who:
        parts.append(f"by {finding.who[0]}")
    return ", ".join(parts) + (f" ({finding.count} times)" if finding.count > 1 else "")


def _verdict(request: Request, outcome: Outcome) -> tuple[Verdict, str]:
    if outcome.failure is not None:
        return outcome.failure.kind, outcome.failure.reason
    problems = [
        *_wrong_trace(request, outcome),
        *changed_inputs(request, outcome),
        *_wrong_results(request, outcome),
        *(f"{name} differs between {request.repeats} runs on the same inputs" for name in outcome.unstable),
    ]
    if bad := _defects(outcome):
        problems.insert(0, "; ".join(describe(finding) for finding in bad[:FIRST_FINDINGS]))
        return "FINDING", "; ".join(problems)
    return ("MISMATCH", "; ".join(problems)) if problems else ("PASS", "")


def _defects(outcome: Outcome) -> list[Any]:
    # What was never written is seen in the poison too, on every backend alike.
    return [
        finding for finding in outcome.findings if finding.severity != "information" and finding.kind != "never-written"
    ]


def _wrong_trace(request: Request, outcome: Outcome) -> list[str]:
    if outcome.traced is None:
        return []
    documented = request.instance.launch
    if not outcome.traced:
        return ["the driver saw no launch at all"]
    if len(outcome.traced) > 1:
        names = ", ".join(name for name, _ in outcome.traced)
        return [f"the driver saw {len(outcome.traced)} launches, but one is documented: {names}"]
    ((_, seen),) = outcome.traced
    # The driver's trace tells grid and block; the cluster is asserted in the graph.
    if (seen.grid, seen.block) != (documented.grid, documented.block):
        return [f"the driver saw grid {seen.grid} block {seen.block}, but documented is {documented}"]
    return []


def changed_inputs(request: Request, outcome: Outcome) -> list[str]:
    """The inputs that are not what they were, bit for bit."""
    problems = []
    for name, before in request.dataset.inputs.items():
        after = outcome.inputs.get(name)
        if after is None:
            problems.append(f"input {name} did not come back")
        elif after.shape != before.shape or after.tobytes() != before.tobytes():
            where = ""
            if after.shape == before.shape:
                where = f" at {_index(int(np.argmax(_bits(after) != _bits(before))), before.shape)}"
            problems.append(f"input {name} was changed{where}")
    return problems


def _wrong_results(request: Request, outcome: Outcome) -> list[str]:
    expected = request.case.oracle(request.dataset.inputs, request.instance.width)
    problems = []
    for buffer in request.instance.results:
        observed = outcome.results.get(buffer.name)
        if observed is None:
            problems.append(f"{buffer.role} {buffer.name} did not come back")
            continue
        problems += _outside(buffer, observed)
        if buffer.name in expected:
            problems += _differs(request, buffer, observed.values, expected[buffer.name])
    return problems


def _outside(buffer: Buffer, observed: Observed) -> list[str]:
    problems = []
    before, after = damaged(observed.before), damaged(observed.after)
    if before.size:
        index = int(before[-1]) - observed.before.size
        problems.append(f"written outside {buffer.name}: {before.size} before its start, the nearest at index {index}")
    if after.size:
        index = buffer.elements + int(after[0])
        problems.append(f"written outside {buffer.name}: {after.size} past its end, the nearest at index {index}")
    return problems


def _differs(request: Request, buffer: Buffer, got: np.ndarray, expected: np.ndarray) -> list[str]:
    if got.shape != buffer.shape or got.dtype != buffer.dtype:
        return [f"{buffer.name} came back as {got.dtype}{got.shape}, not {buffer.dtype}{buffer.shape}"]
    with np.errstate(invalid="ignore"):  # a signalling NaN among the results is no fault of ours
        wide = got.astype(np.float64)
    equal = (wide == expected) | (np.isnan(wide) & np.isnan(expected))
    untouched = poisoned(got, request.fill) & ~equal if _marked(request) else np.zeros(got.shape, bool)
    problems = []
    if untouched.any():
        problems.append(f"{buffer.name} never written: {_count(untouched)}")
    wrong = np.flatnonzero(~equal & ~untouched)
    if wrong.size:
        first = "; ".join(
            f"{buffer.name}{_index(int(flat), buffer.shape)} expected {expected.flat[flat]!s} got {got.flat[flat]!s}"
            f"{_who(request, buffer, int(flat))}"
            for flat in wrong[:FIRST_MISMATCHES]
        )
        problems.append(f"{wrong.size} of {got.size} wrong: {first}")
    return problems


def _marked(request: Request) -> bool:
    """Whether what nobody writes can be told from what somebody wrote."""
    return request.fill not in ("zero", "unset")


def _count(mask: np.ndarray) -> str:
    places = np.flatnonzero(mask)
    shown = ", ".join(_index(int(flat), mask.shape) for flat in places[:FIRST_MISMATCHES])
    return f"{places.size} of {mask.size}, at {shown}" + (", ..." if places.size > FIRST_MISMATCHES else "")


def _who(request: Request, buffer: Buffer, flat: int) -> str:
    """Block, thread and lane of an element where one thread owns each element."""
    launch: Launch = request.instance.launch
    blocks, threads = int(np.prod(launch.grid)), int(np.prod(launch.block))
    if buffer.elements == blocks:  # one result for each block, written by its thread 0
        block, thread = flat, 0
    elif buffer.elements <= blocks * threads:
        block, thread = divmod(flat, threads)
    else:
        return ""
    x = block % launch.grid[0], block // launch.grid[0] % launch.grid[1], block // (launch.grid[0] * launch.grid[1])
    return f" (block {x}, thread ({thread},0,0), lane {thread % request.instance.width})"


def _index(flat: int, shape: tuple[int, ...]) -> str:
    return "[" + ", ".join(str(int(part)) for part in np.unravel_index(flat, shape)) + "]"


def _bits(array: np.ndarray) -> np.ndarray:
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(f"u{flat.dtype.itemsize}")
