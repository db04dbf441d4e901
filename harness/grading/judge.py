"""Judge one file in sandboxes, or skip an untouched one; retry; cache code, compiled alone or with other files.

Another sandbox runs than compiles, so what compiles never sees the secret data. Files of the same people may share one.

What a box answers is JSON, and is believed as far as it has the form of an answer. A limit that is passed is the file's
own doing, but for the wall clock: a busy machine passes that too. A failure of this machine is tried again, and so is
one of a compiler or the simulator: if it fails again, but not on our own solution, that is the file's result.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from harness.build.cache import Cache, make_key
from harness.catalogue import select_cases
from harness.errors import EnvironmentFault
from harness.grading import calls, compile_stage, judge_stage, untested, work
from harness.grading.calls import HostReports
from harness.grading.compile_stage import TOOL, Compiled, CompileOrder
from harness.grading.judge_stage import JudgeOrder
from harness.grading.work import Job, JobResult, ModeResult, NotCompiled, Settings
from harness.model import codec
from harness.model.frames import count_regions, find_unfilled, is_untouched
from harness.model.steps import HostStep
from harness.model.verdict import Verdict
from harness.process.box import AnySandbox, Stop
from harness.process.stage import StageResult

__all__ = [
    "ATTEMPTS",
    "CODE",
    "Attempt",
    "code_key",
    "compile_alone",
    "compile_together",
    "judge",
    "judge_compiled",
    "unattempted",
]

ATTEMPTS = 2
TOGETHER = 36  # files that are compiled at a time, so all of a person's: the limits of one are those of all
MANY = 18  # of which the halves are tried, where one came to a limit for all
CODE = ("codes",)
_VERDICTS = {"order": Verdict.LIMIT, "machine": Verdict.NOT_GRADED, "stage": Verdict.INCOMPLETE}
_GPU_DEVICES = ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/kfd", "/dev/dri")


class Attempt(NamedTuple):
    """The result of one try, and whether the sandbox failed on it: then our own solution is tried for comparison."""

    result: JobResult
    failed: bool = False


def judge(
    job: Job,
    settings: Settings,
    box: AnySandbox,
    cache: Cache,
    stop: Stop | None = None,
    code: Compiled | None = None,
) -> JobResult:
    """Judge a file: at most two attempts, then our own solution for comparison if the harness failed on it.

    If our solution fails too, the modes concerned are NOT_GRADED; otherwise the file's result stands. All modes are
    NOT_GRADED if no box starts, which raises nothing, or if `box` may not run host functions that the file has. A file
    as handed out is not run; a file with host functions always runs in the simulator.

    Args:
        stop: Asked now and then whether the result is not wanted any more.
        code: Its code from `compile_together`, if there is some; only the first attempt uses it.

    Raises:
        StoppedError: The answer is not wanted any more.
    """
    if result := unattempted(job):
        return result
    if any(case.called for case in select_cases([job.puzzle])):
        if lack := calls.refusal(box):
            return work.uniform_result(job, Verdict.NOT_GRADED, lack)
        settings = replace(settings, backend="simulator")  # a GPU's judge would run them where its own data is
    tried = _attempt(job, settings, box, cache, stop, code)
    while tried.result.attempts < ATTEMPTS and (tried.failed or _is_ungraded(tried.result, all)):
        again, attempts = _attempt(job, settings, box, cache, stop), tried.result.attempts + 1
        tried = again._replace(result=replace(again.result, attempts=attempts))
    if not _has_failed(tried):
        return tried.result
    ours = Job(job.puzzle, work.solution_text(job.puzzle), python=work.solution_python(job.puzzle))
    control = _attempt(ours, settings, box, cache, stop)
    if not (_has_failed(control) or _is_ungraded(control.result, any)):
        return tried.result
    failed = (tried.failed or mode.reason.startswith(work.STUMBLED) for mode in tried.result.modes)
    modes = (
        replace(mode, verdict=Verdict.NOT_GRADED) if has_failed else mode
        for mode, has_failed in zip(tried.result.modes, failed, strict=True)
    )
    return untested.with_control(replace(tried.result, modes=tuple(modes)), control.result)


def _has_failed(tried: Attempt) -> bool:
    """Return whether the harness failed on a file or a mode, or may be why a mode does not compile (`may_be_ours`)."""
    return tried.failed or any(map(untested.may_be_ours, tried.result.modes))


def _is_ungraded(result: JobResult, these: Callable[[Iterable[bool]], bool]) -> bool:
    """Return whether all modes are NOT_GRADED, with `all` for `these`, or with `any` at least one."""
    return these(mode.verdict == Verdict.NOT_GRADED for mode in result.modes)


def unattempted(job: Job) -> JobResult | None:
    """Return NOT_ATTEMPTED for a file with nothing filled in; None for others, and if the original has no regions."""
    original, python = work.original_text(job.puzzle), work.original_python(job.puzzle)
    untouched = is_untouched(job.text, original) and is_untouched(job.python, python)
    if not count_regions(original + python) or not untouched:
        return None
    reasons = {}
    for case in select_cases([job.puzzle]):
        line, name = find_unfilled(job.text, case.functions, original), f"{job.puzzle}.mojo"
        if case.graph and line is None:  # the kernels are whole
            line, name = find_unfilled(job.python, (case.graph.name,), python), f"{job.puzzle}.py"
        place = f": {name}:{line}" if line else f", {name} is as it was handed out"  # of a kernel without marks
        reasons[case.id] = f"not filled in yet{place}"
    return JobResult(
        key=job.key,
        people=job.people,
        modes=tuple(ModeResult.without_a_run(name, Verdict.NOT_ATTEMPTED, reason) for name, reason in reasons.items()),
    )


def _attempt(
    job: Job,
    settings: Settings,
    box: AnySandbox,
    cache: Cache,
    stop: Stop | None,
    code: Compiled | Attempt | None = None,
) -> Attempt:
    try:
        if code is None and settings.backend == "simulator":
            code = compile_alone(job, settings, box, cache, stop)
        return code if isinstance(code, Attempt) else judge_compiled(code, job, settings, box, cache, stop)
    except EnvironmentFault as error:  # no box could be started
        return Attempt(work.uniform_result(job, Verdict.NOT_GRADED, str(error)))


def compile_alone(
    job: Job, settings: Settings, box: AnySandbox, cache: Cache, stop: Stop | None = None
) -> Compiled | Attempt:
    """Return a file's code for the simulator, from the cache or a sandbox, or the attempt's result if none came.

    Code in which every case compiles is stored in the cache; the code may hold errors of cases. Raises EnvironmentFault
    if no box could be started, and StoppedError if the answer is not wanted any more.
    """
    key = code_key(job, settings)
    if (cached := _read_cached(key, cache)) and _is_code_of(cached, job):
        return cached
    answer = _run_compiler([job], settings, box, stop)
    if answer.result is None:
        return _attempt_without_result(job, answer)
    if not _is_code_of(answer.result, job):
        return _attempt_without_result(job, answer, "the compiler's box answered what is no code")
    if not any(isinstance(code, NotCompiled) for code in answer.result.codes.values()):
        _write_cached(key, answer.result, cache)
    return replace(answer.result, seconds=answer.cpu_seconds, peak_bytes=answer.peak_bytes)


def compile_together(
    jobs: Sequence[Job], settings: Settings, box: AnySandbox, cache: Cache, stop: Stop | None = None
) -> dict[str, Compiled]:
    """Compile files of the same people together; return their code by the job's key. It is cached for this set of jobs.

    Left out: a file whose own code is cached, unfilled files, a single remaining one, those that hit a limit (it may be
    another's fault) or whose code is invalid or too large. Empty if no box starts, or for `max`. Raises StoppedError.
    """
    if settings.backend != "simulator":
        return {}
    remaining = [job for job in jobs if not unattempted(job) and not cache.get(code_key(job, settings), CODE)]
    if len(remaining) < 2:
        return {}
    if len(remaining) > TOGETHER:
        return _in_halves(remaining, settings, box, cache, stop)
    # What lay beside a file is in the key: another one's file with the same bytes does not get this code.
    key = _key("graded code together", settings, jobs=sorted(job.key for job in remaining))
    compiled = cached = _read_cached(key, cache)
    if compiled is None:
        try:
            answer = _run_compiler(remaining, settings, box, stop)
        except EnvironmentFault:  # each is tried alone then
            return {}
        if answer.result is None:  # each of a few is tried alone then
            return _in_halves(remaining, settings, box, cache, stop) if len(remaining) > MANY else {}
        compiled = replace(answer.result, seconds=answer.cpu_seconds / len(remaining), peak_bytes=answer.peak_bytes)
    each = {}
    for job in remaining:
        codes = {case.id: compiled.codes[case.id] for case in job.sizes if case.id in compiled.codes}
        hosts = {job.puzzle: compiled.hosts[job.puzzle]} if job.puzzle in compiled.hosts else {}
        code_of_job = replace(compiled, codes=codes, hosts=hosts)
        late = any(isinstance(code, NotCompiled) and code.late for code in codes.values())
        if codes and _is_code_of(code_of_job, job) and code_of_job.small and not late:
            each[job.key] = code_of_job
    every = (pair for code_of_job in each.values() for pair in code_of_job.codes.items())
    good = {name: code for name, code in every if isinstance(code, tuple)}
    if good and not cached:
        _write_cached(key, replace(compiled, codes=good), cache)
    return each


def _in_halves(jobs: list[Job], *how: Any) -> dict[str, Compiled]:
    half = len(jobs) // 2
    return compile_together(jobs[:half], *how) | compile_together(jobs[half:], *how)


def _read_cached(key: str, cache: Cache) -> Compiled | None:
    """Return code from the cache; None if it has none or is damaged. Keys differ between versions of the harness."""
    blobs = cache.get(key, CODE)
    with contextlib.suppress(ValueError):
        return codec.decode(Compiled, blobs["codes"].data) if blobs else None
    return None


def _write_cached(key: str, code: Compiled, cache: Cache) -> None:
    cache.put(key, {"codes": codec.encode(Compiled(code.codes, hosts=code.hosts))})


def _run_compiler(jobs: Sequence[Job], settings: Settings, box: AnySandbox, stop: Stop | None) -> StageResult[Compiled]:
    """Compile files of different puzzles in one sandbox, and return its answer; raises as `compile_alone`."""
    files = {job.puzzle: job.text for job in jobs}
    order = CompileOrder(files=files, target=settings.target, limits=compile_stage.LIMITS)
    return compile_stage.STAGE.ask(order, box, stop=stop)


def _is_code_of(compiled: Compiled, job: Job) -> bool:
    """Return whether code is of this job's cases (not always all), each an error or with all its launches and calls."""
    cases, hosts = {case.id: case for case in job.sizes}, compiled.hosts.get(job.puzzle)
    if not compiled.codes.keys() <= cases.keys() or not compiled.hosts.keys() <= {job.puzzle}:
        return False
    called = {case: [at for at, step in enumerate(case.steps) if isinstance(step, HostStep)] for case in cases.values()}
    good = {cases[name]: code for name, code in compiled.codes.items() if not isinstance(code, NotCompiled)}
    return all(
        len(code) == len(case.kernel_steps) and called[case] == (hosts.steps_of(case.id) if hosts else [])
        for case, code in good.items()
    )


def code_key(job: Job, settings: Settings) -> str:
    """Return the cache's key for a file's code, whatever its Python; the entry's blobs are named by `CODE`."""
    return _key("graded code", settings, job=replace(job, python="").key, sizes=[size.id for size in job.sizes])


def _key(kind: str, settings: Settings, **of: object) -> str:
    return make_key({"kind": kind, **of, "tool": TOOL, "target": settings.target, "versions": dict(settings.versions)})


def judge_compiled(
    code: Compiled | None,
    job: Job,
    settings: Settings,
    box: AnySandbox,
    cache: Cache,
    stop: Stop | None = None,
) -> Attempt:
    """Judge a file in a sandbox, after its host calls and its Python's graphs in others; arguments as of `judge`.

    If a host call has no valid report, or the graphs raise EnvironmentFault, the attempt says so, and the file is not
    judged. Otherwise raises as `compile_alone`.

    Args:
        code: The code from `compile_alone`, or None for the backend to compile it in a box that sees the GPUs.
    """
    hosts = code.hosts.get(job.puzzle) if code else None
    host_reports = calls.run_host_calls(hosts, job.puzzle, settings, box, stop) if hosts else HostReports()
    if code and host_reports.failed:
        result, failed = _attempt_without_result(job, host_reports.failed)
        return Attempt(replace(result, compile_seconds=code.seconds, judge_seconds=host_reports.seconds), failed)
    try:
        graphs = calls.check_graphs(job, settings, box, cache)
    except EnvironmentFault as error:  # it may have ended its box itself, and said that the machine did
        return Attempt(work.uniform_result(job, Verdict.INCOMPLETE, str(error)), failed=True)
    order = JudgeOrder(
        puzzle=job.puzzle,
        text=job.text,
        handed_out=work.original_text(job.puzzle),
        target=settings.target,
        backend=settings.backend,
        data_seed=settings.data_seed,
        language=settings.language,
        codes=code.codes if code else None,
        hosts=hosts,
        reports=host_reports.reports,
        python=job.python,
        python_handed_out=work.original_python(job.puzzle),
        graphs=graphs,
        limits=judge_stage.LIMITS if code else judge_stage.GPU_LIMITS,
        compilers=None if code else judge_stage.GPU_COMPILERS,
    )
    devices = () if code else (*map(Path, _GPU_DEVICES), *Path("/dev").glob("nvidia[0-9]*"))
    answer = judge_stage.STAGE.ask(order, box, devices=devices, stop=stop)
    tried = _attempt_without_result(job, answer, "its judge answered what is no result")
    if answer.result is not None and tuple(mode.case for mode in answer.result.modes) == job.cases:
        tried = Attempt(replace(tried.result, modes=answer.result.modes))
    result_with_costs = replace(
        tried.result,
        compile_seconds=code.seconds if code else 0.0,
        judge_seconds=host_reports.seconds + answer.cpu_seconds,
        peak_bytes=max(code.peak_bytes if code else 0, host_reports.peak_bytes, answer.peak_bytes),
    )
    return tried._replace(result=result_with_costs)


def _attempt_without_result(job: Job, answer: StageResult[Any], reason: str = "") -> Attempt:
    """Return the attempt of a file without a valid result: LIMIT if it passed a limit, NOT_GRADED if this machine is to
    blame, else INCOMPLETE and failed. `reason` is used if the answer has none.
    """
    result = work.uniform_result(job, _VERDICTS[answer.blame], answer.reason or reason, answer.cpu_seconds)
    return Attempt(result, failed=answer.blame == "stage")
