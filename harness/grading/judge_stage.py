"""The sandboxed process that judges a file in all modes: its order, results, limits, entry point; warm-up.

It simulates code from `compile_stage` with stored reports of host calls (`calls`), or MAX compiles and runs on a GPU.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from harness import simt
from harness.backends.calls import CallInputs, HostRun
from harness.build import compiler
from harness.build.device_code import Texts
from harness.cases import pipeline
from harness.cases.prepare import CompiledCases, import_simulator
from harness.cases.python_graph import GraphVerdict
from harness.cases.runner import Runner
from harness.catalogue import select_cases
from harness.errors import CompileError, CompileTimeout, HarnessError
from harness.grading.calls import ReportsByStep
from harness.grading.work import MOST_CODE, STUMBLED, WIDEST, Codes, HostPrograms, KernelCode, ModeResult, NotCompiled
from harness.model.case import Case
from harness.model.language import set_language
from harness.model.report import CaseReport
from harness.model.sources import MOJO, PYTHON, Sources
from harness.model.verdict import Verdict
from harness.process.child import Limits
from harness.process.stage import Stage
from harness.programs.host_calls import Kernels
from harness.report.findings import find_reason, format_case, make_renderer
from harness.simt.excerpt import Excerpts
from harness.simt.plain import one_line
from harness.simt.render import Renderer

__all__ = ["GPU_COMPILERS", "GPU_LIMITS", "LIMITS", "STAGE", "JudgeOrder", "Judged", "main", "prepare"]

LIMITS = Limits(
    memory_bytes=3 << 29,
    cpu_seconds=120,
    file_bytes=64 << 20,
    open_files=256,
    processes=32,
    folder_bytes=256 << 20,
    seconds=300.0,
)
# A GPU's driver reserves memory as it likes, and the compiler is in the same box.
GPU_LIMITS = replace(LIMITS, memory_bytes=None, folder_bytes=4 << 30, file_bytes=1 << 30, processes=128, seconds=600.0)
# Of MAX's own compiler and of Mojo's, of the processor: the largest of the puzzles takes half of it.
GPU_COMPILERS = replace(compiler.LIMITS, cpu_seconds=100)
MOST_LINES = 60
_NOTHING = "define void @nothing() { ret void }"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOrder:
    """A file, and the data that it is judged on.

    Attributes:
        puzzle: The puzzle.
        text: The file's text.
        handed_out: The original text that it was made from.
        target: The target.
        backend: `simulator` or `max`.
        data_seed: The seed of the fresh data.
        language: The language of the findings.
        codes: The code from the compile stage; None for the backend to compile it in this box.
        hosts: The programs from the compile stage, if the file has host functions.
        reports: The reports of their calls, by case and step.
        python: The text of the puzzle's Python; empty if it has none.
        python_handed_out: The original text of the Python.
        graphs: The verdicts on the graphs that the Python builds, by case.
        limits: The limits of the stage.
        compilers: The limits of each call of a compiler in it, so that its end is seen and reported.
    """

    puzzle: str
    text: str
    handed_out: str
    target: str
    backend: str
    data_seed: int
    language: str
    codes: Codes | None
    limits: Limits
    hosts: HostPrograms | None = None
    reports: ReportsByStep = field(default_factory=dict)
    python: str = ""
    python_handed_out: str = ""
    graphs: Mapping[str, GraphVerdict] = field(default_factory=dict)
    compilers: Limits | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """The result of each mode of the puzzle, in the catalogue's order."""

    modes: tuple[ModeResult, ...]


STAGE = Stage(__name__, JudgeOrder, Judged, most_bytes=4 << 20)


def prepare() -> None:
    """Load what every order needs: the simulator and LLVM."""
    import_simulator()
    simt.decode(_NOTHING)


def main() -> None:
    """Serve one order: judge its file."""
    STAGE.serve(_judge_file)


def _judge_file(order: JudgeOrder, folder: Path) -> Judged:
    os.environ["HARNESS_CACHE"] = str(folder / "cache")  # a shared one would be a way between submissions
    file = folder / f"{order.puzzle}.mojo"
    file.write_bytes(order.text.encode())
    problems = {order.puzzle: order.handed_out}
    if order.python:
        file.with_suffix(PYTHON).write_bytes(order.python.encode())
        problems[f"{order.puzzle}{PYTHON}"] = order.python_handed_out
    set_language(order.language)
    sources = Sources(overrides={order.puzzle: file}, problems=problems)
    plan = replace(pipeline.plan(order.target, order.backend), data_seed=order.data_seed)
    codes = None if order.codes is None else {name: _code(code) for name, code in order.codes.items()}
    # What is compiled names the file as it lay in its own box: without the folder.
    show = replace(make_renderer(sources), source=Excerpts(MOJO, file, root=folder))
    results = []
    cases = select_cases([order.puzzle])
    calls = None if order.hosts is None else _Calls(order.hosts, order.reports)
    compiled = None if codes is None else CompiledCases(code=_llvm(codes), calls=calls)
    with Runner(cases, plan, sources, compiled=compiled, limits=order.compilers, graphs=order.graphs) as runner:
        for case in cases:
            code = (codes or {}).get(case.id)
            if code is None or isinstance(code, CompileError):
                results.append(_result(case, runner.report(case), show))
            elif any(_size_of(size, codes or {}, calls) > MOST_CODE for size in case.simulated.sizes):
                reason = f"its device code has more than {MOST_CODE >> 20} MiB"
                results.append(ModeResult.without_a_run(case.id, Verdict.LIMIT, reason))
            else:
                results.append(_simulate_mode(case, runner, "\n".join(part.asm for part in code), show))
    return Judged(tuple(results))


class _Calls:
    """Returns stored reports in place of making calls; see `harness.backends.calls.Calls`.

    Args:
        hosts: The programs that made them.
        reports: Their reports, by case and step.
    """

    def __init__(self, hosts: HostPrograms, reports: ReportsByStep) -> None:
        self._hosts, self._told = hosts, reports
        self._kernels = [Kernels(program.kernels) for program in hosts.programs]
        self._sets: dict[tuple[str, int], int] = {}

    def __call__(self, case: Case, step: int, inputs: Sequence[CallInputs]) -> Sequence[HostRun]:
        """Return the reports for the last `len(inputs)` data sets of a step, up to the first that failed.

        If that one came before them, its report alone is returned. The first request for a step must have all its sets.
        """
        (program,) = (call.program for call in self._hosts.calls[case.id] if call.step == step)
        reports, sets = self._told[case.id][step], self._sets.setdefault((case.id, step), len(inputs))
        place = min(sets - len(inputs), len(reports) - 1)
        return [self._kernels[program].run(report) for report in reports[place:]]

    def size_of(self, case: Case) -> int:
        """Return the number of characters of the kernels that a case's calls may launch."""
        programs = {call.program for call in self._hosts.calls.get(case.id, ())}
        return sum(len(text) for number in programs for text in self._hosts.programs[number].kernels.values())


def _size_of(case: Case, codes: Mapping[str, tuple[KernelCode, ...] | CompileError], calls: _Calls | None) -> int:
    """Return the number of characters of a case's kernels, with those that its host calls may launch.

    Kernels that do not compile, or are not there, count as 0.
    """
    code = codes.get(case.id, ())
    kernel_size = 0 if isinstance(code, CompileError) else sum(len(part.llvm) for part in code)
    return kernel_size + (calls.size_of(case) if calls else 0)


def _code(code: tuple[KernelCode, ...] | NotCompiled) -> tuple[KernelCode, ...] | CompileError:
    if isinstance(code, NotCompiled):
        return (CompileTimeout if code.late else CompileError)(code.error, code.diagnostics)
    return code


def _llvm(codes: Mapping[str, tuple[KernelCode, ...] | CompileError]) -> dict[str, Texts | CompileError]:
    return {
        name: code if isinstance(code, CompileError) else tuple(part.llvm for part in code)
        for name, code in codes.items()
    }


def _simulate_mode(case: Case, runner: Runner, code: str, show: Renderer) -> ModeResult:
    """Return the result of a mode; if the simulator itself fails on it, the mode is INCOMPLETE and others go on.

    `HarnessError`, `OSError` and `MemoryError` are raised.
    """
    try:
        return _result(case, runner.report(case, code), show)
    except (HarnessError, OSError, MemoryError):
        raise
    except Exception as error:  # a defect of ours that one file met: the other modes keep their results
        message = one_line(f"{type(error).__name__}: {error}")[:WIDEST]
        return ModeResult.without_a_run(case.id, Verdict.INCOMPLETE, f"{STUMBLED} ({message})")


def _result(case: Case, report: CaseReport, show: Renderer) -> ModeResult:
    empty = any(finding.id in ("frame.unfilled", "predict.open") for finding in report.findings)
    outside = (finding for finding in report.findings if finding.id in ("frame.outside", "frame.unmarked"))
    promises = (f"{show.words.text(promise)}; why: {find_reason(promise, show)}" for promise in report.unkept)
    return ModeResult(
        case=case.id,
        verdict=Verdict.NOT_ATTEMPTED if empty else report.verdict,
        reason=report.reason[:WIDEST],
        lines=tuple(line[:WIDEST] for line in islice(format_case(report, show, remarks=True), MOST_LINES)),
        unkept=tuple(text[:WIDEST] for text in promises),
        notes=tuple(show.words.text(finding)[:WIDEST] for finding in outside),
        passed=report.passed,
        total=len(report.datasets),
        seconds=report.run_seconds,
    )
