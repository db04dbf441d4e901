"""Outcome and oracle to a verdict: what is wrong, as findings that `harness.report` puts into words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from harness.backends.base import Observed, Outcome, Request
from harness.backends.guarded import bits, damaged, poisoned
from harness.cases.launch_check import wrong_launches, wrong_trace
from harness.model import exit_code
from harness.model.case import TensorArgument, Within
from harness.model.messages import make_finding
from harness.model.report import DatasetReport
from harness.model.verdict import Verdict
from harness.process.parts import run_in_parts
from harness.simt.findings import Finding, Who, failing

__all__ = [
    "changed_inputs",
    "index",
    "judge",
    "misbehaviour",
    "never_written",
    "outside",
    "which_fit",
    "wrong_values",
]

FIRST_MISMATCHES = 5
# What the simulator says of a launch that did not end tells more than that it did not.
ENDLESS = ("livelock", "endless-loop", "budget-exceeded")
FAILURES: dict[Verdict, str] = {
    Verdict.COMPILE_ERROR: "run.compile-error",
    Verdict.LAUNCH_ERROR: "run.launch-error",
    Verdict.TIMEOUT: "run.timeout",
    Verdict.INCOMPLETE: "run.incomplete",
}


def judge(request: Request, outcome: Outcome, *, reference: bool = False) -> DatasetReport:
    """The verdict on one launch.

    Args:
        request: What was asked for.
        outcome: What the launch left behind.
        reference: Whether the sequential branch ran instead of the kernel.

    Returns:
        The report; its findings name every defect, the worst first, and then what is for information:
        promises about scratch memory that a right answer did not keep, and the simulator's remarks.
    """
    verdict, problems = _verdict(request, outcome)
    if verdict == Verdict.PASS and reference:
        verdict = Verdict.REFERENCE
    remarks = [each for each in _tolerated(request, outcome) if not any(each is problem for problem in problems)]
    promises = _scratch(request, outcome) if exit_code.is_right(verdict) else []
    if failing(promises, request.fail_on):
        verdict = Verdict.FINDING
    findings = (*problems, *promises, *remarks)
    orders = outcome.orders, outcome.why_no_more
    return DatasetReport(request.dataset.name, verdict, findings, outcome.run_seconds, *orders)


def misbehaviour(request: Request, outcome: Outcome) -> list[Finding]:
    """What is wrong whatever the values should be: for data that no oracle knows.

    Findings, another launch than the documented one, writes outside a buffer, and
    elements of an output that nobody wrote. Inputs are left to `changed_inputs`.
    """
    problems = [*_defects(outcome, request.fail_on), *wrong_trace(request, outcome), *wrong_launches(request, outcome)]
    for tensor in request.instance.results:
        observed = outcome.results[tensor.name]
        problems += [*_outside(tensor, observed), *_unwritten(request, tensor, observed)]
    return problems


def _unwritten(request: Request, tensor: TensorArgument, observed: Observed) -> list[Finding]:
    """The elements of an output that hold what they held before."""
    # In smaller elements the poison is a value like any other.
    if tensor.role != "output" or tensor.dtype.itemsize < 4 or not _marked(request):
        return []
    return never_written(tensor, poisoned(observed.values, request.fill))


def _verdict(request: Request, outcome: Outcome) -> tuple[Verdict, list[Finding]]:
    if failure := outcome.failure:
        # A spent budget is for information in the simulator; here it is why there is no result.
        endless = [
            replace(finding, severity="error")
            for finding in outcome.findings
            if finding.kind in ENDLESS and failure.kind == Verdict.TIMEOUT
        ]
        reason, *lines = failure.reason.splitlines() or [""]
        told = make_finding(FAILURES[failure.kind], reason=reason, items=tuple({"line": line} for line in lines))
        return failure.kind, endless[:1] or [told]
    problems = [
        *wrong_trace(request, outcome),
        *wrong_launches(request, outcome),
        *changed_inputs(request, outcome),
        *_wrong_results(request, outcome),
        *(
            make_finding("check.unstable", argument=name, runs=request.repeats)
            for name in outcome.unstable
            if request.case.is_repeatable(name)
        ),
    ]
    if defects := _defects(outcome, request.fail_on):
        return Verdict.FINDING, [*defects, *problems]
    return (Verdict.MISMATCH if problems else Verdict.PASS), problems


def _tolerated(request: Request, outcome: Outcome) -> list[Finding]:
    """Return the information, and what is worse but not as bad as `fail_on`."""
    counted = failing(outcome.findings, request.fail_on)
    return [each for each in outcome.findings if each.severity == "information" or each not in counted]


def _defects(outcome: Outcome, fail_on: str) -> list[Finding]:
    # What was never written is seen in the poison too, on every backend alike.
    return [finding for finding in failing(outcome.findings, fail_on) if finding.kind != "never-written"]


def changed_inputs(request: Request, outcome: Outcome) -> list[Finding]:
    """The inputs that are not what they were, bit for bit."""
    problems = []
    given = request.dataset.inputs  # without the tensors that a caller has on the device
    for name in (tensor.name for tensor in request.instance.inputs if tensor.name in given):
        before, after = given[name], outcome.inputs.get(name)
        if after is None:
            problems.append(make_finding("check.lost", argument=name, role="input"))
        elif after.shape != before.shape:
            problems.append(_other_type(name, after, before))
        elif after is not before and (changed := bits(after) != bits(before)).any():
            first = int(np.flatnonzero(changed)[0])
            problems.append(make_finding("check.changed-input", argument=name, index=index(first, before.shape)))
    return problems


def _wrong_results(request: Request, outcome: Outcome) -> list[Finding]:
    expected = request.expected
    problems = []
    for tensor in request.instance.results:
        observed = outcome.results.get(tensor.name)
        if observed is None:
            problems.append(make_finding("check.lost", argument=tensor.name, role=tensor.role))
            continue
        problems += _outside(tensor, observed)
        if tensor.name not in expected:
            problems += _unwritten(request, tensor, observed)
        elif tensor.role != "scratch":
            problems += _differs(request, tensor, observed.values, expected[tensor.name])
    return problems


def _scratch(request: Request, outcome: Outcome) -> list[Finding]:
    """What scratch memory was to hold and does not: the answer does not depend on it, the documents' way to it does."""
    scratch = [tensor for tensor in request.instance.results if tensor.role == "scratch"]
    expected = request.expected if scratch else {}
    promises = []
    for tensor in scratch:
        if tensor.name in expected:
            wrong = _differs(request, tensor, outcome.results[tensor.name].values, expected[tensor.name])
            if wrong:
                held = sum(mismatch.count for mismatch in wrong)
                items = tuple(item for mismatch in wrong for item in mismatch.values.get("items", ()))
                told: dict[str, Any] = {"total": tensor.elements, "items": items}
                values = {"argument": tensor.name, "count": held, **told}
                promises.append(make_finding("promise.scratch", "information", **values))
    return promises


def _outside(tensor: TensorArgument, observed: Observed) -> list[Finding]:
    before, after = damaged(observed.before), damaged(observed.after)
    return outside(tensor, before - observed.before.size, tensor.elements + after)


def outside(
    tensor: TensorArgument, before: Sequence[int] | np.ndarray, after: Sequence[int] | np.ndarray
) -> list[Finding]:
    """The findings that it was written in front of a tensor and behind it, at these places in elements."""
    problems = []
    if len(before):
        problems.append(
            make_finding("check.outside.before", argument=tensor.name, count=len(before), index=int(before[-1]))
        )
    if len(after):
        problems.append(
            make_finding("check.outside.after", argument=tensor.name, count=len(after), index=int(after[0]))
        )
    return problems


def _differs(request: Request, tensor: TensorArgument, got: np.ndarray, expected: np.ndarray) -> list[Finding]:
    if got.shape != tensor.shape or got.dtype != tensor.dtype:
        return [_other_type(tensor.name, got, tensor)]
    # What is masked nobody is to write. NumPy's masked arrays are loaded by those that have some.
    mask = getattr(expected, "mask", False)
    whole, known = not np.any(mask), request.right.get(tensor.name)
    if whole and known is not None and known.values is got:
        return []
    gaps, expected = np.broadcast_to(mask, expected.shape), np.asarray(expected)
    right = which_fit(got, expected, request.case.tolerance(tensor.name, request.dataset.name)).reshape(got.shape)
    if whole and right.all():
        return []
    pristine = poisoned(got, request.fill) if _marked(request) else np.zeros(got.shape, bool)
    untouched = pristine & ~right & ~gaps
    problems = never_written(tensor, untouched)
    wrong = np.flatnonzero(~right & ~untouched & ~gaps)
    if wrong.size:
        problems.append(wrong_values(tensor, got, expected, wrong, partial(_owner, request, tensor)))
    touched = np.flatnonzero(gaps & ~pristine) if _marked(request) else np.empty(0, np.intp)
    if touched.size:
        problems.append(_touched(tensor, touched))
    return problems


def which_fit(got: np.ndarray, expected: np.ndarray, within: Within | None) -> np.ndarray:
    """Which elements are what they should be, flat."""
    got, expected = got.reshape(-1), np.broadcast_to(expected, got.shape).reshape(-1)
    right = np.empty(got.size, bool)
    integers = got.dtype.kind in "biu" and expected.dtype.kind in "biu"  # float64 does not hold all of 64 bits

    def fit(part: slice) -> None:
        with np.errstate(invalid="ignore"):  # a signalling NaN among the results is no fault of ours
            wide, wanted = got[part].astype(np.float64), expected[part]
            fits = got[part] == wanted if integers else wide == wanted
            if not fits.all():
                fits |= np.isnan(wide) & np.isnan(wanted)
                if within:
                    near = np.abs(wide - wanted) <= within.atol + within.rtol * np.abs(wanted)
                    fits |= near & np.isfinite(wanted)
        right[part] = fits

    run_in_parts(got.size, fit)
    return right


def wrong_values(
    tensor: TensorArgument,
    got: np.ndarray,
    expected: np.ndarray,
    wrong: np.ndarray,
    owner_of: Callable[[int], Who | None] = lambda _: None,
) -> Finding:
    """The first elements that are wrong, each with the thread that owns it where one does.

    Args:
        tensor: What holds them.
        got: Its elements.
        expected: What they should be, of the same shape.
        wrong: The flat indices of those that are wrong, at least one.
        owner_of: From a flat index to the thread that owns that element, or None.
    """
    items = []
    for flat in wrong[:FIRST_MISMATCHES].tolist():
        item = {
            "index": index(flat, tensor.indexed_shape),
            "expected": str(expected.flat[flat]),
            "got": str(got.flat[flat]),
        }
        owner = owner_of(flat)
        items.append(item | ({"owner": owner} if owner else {}))
    name = "check.wrong-value.owned" if "owner" in items[0] else "check.wrong-value.shared"
    return make_finding(name, argument=tensor.name, count=wrong.size, total=got.size, items=tuple(items))


def never_written(tensor: TensorArgument, mask: np.ndarray) -> list[Finding]:
    """The finding that the elements of a mask, of the tensor's shape, were never written; none where it is empty."""
    places = np.flatnonzero(mask)
    if not places.size:
        return []
    return [make_finding("check.never-written", argument=tensor.name, **_places(tensor, places))]


def _touched(tensor: TensorArgument, places: np.ndarray) -> Finding:
    return make_finding("check.touched", argument=tensor.name, **_places(tensor, places))


def _places(tensor: TensorArgument, places: np.ndarray) -> dict[str, Any]:
    """The first of some elements, and how many they are."""
    shown = [index(flat, tensor.indexed_shape) for flat in places[:FIRST_MISMATCHES].tolist()]
    more = ["..."] if places.size > FIRST_MISMATCHES else []
    return {"count": places.size, "total": tensor.elements, "places": (*shown, *more)}


def _other_type(name: str, got: np.ndarray, expected: np.ndarray | TensorArgument) -> Finding:
    seen, wanted = (f"{array.dtype}{tuple(array.shape)}" for array in (got, expected))
    return make_finding("check.other-type", argument=name, got=seen, expected=wanted)


def _marked(request: Request) -> bool:
    """Whether what nobody writes can be told from what somebody wrote."""
    return request.fill not in ("zero", "unset")


def _owner(request: Request, tensor: TensorArgument, flat: int) -> Who | None:
    """The thread of an element where one thread owns each element."""
    made = request.case.steps[-1].geometries(request.instance.width)
    if not made:  # a library's
        return None
    launch = made[-1]
    blocks, threads = int(np.prod(launch.grid)), int(np.prod(launch.block))
    in_a_row = launch.grid[1:] == launch.block[1:] == (1, 1)
    if tensor.elements == blocks:  # one result for each block, written by its thread 0
        block, thread = flat, 0
    elif in_a_row and tensor.elements <= blocks * threads:
        block, thread = divmod(flat, threads)
    else:
        return None
    return Who.numbered(block, thread, launch.grid, launch.block, request.instance.width)


def index(flat: int, shape: tuple[int, ...]) -> str:
    """An element's place as it is shown, such as `[1, 0]`."""
    return "[" + ", ".join(str(int(part)) for part in np.unravel_index(flat, shape)) + "]"
