"""Run cases under the tools of compute-sanitizer, each tool first on a kernel with a fault that it must report."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from harness.backends.base import Failure, Request
from harness.backends.compute_sanitizer import tool as sanitizer
from harness.backends.compute_sanitizer.tool import TOOLS, Log
from harness.backends.in_child import InChild
from harness.backends.max_backend import MaxBackend
from harness.build import versions
from harness.build.graphs import Graphs, build_graphs
from harness.build.hosts import explain_kernels_only
from harness.build.unit import Build
from harness.catalogue import find_case as case_of
from harness.catalogue import is_name
from harness.errors import EnvironmentFault, UsageError, unknown_name
from harness.model import exit_code
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import HARNESS_MOJO, Sources
from harness.process.child import temporary_folder

__all__ = ["CONTROL", "NO_GPU", "Examined", "compute_exit_code", "parse_tools", "run"]

CONTROL = "p15"  # the known-bad kernels take its place
CONTROLS = HARNESS_MOJO / "controls"
# What each tool has to say of its known-bad kernel: any other complaint, such as one
# about the process, does not show that it sees.
EXPECTED = {
    "memcheck": r"Invalid __global__ write",
    "racecheck": r"Race reported|[Hh]azard",
    "synccheck": r"Barrier error|[Dd]ivergent",
    "initcheck": r"Uninitialized __global__ memory read",
}
NO_GPU = (
    "--sanitize needs an NVIDIA GPU, and there is none for these kernels here: "
    "leave it out, and they run in the simulator, whose own checks always run."
)
LAUNCH_SECONDS = 120.0  # the tools slow a kernel down by two orders of magnitude

Notify = Callable[[str], None]
Status = Literal["clean", "findings", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Examined:
    """A case under one tool.

    Attributes:
        tool: One of `sanitizer.TOOLS`.
        case: Its id.
        status: `failed` when the tool gave no summary, or the launch no result.
        errors: That the tool counted.
        reason: Why it is neither clean nor has findings.
        messages: What the tool said, one line for each finding.
    """

    tool: str
    case: str
    status: Status
    errors: int = 0
    reason: str = ""
    messages: tuple[str, ...] = ()


def parse_tools(text: str) -> tuple[str, ...]:
    """Parse the tools, separated by commas, that `--sanitize` names, each once, in that order; all if it names none.

    Raises:
        UsageError: There is no such tool.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in TOOLS and is_name(name):
            raise UsageError(f"--sanitize takes tools, and {name} is a case: name it first, `run {name} --sanitize`.")
        if name not in TOOLS:
            raise unknown_name("sanitizer", name, TOOLS)
    return tuple(dict.fromkeys(names)) or TOOLS


def run(
    cases: Sequence[Case],
    *,
    plan: LaunchPlan,
    sources: Sources,
    tools_to_run: Sequence[str],
    notify: Notify = lambda _: None,
) -> tuple[Examined, ...]:
    """Run every case under every tool, in a process for each; return a result for each, by tool and then by case.

    Memory is as it was allocated and of the exact size, so that reads of what
    nobody wrote and accesses past the end are seen as what they are.
    A case that the target refuses, or that has no kernel to run, is `skipped`; one that does not compile is `failed`.

    Args:
        cases: What is run, under each tool in this order.
        plan: On an NVIDIA GPU.
        sources: Whose kernels.
        tools_to_run: From `parse_tools`.
        notify: Gets a line when something slow begins.

    Raises:
        EnvironmentFault: The plan is for no NVIDIA GPU, there is no
            compute-sanitizer, or a tool does not report its known-bad kernel.
    """
    if plan.backend != "max" or plan.target.vendor != "nvidia":
        raise EnvironmentFault(NO_GPU)
    program = sanitizer.find()
    runnable = [case for case in cases if case.refusal(plan.target) is None]
    built = build_graphs(runnable, Build(target=plan.target, sources=sources, notify=notify))
    examined = []
    for tool in tools_to_run:
        notify(f"{tool}: the kernel that it must report")
        _check_control(program, tool, plan, notify)
        for case in cases:
            if refusal := case.refusal(plan.target):
                examined.append(Examined(tool, case.id, "skipped", reason=refusal))
            elif error := built.errors.get(case.id):
                examined.append(Examined(tool, case.id, "failed", reason=f"{error}\n{error.diagnostics}".strip()))
            elif case.id not in built.artifacts:
                examined.append(Examined(tool, case.id, "skipped", reason=explain_kernels_only("--sanitize", case)))
            else:
                notify(f"{tool}: {case.id}")
                examined.append(_summarize(tool, case.id, *_run_under_tool(program, tool, case, built, plan)))
    return tuple(examined)


def compute_exit_code(examined: Sequence[Examined]) -> int:
    """Return the exit code: 0 only if something was examined and nothing was found or failed.

    Raises:
        EnvironmentFault: All cases were skipped, or there are none; the message has the first one's reason.
    """
    if all(examination.status == "skipped" for examination in examined):
        reason = examined[0].reason if examined else "there are no cases"
        raise EnvironmentFault(f"nothing was examined: {reason}.")
    return exit_code.combine_statuses(examination.status for examination in examined)


def _check_control(program: str, tool: str, plan: LaunchPlan, notify: Notify) -> None:
    """Run a tool's known-bad kernel; EnvironmentFault if it does not compile, or the tool does not report it."""
    case, file = case_of(CONTROL), CONTROLS / f"{tool}.mojo"
    sources = Sources(overrides={case.puzzle: file})
    built = build_graphs([case], Build(target=plan.target, sources=sources, notify=notify))
    if error := built.errors.get(case.id):
        raise versions.make_own_fault(f"the known-bad kernel harness/build/mojo/controls/{file.name}", error)
    log, _ = _run_under_tool(program, tool, case, built, plan)
    is_reported = any(re.search(EXPECTED[tool], message) for message in log.messages)
    if not (log.errors and is_reported):
        complaint = "gives no summary" if log.errors is None else "does not report what is wrong"
        raise EnvironmentFault(
            f"compute-sanitizer's {tool} {complaint} on the known-bad kernel harness/build/mojo/controls/{file.name}: "
            "it is blind here, and its silence about the cases would mean nothing."
        )


def _run_under_tool(program: str, tool: str, case: Case, built: Graphs, plan: LaunchPlan) -> tuple[Log, Failure | None]:
    """Run a case's data sets in one process under a tool; return its log and the failure, if any.

    The first failure is the last launch.
    """
    instance = case.instance(plan.target.warp_width)
    failure = None
    with temporary_folder() as folder:
        path = folder / "log"
        backend = MaxBackend(
            plan.target,
            built,
            InChild(
                plan.target,
                plan.gpus[0] if plan.gpus else 0,
                lambda kind, environment: sanitizer.Sanitized(kind, environment, program, tool, path),
            ),
        )
        try:
            for dataset in instance.datasets:
                request = Request(
                    case=case, instance=instance, dataset=dataset, fill="unset", time_limit_seconds=LAUNCH_SECONDS
                )
                failure = backend.launch(request).failure
                if failure:
                    break
        finally:
            backend.close()
        text = path.read_text(errors="replace") if path.exists() else ""
    return sanitizer.parse(text), failure


def _summarize(tool: str, case: str, log: Log, failure: Failure | None) -> Examined:
    """Return a tool's result on a case: `findings` if it reports errors; else `failed` after a failed launch or without
    a summary; else `clean`.
    """
    if log.errors:
        return Examined(tool, case, "findings", log.errors, messages=log.messages)
    if failure is not None:
        return Examined(tool, case, "failed", reason=failure.reason, messages=log.messages)
    if log.errors is None:
        return Examined(tool, case, "failed", reason=f"{tool} gave no summary, so nothing is known")
    return Examined(tool, case, "clean")
