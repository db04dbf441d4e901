"""Judge a launch's outcome, by an oracle or without: wrong values, lost inputs, unwritten elements, stray writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from harness.backends.base import Observed, Outcome, Request
from harness.backends.guarded import find_damaged, find_poisoned, view_bits
from harness.cases.launch_check import find_wrong_launches, find_wrong_trace
from harness.model import exit_code
from harness.model.case import TensorArgument, Within
from harness.model.messages import make_finding
from harness.model.report import DatasetReport
from harness.model.verdict import Verdict
from harness.process.parts import run_in_parts
from harness.simt.findings import Finding, Who, failing

__all__ = [
    "compare_values",
    "describe_wrong_values",
    "find_changed_inputs",
    "find_misbehaviour",
    "find_never_written",
    "find_outside_writes",
    "index",
    "judge",
]

FIRST_MISMATCHES = 5
ENDLESS = ("livelock", "endless-loop", "budget-exceeded")  # they say more than that a launch did not end
FAILURES: dict[Verdict, str] = {
    Verdict.COMPILE_ERROR: "run.compile-error",
    Verdict.LAUNCH_ERROR: "run.launch-error",
    Verdict.TIMEOUT: "run.timeout",
    Verdict.INCOMPLETE: "run.incomplete",
}


def judge(request: Request, outcome: Outcome, *, reference: bool = False) -> DatasetReport:
    """Return the report of one launch: its verdict and its findings.

    The verdict is the failure's kind, FINDING for findings as severe as `fail_on`, MISMATCH for other defects, else
    PASS (REFERENCE if, as `reference` says, the sequential branch ran instead of the kernel). Findings are all defects,
    the simulator's first (of a failed launch only the cause), then broken promises about scratch memory, which may
    make a right verdict FINDING, then the simulator's remarks.
    """
    verdict, problems = _verdict(request, outcome)
    if verdict == Verdict.PASS and reference:
        verdict = Verdict.REFERENCE
    remarks = [each for each in _select_remarks(request, outcome) if not any(each is problem for problem in problems)]
    promises = _check_scratch(request, outcome) if exit_code.is_right(verdict) else []
    if failing(promises, request.fail_on):
        verdict = Verdict.FINDING
    findings = (*problems, *promises, *remarks)
    orders = outcome.orders, outcome.why_no_more
    return DatasetReport(request.dataset.name, verdict, findings, outcome.run_seconds, *orders)


def find_misbehaviour(request: Request, outcome: Outcome) -> list[Finding]:
    """Return what is wrong with a launch whatever its values should be, for data that no oracle knows.

    Findings as severe as `request.fail_on`, another launch than the documented one, writes outside a buffer, and
    elements of an output that nobody wrote. The launch must not have failed; `find_changed_inputs` judges the inputs.
    """
    problems = _select_defects(outcome, request.fail_on)
    problems += [*find_wrong_trace(request, outcome), *find_wrong_launches(request, outcome)]
    for tensor in request.instance.results:
        observed = outcome.results[tensor.name]
        problems += [*_check_guards(tensor, observed), *_find_unwritten(request, tensor, observed)]
    return problems


def _find_unwritten(request: Request, tensor: TensorArgument, observed: Observed) -> list[Finding]:
    """Return a list with a finding for the elements that still hold the poison, if any. It is empty for other roles
    than `output`, elements below 4 bytes, and memory without poison.
    """
    # In smaller elements the poison is a value like any other.
    if tensor.role != "output" or tensor.dtype.itemsize < 4 or not _has_poison(request):
        return []
    return find_never_written(tensor, find_poisoned(observed.values, request.fill))


def _verdict(request: Request, outcome: Outcome) -> tuple[Verdict, list[Finding]]:
    if failure := outcome.failure:
        # A spent budget is for information in the simulator; here it is why there is no result.
        endless = [
            replace(finding, severity="error")
            for finding in outcome.findings
            if finding.kind in ENDLESS and failure.kind == Verdict.TIMEOUT
        ]
        reason, *lines = failure.reason.splitlines() or [""]
        cause = make_finding(FAILURES[failure.kind], reason=reason, items=tuple({"line": line} for line in lines))
        return failure.kind, endless[:1] or [cause]
    problems = [
        *find_wrong_trace(request, outcome),
        *find_wrong_launches(request, outcome),
        *find_changed_inputs(request, outcome),
        *_wrong_results(request, outcome),
        *(
            make_finding("check.unstable", argument=name, runs=request.repeats)
            for name in outcome.unstable
            if request.case.is_repeatable(name)
        ),
    ]
    if defects := _select_defects(outcome, request.fail_on):
        return Verdict.FINDING, [*defects, *problems]
    return (Verdict.MISMATCH if problems else Verdict.PASS), problems


def _select_remarks(request: Request, outcome: Outcome) -> list[Finding]:
    """Return the simulator's findings that are not defects: for information, or not as severe as `fail_on`."""
    counted = failing(outcome.findings, request.fail_on)
    return [each for each in outcome.findings if each.severity == "information" or each not in counted]


def _select_defects(outcome: Outcome, fail_on: str) -> list[Finding]:
    # What was never written is seen in the poison too, on every backend alike.
    return [finding for finding in failing(outcome.findings, fail_on) if finding.kind != "never-written"]


def find_changed_inputs(request: Request, outcome: Outcome) -> list[Finding]:
    """Return a finding for each input from the host that is lost, has another shape, or has other bits than before."""
    problems = []
    inputs = request.dataset.inputs  # without the tensors that a caller has on the device
    for name in (tensor.name for tensor in request.instance.inputs if tensor.name in inputs):
        before, after = inputs[name], outcome.inputs.get(name)
        if after is None:
            problems.append(make_finding("check.lost", argument=name, role="input"))
        elif after.shape != before.shape:
            problems.append(_report_other_type(name, after, before))
        elif after is not before and (changed := view_bits(after) != view_bits(before)).any():
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
        problems += _check_guards(tensor, observed)
        if tensor.name not in expected:
            problems += _find_unwritten(request, tensor, observed)
        elif tensor.role != "scratch":
            problems += _compare(request, tensor, observed.values, expected[tensor.name])
    return problems


def _check_scratch(request: Request, outcome: Outcome) -> list[Finding]:
    """Return a finding of severity `information` for each scratch buffer without its documented content."""
    scratch = [tensor for tensor in request.instance.results if tensor.role == "scratch"]
    expected = request.expected if scratch else {}
    promises = []
    for tensor in scratch:
        if tensor.name in expected:
            wrong = _compare(request, tensor, outcome.results[tensor.name].values, expected[tensor.name])
            if wrong:
                wrong_elements = sum(mismatch.count for mismatch in wrong)
                items = tuple(item for mismatch in wrong for item in mismatch.values.get("items", ()))
                details: dict[str, Any] = {"total": tensor.elements, "items": items}
                values = {"argument": tensor.name, "count": wrong_elements, **details}
                promises.append(make_finding("promise.scratch", "information", **values))
    return promises


def _check_guards(tensor: TensorArgument, observed: Observed) -> list[Finding]:
    before, after = find_damaged(observed.before), find_damaged(observed.after)
    return find_outside_writes(tensor, before - observed.before.size, tensor.elements + after)


def find_outside_writes(
    tensor: TensorArgument, before: Sequence[int] | np.ndarray, after: Sequence[int] | np.ndarray
) -> list[Finding]:
    """Return up to two findings, for writes before and after a tensor; each has their count and the nearest index.

    `before` and `after` are the flat indices of written elements, ascending: below 0, and from the tensor's size on.
    """
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


def _compare(request: Request, tensor: TensorArgument, actual: np.ndarray, expected: np.ndarray) -> list[Finding]:
    if actual.shape != tensor.shape or actual.dtype != tensor.dtype:
        return [_report_other_type(tensor.name, actual, tensor)]
    # What is masked nobody is to write. NumPy's masked arrays are loaded by those that have some.
    mask = getattr(expected, "mask", False)
    is_complete, accepted = not np.any(mask), request.right.get(tensor.name)
    if is_complete and accepted is not None and accepted.values is actual:
        return []
    gaps, expected = np.broadcast_to(mask, expected.shape), np.asarray(expected)
    tolerance = request.case.tolerance(tensor.name, request.dataset.name)
    right = compare_values(actual, expected, tolerance).reshape(actual.shape)
    if is_complete and right.all():
        return []
    pristine = find_poisoned(actual, request.fill) if _has_poison(request) else np.zeros(actual.shape, bool)
    untouched = pristine & ~right & ~gaps
    problems = find_never_written(tensor, untouched)
    wrong = np.flatnonzero(~right & ~untouched & ~gaps)
    if wrong.size:
        problems.append(describe_wrong_values(tensor, actual, expected, wrong, partial(_find_owner, request, tensor)))
    touched = np.flatnonzero(gaps & ~pristine) if _has_poison(request) else np.empty(0, np.intp)
    if touched.size:
        problems.append(_report_touched(tensor, touched))
    return problems


def compare_values(actual: np.ndarray, expected: np.ndarray, within: Within | None) -> np.ndarray:
    """Return a flat mask of the elements that equal the expected ones (NaN, too) or finite ones within a tolerance."""
    actual, expected = actual.reshape(-1), np.broadcast_to(expected, actual.shape).reshape(-1)
    right = np.empty(actual.size, bool)
    integers = actual.dtype.kind in "biu" and expected.dtype.kind in "biu"  # float64 does not hold all of 64 bits

    def fit(part: slice) -> None:
        with np.errstate(invalid="ignore"):  # a signalling NaN among the results is no fault of ours
            wide, target = actual[part].astype(np.float64), expected[part]
            fits = actual[part] == target if integers else wide == target
            if not fits.all():
                fits |= np.isnan(wide) & np.isnan(target)
                if within:
                    is_close = np.abs(wide - target) <= within.atol + within.rtol * np.abs(target)
                    fits |= is_close & np.isfinite(target)
        right[part] = fits

    run_in_parts(actual.size, fit)
    return right


def describe_wrong_values(
    tensor: TensorArgument,
    actual: np.ndarray,
    expected: np.ndarray,
    wrong: np.ndarray,
    owner_of: Callable[[int], Who | None] = lambda _: None,
) -> Finding:
    """Return a finding that lists the first five wrong elements, each with the thread that owns it if there is one.

    `wrong` has the flat indices of at least one element. `owner_of` returns an element's thread by its flat index.
    """
    items = []
    for flat in wrong[:FIRST_MISMATCHES].tolist():
        item = {
            "index": index(flat, tensor.indexed_shape),
            "expected": str(expected.flat[flat]),
            "got": str(actual.flat[flat]),
        }
        owner = owner_of(flat)
        items.append(item | ({"owner": owner} if owner else {}))
    name = "check.wrong-value.owned" if "owner" in items[0] else "check.wrong-value.shared"
    return make_finding(name, argument=tensor.name, count=wrong.size, total=actual.size, items=tuple(items))


def find_never_written(tensor: TensorArgument, mask: np.ndarray) -> list[Finding]:
    """Return a finding that the elements set in a mask of the tensor's shape were never written; [] if none is set."""
    places = np.flatnonzero(mask)
    if not places.size:
        return []
    return [make_finding("check.never-written", argument=tensor.name, **_format_places(tensor, places))]


def _report_touched(tensor: TensorArgument, places: np.ndarray) -> Finding:
    return make_finding("check.touched", argument=tensor.name, **_format_places(tensor, places))


def _format_places(tensor: TensorArgument, places: np.ndarray) -> dict[str, Any]:
    """Return the `count` of elements (by flat indices), the tensor's `total`, and as `places` a tuple with the first
    five indices as text (`[1, 0]`), and `...` if there are more.
    """
    labels = [index(flat, tensor.indexed_shape) for flat in places[:FIRST_MISMATCHES].tolist()]
    more = ["..."] if places.size > FIRST_MISMATCHES else []
    return {"count": places.size, "total": tensor.elements, "places": (*labels, *more)}


def _report_other_type(name: str, actual: np.ndarray, expected: np.ndarray | TensorArgument) -> Finding:
    actual_type, expected_type = (f"{array.dtype}{tuple(array.shape)}" for array in (actual, expected))
    return make_finding("check.other-type", argument=name, got=actual_type, expected=expected_type)


def _has_poison(request: Request) -> bool:
    """Return True if unwritten elements hold a poison that tells them from written ones."""
    return request.fill not in ("zero", "unset")


def _find_owner(request: Request, tensor: TensorArgument, flat: int) -> Who | None:
    """Guess which thread of the last launch owns an element: thread 0 of block `flat` if each block has one element,
    thread `flat` if grid and block lie along x, else None. None if a library launches.
    """
    if not (launches := request.case.steps[-1].geometries(request.instance.width)):  # a library's
        return None
    launch = launches[-1]
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
    """Format an element's index, such as `[1, 0]`."""
    return "[" + ", ".join(str(int(part)) for part in np.unravel_index(flat, shape)) + "]"
