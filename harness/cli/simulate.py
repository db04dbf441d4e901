"""`simulate`: launch kernels of LLVM IR or Mojo files in the simulator; print findings and arrays, write reports."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from harness import simt
from harness.build.cache import Cache
from harness.build.foreign_ir import decode_foreign
from harness.build.objects import CachedObjects
from harness.cli.files import require_writable_reports, write_arrays
from harness.cli.launches import PlannedLaunch, plan_launches
from harness.cli.values import Values
from harness.errors import CompileError, EnvironmentFault, UsageError, unknown_name
from harness.model import exit_code
from harness.model.language import current_words
from harness.model.language import translate as in_language
from harness.model.launch_plan import LaunchPlan
from harness.model.launcher import Launcher
from harness.model.named import display_name
from harness.model.profile import KernelProfile, Measured, profile_launches
from harness.model.sources import ROOT
from harness.model.target import Target, make_unknown_target_error
from harness.process.processors import count_processors
from harness.programs.compile import compiled, resources
from harness.report import console, json_report, lines, profile, sarif
from harness.report.told import make_compile_finding
from harness.simt import gpus, render
from harness.simt.excerpt import Excerpts
from harness.simt.findings import SEVERITIES, failing
from harness.simt.ir.names import find_kernel
from harness.simt.observing.default import ALL
from harness.simt.plain import plain, printable

__all__ = ["simulate"]

_MORE_TIME = (
    "error: a launch takes longer than its limit: --launch-seconds raises it, with fewer --observers it takes less."
)


def simulate(arguments: Namespace) -> int:
    """Run the launches, print findings and arrays, and write the reports.

    Stops after the first launch that a fault ended, such as its time limit or an unknown instruction. Returns exit code
    0 if all are clean by `--fail-on`, 1 if one has findings, else 3.

    Raises:
        UsageError: An argument is wrong, or a kernel cannot be launched with its arguments.
        CompileError: The file does not compile; with `--format lines` that is a printed line and code 1 instead.
    """
    # Whatever can be wrong is found before the compiler is asked.
    target, left_out = _parse_target(arguments.target), _left_out(arguments.observers)
    if arguments.severity not in SEVERITIES:
        raise unknown_name("severity", arguments.severity, SEVERITIES)
    plan = LaunchPlan(
        Target.parse(target),
        "simulator",
        seed=arguments.seed,
        launch_seconds=arguments.time_limit,
        left_out=left_out,
        counters=False,
        profile=arguments.profile,
        engine=arguments.engine,
        workers=count_processors(),
        fail_on=arguments.fail_on,
    )
    launcher = Launcher(plan=plan, objects=CachedObjects(Cache.default()))
    values = Values()
    launches = plan_launches(arguments, values)
    require_writable_reports(arguments.json, arguments.sarif)
    # The compiler names what lies in the repository from its root; others' code says itself where its lines lie.
    root = Path.cwd() if arguments.file.suffix == ".ll" else ROOT
    show = render.Renderer(
        Excerpts(Path.cwd(), arguments.file.parent, root=root), words=current_words(), named=display_name
    )
    try:
        modules = _read_modules(arguments.file, target)
    except CompileError as error:
        if arguments.format != "lines":
            raise
        for line in lines.format_findings(
            [sarif.ReportedFinding(make_compile_finding(str(arguments.file), error.diagnostics))], show
        ):
            print(line)
        return exit_code.WRONG
    results = []
    try:
        kernels = [find_kernel(modules, launch.kernel) for launch in launches]
        for number, (launch, (module, kernel)) in enumerate(zip(launches, kernels, strict=True)):
            if len(launches) > 1:
                print(f"{launch}:")
            result = launcher.launch(
                module,
                kernel,
                launch,
                [values.mark_initialised(value) for value in launch.args] if number else launch.args,
                observers=launcher.observers,
                options=launcher.whole_launch,
                seeds=simt.SEEDS,
            )
            results.append(_judge(result, plan.fail_on))
            _print_result(results[-1], arguments, show)
            if results[-1].engine.is_reported(arguments.engine, results[-1].seconds):
                print(results[-1].engine.note(results[-1].kernel, current_words()), file=sys.stderr)
            if isinstance(results[-1].fault, simt.BudgetExceeded):
                print(in_language(_MORE_TIME), file=sys.stderr)
            if results[-1].fault is not None:
                break
    except simt.SimtError as error:
        raise UsageError(f"{arguments.file.name}: {error}.") from error
    arrays = {name: buffer.array for name, buffer in values.arrays.items()}
    for name, array in arrays.items():
        print(printable(f"{name} = {np.array2string(array, threshold=64)}"))
    console.print_code_generator(target.partition(":")[0])
    reports = [render.as_dict(result, show) for result in results]
    if arguments.profile:
        for report, launch_profile in zip(
            reports, _make_profiles(arguments.file, target, launches, results), strict=True
        ):
            profile.print_profiles([launch_profile], display_name)
            report["profile"] = plain(profile.as_dict([launch_profile])[0])
    _write_reports(arguments, reports, arrays)
    if arguments.sarif:
        file = str(arguments.file)
        findings = [finding for result in results for finding in result.findings]
        reported = [sarif.ReportedFinding(finding, {"target": target}, file) for finding in findings]
        sarif.write(arguments.sarif, reported, show, root=Path.cwd())
    if remaining := len(launches) - len(results):
        refusal = f"error: {remaining} more launches were not made, since this one did not end."
        print(in_language(refusal), file=sys.stderr)
    return exit_code.combine_statuses([result.verdict for result in results])


def _make_profiles(
    file: Path, target: str, launches: Sequence[PlannedLaunch], results: Sequence[simt.LaunchResult]
) -> list[KernelProfile]:
    """Return a profile of each launch that has a result; registers are included for kernels that Mojo compiled, if they
    can be determined; else a line on stderr says why not.
    """
    kernel_resources, parsed_target = {}, Target.parse(target)
    if file.suffix == ".mojo":
        try:
            with console.show_progress() as notify:
                kernel_resources = resources(file, parsed_target, notify=notify)
        except EnvironmentFault as error:
            print(in_language(f"without registers: {error}"), file=sys.stderr)
    measured = (
        Measured(result.kernel, result.symbol, launch.block, launch.shared_bytes, result.profile, result.counters)
        for launch, result in zip(launches, results, strict=False)
    )
    return [profile_launches([launch_measured], parsed_target, kernel_resources)[0] for launch_measured in measured]


def _parse_target(text: str) -> str:
    gpu = gpus.find_gpu(text)
    if gpu is None:
        raise make_unknown_target_error(text, [gpu.target for gpu in gpus.GPUS])
    return text if ":" in text else gpu.target


def _left_out(text: str | None) -> tuple[str, ...]:
    """Return the observers to leave out, by `races,sync` (all but those) or `no-redundant,no-counters` (those); none
    for None.

    Raises:
        UsageError: A name is unknown, or only some begin with `no-`.
    """
    names = [name.strip() for name in text.split(",")] if text is not None else []
    excluded = [name for name in names if name.startswith("no-")]
    if excluded and len(excluded) != len(names):
        raise UsageError("--observers names those to use or, each with `no-`, those to leave out; not both.")
    for name in names:
        if name.removeprefix("no-") not in ALL:
            raise unknown_name("observer", name, [*ALL, *(f"no-{observer}" for observer in ALL)])
    used = [name for name in ALL if (f"no-{name}" not in excluded if excluded or not names else name in names)]
    return tuple(name for name in ALL if name not in used)


def _read_modules(file: Path, target: str) -> list[simt.Module]:
    if not file.is_file():
        raise UsageError(f"no file at {file}.")
    try:
        if file.suffix == ".ll":
            return [decode_foreign(file.read_text(errors="replace"))]
        if file.suffix != ".mojo":
            raise UsageError(
                f"{file} is neither LLVM IR (.ll) nor Mojo (.mojo); docs/kernels.md says how clang makes a .ll "
                "of CUDA and of OpenCL."
            )
        with console.show_progress() as notify:
            texts = list(json.loads(compiled(file, Target.parse(target), notify=notify).kernels.data).values())
        if not texts:
            raise UsageError(f"{file} enqueues no kernel: what is simulated are the kernels that its `main` enqueues.")
        return [simt.decode(text) for text in texts]
    except simt.SimtError as error:
        raise UsageError(f"{file.name}: {error}.") from error


def _judge(result: simt.LaunchResult, fail_on: str) -> simt.LaunchResult:
    """Return a launch's result with the verdict that `--fail-on` makes of its findings; an incomplete launch stays
    incomplete.
    """
    if result.verdict == simt.LaunchVerdict.INCOMPLETE:
        return result
    fails = failing(result.findings, fail_on)
    return replace(result, verdict=simt.LaunchVerdict.FINDINGS if fails else simt.LaunchVerdict.CLEAN)


def _print_result(result: simt.LaunchResult, arguments: Namespace, show: render.Renderer) -> None:
    for line in result.printed:
        print(printable(line), end="" if line.endswith("\n") else "\n")
    if arguments.format == "lines":
        shown_severities = SEVERITIES[: SEVERITIES.index(arguments.severity) + 1]
        findings = (each for each in (*result.findings, *render.notes(result)) if each.severity in shown_severities)
        reported = (sarif.ReportedFinding(each, {}, str(arguments.file)) for each in findings)
        for line in lines.format_findings(reported, show):
            print(line)
        if result.verdict == simt.LaunchVerdict.INCOMPLETE:
            home = f"{display_name(str(arguments.file.absolute()))}:1:1"
            print(lines.format_line(home, "error", "incomplete", str(result.fault)))
    else:
        print(render.text(result, show, least=arguments.severity), end="")
    if why := show.fails_by_option(result.findings, arguments.fail_on, "warning"):
        print(f"{render.MARK} {why}")
    if isinstance(result.fault, simt.Unsupported):
        print(printable(f"error: the simulator does not know all of this kernel: {result.fault}"), file=sys.stderr)


def _write_reports(
    arguments: Namespace, reports: Sequence[Mapping[str, Any]], arrays: dict[str, np.ndarray[Any, Any]]
) -> None:
    if arguments.json:
        several = {"schema_version": render.SCHEMA_VERSION, "launches": reports}
        json_report.write(arguments.json, several if arguments.launches else reports[0])
    if arguments.out:
        write_arrays(arguments.out, arrays)
