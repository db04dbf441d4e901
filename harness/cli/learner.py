"""Run the documented commands (`p15`, `p26 --pair-swap`); `make_plan`, for `check` and `watch` too.

Exactly the documented lines go to stdout; everything else goes to stderr.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import replace

from harness.cases import pipeline
from harness.catalogue import CASES
from harness.errors import UsageError
from harness.learning.messages import say
from harness.model import exit_code
from harness.model.case import Case
from harness.model.language import translate
from harness.model.launch_plan import LaunchPlan
from harness.model.lines import fold_for_stream
from harness.model.sources import INSTALLED, Sources
from harness.model.workspace import problem_sources
from harness.report import console

__all__ = ["learn", "make_plan"]


def learn(arguments: Namespace) -> int:
    """Run the learner's kernel, or the solution, and print on stdout what the documents show; all else goes to stderr.

    Returns the exit code of the verdict; the learner's progress is not changed.

    Raises:
        UsageError: The puzzle has several modes and none is named, or flags contradict each other.
    """
    case = _select_case(arguments)
    plan, sources = make_plan(arguments), _choose_sources(arguments)
    console.print_header(plan, sources.describe([case]))
    if INSTALLED and sources.kind == "problems" and not sources.overrides:
        note = "This file is the package's own: `puzzles start` makes a workspace with one of yours."
        print(translate(note), file=sys.stderr)
    with console.show_progress() as notify:
        report = pipeline.learner(
            case,
            plan=plan,
            sources=sources,
            notify=notify,
        )
    for line in report.lines:
        print(line)
    sys.stdout.flush()  # before what belongs to it, where both go to one place
    console.print_kernel_output(report.printed)
    console.print_case(report.case, sources, remarks=not arguments.solution)
    if report.data_seed is not None:
        print(fold_for_stream(say("learn.data-seed", seed=report.data_seed), sys.stderr), file=sys.stderr)
    return exit_code.combine_statuses([report.case.verdict])


def make_plan(arguments: Namespace) -> LaunchPlan:
    """Return the plan for running a learner's kernels; `--assertions` chooses the simulator.

    Raises:
        UsageError: The backend is `cpu`, or the flags contradict each other.
    """
    if arguments.backend == "cpu":
        raise UsageError("--backend cpu runs the reference, not your kernel: choose simulator or max.")
    if arguments.assertions and arguments.backend == "max":
        raise UsageError("--assertions run in the simulator: they do not go with --backend max.")
    plan = pipeline.plan(arguments.target, "simulator" if arguments.assertions else arguments.backend)
    return replace(
        plan,
        documented_size=arguments.documented_size,
        assertions=arguments.assertions,
        data_seed=arguments.data_seed,
    )


def _select_case(arguments: Namespace) -> Case:
    cases = [case for case in CASES if case.puzzle == arguments.puzzle]
    if arguments.mode is None and len(cases) > 1:
        flags = ", ".join(f"--{case.mode}" for case in cases)
        raise UsageError(f"{arguments.puzzle} has several modes: choose one of {flags}.")
    return next(case for case in cases if case.mode == (arguments.mode or cases[0].mode))


def _choose_sources(arguments: Namespace) -> Sources:
    if arguments.file is None:
        return Sources() if arguments.solution else problem_sources([arguments.puzzle])
    if arguments.solution:
        raise UsageError("--solution and --file cannot be combined.")
    return Sources(overrides={arguments.puzzle: arguments.file})
