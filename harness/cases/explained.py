"""Add the cause and its remedy to a wrong case's report by repeating its launch; mark faults that follow from it.

A launch is repeated with one thing changed at a time (`harness.cases.trials`). If accesses outside of an array that
give zero leave the results right, a guard is missing; if room for them does, the array is too small. If another order
of the threads gives the right results, a barrier is missing. Otherwise an index is wrong, and what the first wrong
element is made of (`harness.cases.reasons`) says which.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from harness.backends.base import Backend
from harness.backends.simulator import SimulatorBackend
from harness.cases.block_writers import add_block_writers
from harness.cases.case_run import name_further_dataset
from harness.cases.fresh import add_fresh_data
from harness.cases.guards import choose_guard, has_element, list_threads_beyond
from harness.cases.host_names import host_names, with_host_names
from harness.cases.reasons import explain_wrong_element
from harness.cases.stray_lines import explain_strays
from harness.cases.trials import Trials
from harness.model.case import Case, Dataset, Instance
from harness.model.faults import FOLLOWS, MISSED, is_fault
from harness.model.launch_plan import LaunchPlan
from harness.model.report import CaseReport
from harness.model.sources import Sources
from harness.simt.excerpt import shared_name
from harness.simt.findings import Finding
from harness.simt.nesting import LOOPS, enclosing_headers

__all__ = ["add_cause", "find_decisive"]

SEEDS = (1, 2, 3, 4)
SECONDS = 1.0  # of the processor, beside what a reason takes: a learner waits
_UNWRITTEN = "check.never-written"
_WRONG = ("check.wrong-value", _UNWRITTEN)
_LAUNCHES = ("check.made", "check.launch")
_STRAY = "check.touched"
_ARRAYS = ("out-of-bounds.before", "out-of-bounds.after", "out-of-bounds.across")
_NUMBERED = "shared array "  # and a number: what compilers of Mojo leave of a shared array's name
_EXPLAINED = {"race", "order-dependent", "uninitialised", "inactive-source", "absent-lane", "misaligned"}


def add_cause(report: CaseReport, case: Case, plan: LaunchPlan, backend: Backend, sources: Sources) -> CaseReport:
    """Return the report of a wrong case with the cause of what was found, and the remedy that fits it.

    Only the report's `findings` change, not its data sets'. The same report is returned if no data set is wrong, or it
    did not run in the simulator. Otherwise the first wrong data set may be launched again, several times.

    Args:
        report: The report of the case.
        case: The case.
        plan: The plan of its launches in the simulator.
        backend: The plan's backend.
        sources: The files with the kernels.
    """
    if report.decisive is None or not isinstance(backend, SimulatorBackend):
        return report
    decisive = find_decisive(report, plan.case_to_run(case), plan)
    if decisive is None:
        return report
    lines = sources.kernel_file(case).read_text(encoding="utf-8").split("\n")
    explained = _Explanation(report.findings, *decisive, backend, lines).findings()
    if any(finding.id == _STRAY for finding in explained):
        trails = Trials(*decisive, backend).trails()
        explained = explain_strays(explained, decisive[1], trails)
    return replace(report, findings=tuple(explained))


def find_decisive(report: CaseReport, case: Case, plan: LaunchPlan) -> tuple[Case, Instance, Dataset] | None:
    """Return (case, instance, data set) of the first data set that is wrong: the case is at the size that has it, and
    the data set may be one of fresh data.

    None if none is wrong, or the case has none of its name now.

    Args:
        report: Of the case.
        case: As the plan runs it.
        plan: The plan of its launches, with the seed of its fresh data.
    """
    if report.decisive is None:
        return None
    width = plan.target.warp_width
    for size in case.sizes:
        instance = add_fresh_data(size, size.instance(width), plan.data_seed)
        for dataset in instance.datasets:
            name = dataset.name if size.id == case.id else name_further_dataset(dataset.name, size, width)
            if report.decisive.name == name:
                return size, instance, dataset
    return None


@dataclass
class _Explanation:
    """Finds the cause of what was found with one data set."""

    all: Sequence[Finding]
    case: Case
    instance: Instance
    dataset: Dataset
    backend: SimulatorBackend
    lines: Sequence[str]

    def __post_init__(self) -> None:
        self._started = time.process_time()
        self._of_host = host_names(self.case, len(self.instance.tensors), self.lines)
        self.all = with_host_names(self.all, self._of_host)
        self._faults = [finding for finding in self.all if is_fault(finding)]
        self._wrong = [finding for finding in self.all if finding.id.startswith(_WRONG)]
        self._trials = Trials(self.case, self.instance, self.dataset, self.backend)

    @property
    def _in_time(self) -> bool:
        return time.process_time() - self._started < SECONDS

    @cached_property
    def _reason(self) -> Finding | None:
        """Launch again; say what a result's first wrong element is made of, for the first result where that is certain.

        None if it is certain for no result.
        """
        values = [finding for finding in self._wrong if finding.id.startswith(_WRONG[0])]
        for finding in (*values, *self._wrong):
            cause = explain_wrong_element(
                self.case, self.instance, self.dataset, self.backend, finding.argument or "", self.lines
            )
            if cause is not None:
                return cause
        return None

    def findings(self) -> list[Finding]:
        """Return all findings; the cause has its remedy and may be new, and faults that follow from it get `follows`.

        Nothing changes without a certain cause, or if a finding is a cause itself, such as a missed barrier. If a
        launch is not the documented one, all faults follow from that. The launch may be repeated several times.
        """
        if any(finding.id.startswith(_LAUNCHES) for finding in self.all):
            return [_following(finding) if is_fault(finding) else finding for finding in self.all]
        kinds = {finding.kind for finding in self._faults}
        if not kinds.isdisjoint(MISSED) or "async-copy" in kinds:
            return list(self.all)
        if bounds := [finding for finding in self._faults if finding.id in _ARRAYS and "fix" in finding.values]:
            return self._outside(bounds)
        if empty := [finding for finding in self._faults if finding.id == "out-of-bounds.empty"]:
            return self._empty(empty[0])
        if any(finding.id == "race.update" for finding in self._faults):
            return list(self.all)  # in no order of the threads are the results right
        if self._is_one_writer():
            return [
                _following(each) if is_fault(each) and each.values.get("writers") != "one" else each
                for each in self.all
            ]
        undefined = [each for each in self._faults if each.kind == "uninitialised" and "seed" not in each.values]
        if undefined and {each.id for each in self._wrong_or_stray} == {_STRAY}:
            return self._stray(undefined)
        ordered = "race" in kinds or "order-dependent" in kinds
        if "misaligned" in kinds and self._wrong and not any(each.id.startswith(_WRONG[0]) for each in self._wrong):
            return [_following(finding) if is_fault(finding) else finding for finding in self.all]
        if not self._wrong or kinds - _EXPLAINED:
            return list(self.all)
        if not kinds and all(finding.id == _UNWRITTEN for finding in self._wrong):
            trail = self._trials.trails()[-1]
            return [add_block_writers(each, self.instance, trail) if each in self._wrong else each for each in self.all]
        if (ordered and self._is_order()) or (undefined and not ordered and self._trials.with_zeros()):
            return list(self.all)
        if self._reason is None or kinds & {"inactive-source", "absent-lane"}:
            return list(self.all)
        if undefined and self._reason.id == "check.reason.missing":
            return self._undefined(self._reason, undefined[0])
        return self._with(self._reason)

    def _empty(self, empty: Finding) -> list[Finding]:
        """Return the findings; `empty`, the use of a buffer without elements, gets the inputs to read there as remedy.

        `empty` is unchanged unless an input is known to be missing; no finding is marked as following.
        """
        if self._reason is None or not self._reason.values["missing"]:
            return list(self.all)
        element = f"{self._reason.argument}{self._reason.values['index']}"
        values = {"room": "needs", "wanted": element, "missing": self._reason.values["missing"]}
        return [replace(each, values=each.values | values) if each is empty else each for each in self.all]

    @property
    def _wrong_or_stray(self) -> list[Finding]:
        return [finding for finding in self.all if finding.id.startswith((*_WRONG, _STRAY))]

    def _stray(self, undefined: Sequence[Finding]) -> list[Finding]:
        """Return the findings: first those of written elements that must stay as they are, then the others, with the
        `undefined` reads marked as following from them. The caller has checked that this is the cause.
        """
        stray = [finding for finding in self.all if finding.id == _STRAY]
        rest = [_following(each) if each in undefined else each for each in self.all if each not in stray]
        return [*stray, *rest]

    def _undefined(self, cause: Finding, undefined: Finding) -> list[Finding]:
        """Return the findings if the first wrong element lacks an input and reads memory that nobody wrote.

        `cause` is added (see `_with`) as `check.reason.unfilled` if a buffer of the host function is read, or else as
        `check.reason.elsewhere` if the block that stores the element has stored on the way. Otherwise nothing is added,
        and all other faults are marked as following from `undefined`.
        """
        steps: Sequence[Mapping[str, Any]] = cause.values["items"]
        written = any(step["act"] == "store" and step["who"].block == steps[-1]["who"].block for step in steps[:-1])
        source = undefined.values["source"]
        by_host = source in self._of_host.values()
        if written or by_host:
            name = "check.reason.unfilled" if by_host else "check.reason.elsewhere"
            took: dict[str, Any] = {"source": source, "cell": undefined.values.get("cell", "")}
            if steps[-1]["act"] == "store":  # its value is that of a launch where what nobody wrote is zero
                took["items"] = (*steps[:-1], {**steps[-1], "value": "undefined"})
            return self._with(replace(cause, id=name, values=cause.values | took))
        return [_following(each) if is_fault(each) and each is not undefined else each for each in self.all]

    def _with(self, cause: Finding) -> list[Finding]:
        """Return the findings with `cause` after the first of wrong or unwritten elements; all faults get `follows`."""
        at = next(at for at, finding in enumerate(self.all) if finding.id.startswith(_WRONG))
        marked = [_following(finding) if is_fault(finding) else finding for finding in self.all]
        return [*marked[: at + 1], cause, *marked[at + 1 :]]

    def _is_one_writer(self) -> bool:
        """Return whether all threads write where one is to: there are races of two writes, each has `writers` "one",
        and no element is unwritten.
        """
        written = all(finding.id.startswith(_WRONG[0]) for finding in self._wrong)
        races = [finding for finding in self._faults if finding.id.endswith(".write-write")]
        return written and bool(races) and all(finding.values["writers"] == "one" for finding in races)

    def _is_order(self) -> bool:
        """Return whether the results are right in the fixed order of threads, or in that of a seed while there is
        time.
        """
        return self._trials.right() or any(self._in_time and self._trials.right(seed=seed) for seed in SEEDS)

    def _outside(self, bounds: Sequence[Finding]) -> list[Finding]:
        """Return the findings where accesses leave an array: first the one that says why, with its remedy.

        If that is a guard, the accesses at other lines come next; all other faults are marked as following from it.
        """
        first, values = self._why_outside(bounds)
        cause = replace(first, values=first.values | values)
        beside = self._other_lines(bounds, first) if values["fix"].startswith("guard") else []
        rest = (finding for finding in self.all if finding is not first and finding not in beside)
        return [cause, *beside, *(_following(finding) if is_fault(finding) else finding for finding in rest)]

    @staticmethod
    def _other_lines(bounds: Sequence[Finding], first: Finding) -> list[Finding]:
        """Return the first access outside of arrays of each other line than the first's, in the order of the lines:
        each line needs a guard.
        """
        lines = {finding.sites[0].line: finding for finding in reversed(bounds)}
        return [finding for line, finding in sorted(lines.items()) if line != first.sites[0].line]

    def _why_outside(self, bounds: Sequence[Finding]) -> tuple[Finding, dict[str, Any]]:
        ran = self._trials.executions()
        for finding in bounds:
            in_loop = any(header.word in LOOPS for header in enclosing_headers(self.lines, finding.sites[0].line))
            if in_loop and (kind := ran.all_outside(finding.sites[0])):
                return finding, {"fix": kind}
        first = bounds[0]
        shared = [each for each in bounds if each.values["space"] == "shared" and each.id == _ARRAYS[1] and each.size]
        room = {str(each.argument): each.values["allocation"] for each in shared}  # twice as much
        # A guard there would let no thread through.
        small = next((each for each in shared if ran.never_inside(each.sites[0])), None)
        if small is None and (not self._wrong or self._trials.with_zeros()):
            return first, choose_guard(first, self.case, self.instance, self.lines)
        if room and (used := self._trials.with_room(room)):
            small = small or shared[0]
            return small, {"fix": "size", "needed": used[str(small.argument)] // (small.size or 1)}
        threads = [who for finding in bounds for who in finding.who]
        if threads and self._trials.with_guard([each.sites[0] for each in bounds], threads):
            return first, choose_guard(first, self.case, self.instance, self.lines)
        cause = self._reason
        if cause is None:
            return first, {"fix": "outside"}
        if beyond := self._thread_beyond(bounds, cause):
            return first, beyond
        missing, foreign = cause.values["missing"], cause.values["foreign"]
        kind = "-other" if missing and foreign else "-missing" if missing else "-foreign" if foreign else ""
        element = f"{cause.argument}{cause.values['index']}"
        values = {"fix": f"index{kind}", "wanted": element, "missing": missing, "foreign": foreign}
        return first, values | self._lies(first, cause)

    def _thread_beyond(self, bounds: Sequence[Finding], cause: Finding) -> dict[str, Any]:
        """Return the parameters of the remedy `guard-beyond` if a thread without an element of the result stores the
        wrong one, and a launch without stores of such threads is right; else {}.
        """
        writer = next((step["who"] for step in reversed(cause.values["items"]) if step["act"] == "store"), None)
        if writer is None or has_element(writer, self.case, self.instance) is not False:
            return {}
        results = {tensor.name for tensor in self.instance.results}
        stores = [finding.sites[0] for finding in bounds if finding.argument in results]
        if not stores or not self._trials.without(stores, list_threads_beyond(self.case, self.instance)):
            return {}
        return {"fix": "guard-beyond", "beyond": writer, "wanted": f"{cause.argument}{cause.values['index']}"}

    def _lies(self, outside: Finding, cause: Finding) -> dict[str, str]:
        """Return {"lies": "block", "held": ELEMENT} with the element of shared memory in which, as `cause` says, the
        missing input was stored. Return {} unless `outside` is a load out of the bounds of that element's array.
        """
        if outside.values["space"] != "shared" or outside.values.get("access") != "load":
            return {}
        names = [str(outside.argument)]
        if names[0].removeprefix(_NUMBERED).isdigit():
            number = int(names[0].removeprefix(_NUMBERED))
            names.append(shared_name(self.lines, outside.sites[0].line, number) or names[0])
        for step in cause.values["items"]:
            element = step["what"].removesuffix(" = ")
            if step["act"] == "store" and element.partition("[")[0] in names:
                return {"lies": "block", "held": element}
        return {}


def _following(finding: Finding) -> Finding:
    return replace(finding, values=finding.values | {FOLLOWS: True})
