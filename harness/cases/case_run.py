"""Run one case on all of its data sets, on a GPU with three poisons, into a report; merge a further case's report."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial

import numpy as np

from harness.backends.base import Backend, Outcome, Request, select_executed
from harness.backends.guarded import Fill, find_poisoned, view_bits
from harness.cases import claims
from harness.cases.check import index, judge
from harness.cases.fresh import add_fresh_data
from harness.model import exit_code
from harness.model.case import Case, Dataset, Instance
from harness.model.launch_plan import LaunchPlan
from harness.model.messages import make_finding
from harness.model.report import CaseReport, DatasetReport
from harness.model.verdict import Verdict
from harness.simt.findings import Finding, Severity

__all__ = ["merge_further_report", "name_further_dataset", "run_case"]

# On hardware uninitialised memory shows only in what comes of it, so every data set
# runs on memory that holds something else each time; of large ones the first.
_FILLS: tuple[Fill, ...] = ("poison", "poison-2", "poison-3")
_LARGE = 1 << 26  # bytes of all tensors: a launch takes seconds, nearly all of which move them


def run_case(
    case: Case,
    plan: LaunchPlan,
    backend: Backend,
    *,
    build_seconds: float = 0.0,
    code: str | None = None,
) -> CaseReport:
    """Run a case on all of its data sets and return its report.

    On a GPU each data set runs once for each of three poisons (from 64 MiB of tensors on only the documented one does),
    and the documented one is repeated `case.repetitions` times. The simulator sees uninitialised reads and races
    themselves, and repeats itself exactly: it gets each data set once, and tries other orders of the threads itself.
    Counters are those of the documented data; other data is judged by results and findings.

    Fresh data sets come after the case's own. A launch that fails, but for INCOMPLETE, ends the run. Claims are checked
    only if the documented launch was counted and did not fail. Verdict and findings are those of the first data set
    that is wrong, or of the first.

    Args:
        case: The case; the plan's target does not refuse it.
        plan: The plan: target, data seed and severity that fails.
        backend: The backend that executes it.
        build_seconds: The seconds spent on building it, for the report.
        code: The assembly of its kernels, for the claims about it.
    """
    instance = add_fresh_data(case, case.instance(plan.target.warp_width), plan.data_seed)
    sets = instance.datasets
    instance = select_executed(case, instance, backend)
    datasets: list[DatasetReport] = []
    documented: Outcome | None = None
    for dataset in sets:
        report, outcome = _run_dataset(case, instance, dataset, backend, plan.fail_on, not datasets)
        datasets.append(report)
        documented = documented or outcome
        if outcome.failure is not None and outcome.failure.kind != Verdict.INCOMPLETE:
            break  # a fault or a hang would only repeat itself
    decisive = next((dataset for dataset in datasets if not exit_code.is_right(dataset.verdict)), datasets[0])
    assert documented is not None
    counted = bool(documented.counters) and documented.failure is None
    return CaseReport(
        case=case.id,
        target=plan.target.name,
        backend=plan.backend,
        device=backend.device,
        verdict=decisive.verdict,
        launches=case.launches(instance.width),
        resized=case.resized,
        build_seconds=build_seconds,
        datasets=tuple(datasets),
        run_seconds=sum(dataset.run_seconds for dataset in datasets),
        findings=decisive.findings,
        counters=documented.counters,
        measured=documented.measured,
        claims=claims.check(case, plan.target, documented.counters, code) if counted else (),
        fail_on=plan.fail_on,
    )


def name_further_dataset(dataset: str, further: Case, width: int) -> str:
    """Return the name of a data set of a further case: `NAME with LAUNCH`, or `NAME of KERNELS` if the case changes no
    constants of the documented one.

    LAUNCH is text such as `2 blocks of 8 threads, SIZE = 18`; KERNELS are names joined by `and`.

    Args:
        dataset: The data set's own name.
        further: The case.
        width: Of a warp.
    """
    launch = further.further_launch(width)
    return f"{dataset} with {launch}" if launch else f"{dataset} of {further.kernel_names}"


def merge_further_report(report: CaseReport, beside: CaseReport, further: Case, width: int) -> CaseReport:
    """Return the report of the documented case, which is right, with the report of a further case merged into it.

    The verdict is that of the further case, and so are the findings if it is wrong. Its data sets are appended, renamed
    by `name_further_dataset`, and its seconds added. If the further case did not run, the name of its first data set is
    appended with its verdict and findings. All else, such as the claims, is that of the documented case.

    Args:
        report: The report of the documented case.
        beside: The report of the further case, which may be wrong.
        further: The further case.
        width: Of a warp.
    """
    launch, run = further.further_launch(width), beside.datasets
    if not run:  # it does not compile, say: its first data set stands for that
        first = further.instance(width).datasets[0]
        run = (DatasetReport(first.name, beside.verdict, beside.findings),)
    renamed = (
        replace(dataset, name=name_further_dataset(dataset.name, further, width), launch=launch) for dataset in run
    )
    return replace(
        report,
        verdict=beside.verdict,
        datasets=(*report.datasets, *renamed),
        findings=report.findings if beside.ok else beside.findings,
        build_seconds=report.build_seconds + beside.build_seconds,
        run_seconds=report.run_seconds + beside.run_seconds,
    )


def _run_dataset(
    case: Case, instance: Instance, dataset: Dataset, backend: Backend, fail_on: Severity, first: bool
) -> tuple[DatasetReport, Outcome]:
    """Run one data set; return its report, and the outcome that decided the verdict.

    On a GPU it also runs on memory with two other poisons, if it is the `first` data set or the tensors are below
    64 MiB. The first run that is wrong, or depends on the poison (MISMATCH), decides. Only the first data set is
    repeated, on a GPU, and counted, unless `case` is a further one.
    """
    hardware = backend.name == "max"
    repeated = hardware and (
        first or sum(tensor.elements * tensor.dtype.itemsize for tensor in instance.tensors) < _LARGE
    )
    request = Request(
        case=case,
        instance=instance,
        dataset=dataset,
        fill=_FILLS[0],
        others=_FILLS[1:] if repeated else (),
        repeats=case.repetitions if hardware and first else 1,
        counted=first and not case.redefined,  # a further launch makes no promises
        oracle=cache(partial(case.expected, dataset, instance.width)),
        fail_on=fail_on,
    )
    outcome = backend.launch(request)
    report = judge(request, outcome, reference=not backend.executes_kernel)
    if not exit_code.is_right(report.verdict):
        return report, outcome
    for fill, other in zip(request.others, outcome.others, strict=False):
        repeated_request = replace(request, fill=fill, repeats=1, right=outcome.results)
        repeated_report = judge(repeated_request, other)
        if other.failure is None and (changed := _find_poison_dependence(instance, outcome, other, repeated_request)):
            return DatasetReport(dataset.name, Verdict.MISMATCH, (changed,), repeated_report.run_seconds), other
        if not exit_code.is_right(repeated_report.verdict):
            return repeated_report, other
    return report, outcome


def _find_poison_dependence(instance: Instance, before: Outcome, after: Outcome, request: Request) -> Finding | None:
    """Return a finding for the first element of a result that has other bits under another poison; None if none has.

    Unwritten elements, and results that may differ between runs (`Case.is_repeatable`), are ignored. Neither launch
    may have failed. `request` is that of the launch `after`.
    """
    for tensor in instance.results:
        if not request.case.is_repeatable(tensor.name):
            continue
        first, other = before.results[tensor.name].values, after.results[tensor.name].values
        if first is other:
            continue
        differ = view_bits(first) != view_bits(other)
        if not differ.any():
            continue
        unwritten = find_poisoned(first, _FILLS[0]) & find_poisoned(other, request.fill)
        changed = np.argwhere(differ & ~unwritten)
        if changed.size:
            at = tuple(changed[0])
            return make_finding(
                "check.depends-on-memory",
                argument=tensor.name,
                index=index(int(np.ravel_multi_index(at, first.shape)), first.shape),
                one=str(first[at]),
                other=str(other[at]),
            )
    return None
