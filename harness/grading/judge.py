"""Judges one file: compiled in one box and run in another, so that what compiles it never sees the secret data.

Files of the same people may be compiled together: a box has nothing in it that is not theirs.

What a box answers is JSON, and is believed as far as it has the form of an answer. A limit that is passed is the file's
own doing, but for the wall clock: a busy machine passes that too. What this machine is to blame for is tried again, and
so is a file on which a compiler or the simulator itself failed: if they fail again, but not on our own solution, that
is what became of the file.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from harness.build.cache import Cache, key_of
from harness.catalogue import select
from harness.errors import EnvironmentFault
from harness.grading import calls, compile_stage, judge_stage, untested
from harness.grading.calls import Asked
from harness.grading.compile_stage import TOOL, Compiled, CompileOrder
from harness.grading.judge_stage import JudgeOrder
from harness.grading.work import (
    STUMBLED,
    Job,
    JobResult,
    ModeResult,
    NotCompiled,
    Settings,
    alike,
    handed_out,
    python_handed_out,
    python_solution,
    solution,
)
from harness.model import codec
from harness.model.frames import as_handed_out, regions, unfilled
from harness.model.steps import Host
from harness.model.verdict import Verdict
from harness.process.box import Box, Stop, WarmBoxes
from harness.process.stage import Done

__all__ = ["ATTEMPTS", "CODE", "Attempt", "code_key", "code_of", "compiled", "judge", "judged_with", "unattempted"]

ATTEMPTS = 2
TOGETHER = 36  # files that are compiled at a time, so all of a person's: the limits of one are those of all
MANY = 18  # of which the halves are tried, where one came to a limit for all
CODE = ("codes",)
_VERDICTS = {"order": Verdict.LIMIT, "machine": Verdict.NOT_GRADED, "stage": Verdict.INCOMPLETE}
_GPU_DEVICES = ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/kfd", "/dev/dri")


class Attempt(NamedTuple):
    """What came of a file, and whether something of ours ended on it: then it is held against our own solution."""

    result: JobResult
    failed: bool = False


def judge(
    job: Job,
    settings: Settings,
    box: Box | WarmBoxes,
    cache: Cache,
    stop: Stop | None = None,
    code: Compiled | None = None,
) -> JobResult:
    """The result of a file.

    Args:
        job: Which.
        settings: What is compiled for, and the data.
        box: What it is compiled and run in.
        cache: Where its code may be, and goes.
        stop: Asked now and then whether the result is not wanted any more.
        code: From `compiled`, if it is there.

    Raises:
        Stopped: It is not.
    """
    if result := unattempted(job):
        return result
    if any(case.called for case in select([job.puzzle])):
        if lack := calls.lack(box):
            return alike(job, Verdict.NOT_GRADED, lack)
        settings = replace(settings, backend="simulator")  # a GPU's judge would run them where its own data is
    tried = _attempt(job, settings, box, cache, stop, code)
    while tried.result.attempts < ATTEMPTS and (tried.failed or _is_ungraded(tried.result, all)):
        again, attempts = _attempt(job, settings, box, cache, stop), tried.result.attempts + 1
        tried = again._replace(result=replace(again.result, attempts=attempts))
    if not _has_failed(tried):
        return tried.result
    ours = Job(job.puzzle, solution(job.puzzle), python=python_solution(job.puzzle))
    control = _attempt(ours, settings, box, cache, stop)
    if not (_has_failed(control) or _is_ungraded(control.result, any)):
        return tried.result
    failed = (tried.failed or mode.reason.startswith(STUMBLED) for mode in tried.result.modes)
    modes = (
        replace(mode, verdict=Verdict.NOT_GRADED) if own else mode
        for mode, own in zip(tried.result.modes, failed, strict=True)
    )
    return untested.with_control(replace(tried.result, modes=tuple(modes)), control.result)


def _has_failed(tried: Attempt) -> bool:
    """Whether something of ours ended on a file or a mode of it, or may be why it does not compile."""
    return tried.failed or any(map(untested.may_be_ours, tried.result.modes))


def _is_ungraded(result: JobResult, these: Callable[[Iterable[bool]], bool]) -> bool:
    """Whether this machine is to blame for all modes, or for any."""
    return these(mode.verdict == Verdict.NOT_GRADED for mode in result.modes)


def unattempted(job: Job) -> JobResult | None:
    """The result of a file that nobody has filled in, but for comments: nothing of it is compiled.

    One that was handed out wrong or complete is judged like any.
    """
    given, python = handed_out(job.puzzle), python_handed_out(job.puzzle)
    if not regions(given + python) or not as_handed_out(job.text, given) or not as_handed_out(job.python, python):
        return None
    reasons = {}
    for case in select([job.puzzle]):
        line, name = unfilled(job.text, case.functions, given), f"{job.puzzle}.mojo"
        if case.graph and line is None:  # the kernels are whole
            line, name = unfilled(job.python, (case.graph.name,), python), f"{job.puzzle}.py"
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
    box: Box | WarmBoxes,
    cache: Cache,
    stop: Stop | None,
    code: Compiled | Attempt | None = None,
) -> Attempt:
    try:
        if code is None and settings.backend == "simulator":
            code = code_of(job, settings, box, cache, stop)
        return code if isinstance(code, Attempt) else judged_with(code, job, settings, box, cache, stop)
    except EnvironmentFault as error:  # no box could be started
        return Attempt(alike(job, Verdict.NOT_GRADED, str(error)))


def code_of(
    job: Job, settings: Settings, box: Box | WarmBoxes, cache: Cache, stop: Stop | None = None
) -> Compiled | Attempt:
    """What a file is compiled to, for the simulator; or its result, where it failed as a whole.

    Raises:
        EnvironmentFault: No box could be started.
    """
    key = code_key(job, settings)
    if (kept := _kept(key, cache)) and _fit(kept, job):
        return kept
    done = _asked([job], settings, box, stop)
    if done.result is None:
        return _unjudged(job, done)
    if not _fit(done.result, job):
        return _unjudged(job, done, "the compiler's box answered what is no code")
    if not any(isinstance(code, NotCompiled) for code in done.result.codes.values()):
        _keep(key, done.result, cache)
    return replace(done.result, seconds=done.cpu_seconds, peak_bytes=done.peak_bytes)


def compiled(
    jobs: Sequence[Job], settings: Settings, box: Box | WarmBoxes, cache: Cache, stop: Stop | None = None
) -> dict[str, Compiled]:
    """What files of the same people are compiled to together, by the job's key, as `code_of` has it.

    What was compiled alone before is left out, and what came to a limit: that may have been another one's.
    """
    if settings.backend != "simulator":
        return {}
    left = [job for job in jobs if not unattempted(job) and not cache.get(code_key(job, settings), CODE)]
    if len(left) < 2:
        return {}
    if len(left) > TOGETHER:
        return _in_halves(left, settings, box, cache, stop)
    # What lay beside a file is in the key: another one's file with the same bytes does not get this code.
    key = _key("graded code together", settings, jobs=sorted(job.key for job in left))
    made = kept = _kept(key, cache)
    if made is None:
        try:
            done = _asked(left, settings, box, stop)
        except EnvironmentFault:  # each is tried alone then
            return {}
        if done.result is None:  # each of a few is tried alone then
            return _in_halves(left, settings, box, cache, stop) if len(left) > MANY else {}
        made = replace(done.result, seconds=done.cpu_seconds / len(left), peak_bytes=done.peak_bytes)
    each = {}
    for job in left:
        codes = {case.id: made.codes[case.id] for case in job.sizes if case.id in made.codes}
        own = replace(made, codes=codes, hosts={name: made.hosts[name] for name in (job.puzzle,) if name in made.hosts})
        late = any(isinstance(code, NotCompiled) and code.late for code in codes.values())
        if codes and _fit(own, job) and own.small and not late:
            each[job.key] = own
    good = {name: code for one in each.values() for name, code in one.codes.items() if isinstance(code, tuple)}
    if good and not kept:
        _keep(key, replace(made, codes=good), cache)
    return each


def _in_halves(jobs: list[Job], *how: Any) -> dict[str, Compiled]:
    half = len(jobs) // 2
    return compiled(jobs[:half], *how) | compiled(jobs[half:], *how)


def _kept(key: str, cache: Cache) -> Compiled | None:
    """What was compiled before; nothing of another version of the harness."""
    kept = cache.get(key, CODE)
    with contextlib.suppress(ValueError):
        return codec.decoded(Compiled, kept["codes"].data) if kept else None
    return None


def _keep(key: str, made: Compiled, cache: Cache) -> None:
    cache.put(key, {"codes": codec.encoded(Compiled(made.codes, hosts=made.hosts))})


def _asked(jobs: Sequence[Job], settings: Settings, box: Box | WarmBoxes, stop: Stop | None) -> Done[Compiled]:
    """What a compiler's box answers."""
    files = {job.puzzle: job.text for job in jobs}
    order = CompileOrder(files=files, target=settings.target, limits=compile_stage.LIMITS)
    return compile_stage.STAGE.ask(order, box, stop=stop)


def _fit(made: Compiled, job: Job) -> bool:
    """Whether there is, for cases of the puzzle alone, the code of each launch and of each call, or an error."""
    cases, hosts = {case.id: case for case in job.sizes}, made.hosts.get(job.puzzle)
    if not made.codes.keys() <= cases.keys() or not made.hosts.keys() <= {job.puzzle}:
        return False
    called = {case: [at for at, step in enumerate(case.steps) if isinstance(step, Host)] for case in cases.values()}
    good = {cases[name]: code for name, code in made.codes.items() if not isinstance(code, NotCompiled)}
    return all(
        len(code) == len(case.kernel_steps) and called[case] == (hosts.steps_of(case.id) if hosts else [])
        for case, code in good.items()
    )


def code_key(job: Job, settings: Settings) -> str:
    """The cache's key for what a file is compiled to, whatever Python is beside it; its one blob is `CODE`."""
    return _key("graded code", settings, job=replace(job, python="").key, sizes=[size.id for size in job.sizes])


def _key(kind: str, settings: Settings, **of: object) -> str:
    return key_of({"kind": kind, **of, "tool": TOOL, "target": settings.target, "versions": dict(settings.versions)})


def judged_with(
    code: Compiled | None,
    job: Job,
    settings: Settings,
    box: Box | WarmBoxes,
    cache: Cache,
    stop: Stop | None = None,
) -> Attempt:
    """What comes of a file that is compiled; arguments as of `judge`.

    Args:
        code: From `code_of`, or None for the backend to compile it itself.

    Raises:
        EnvironmentFault: No box could be started.
    """
    hosts = code.hosts.get(job.puzzle) if code else None
    asked = calls.asked(hosts, job.puzzle, settings, box, stop) if hosts else Asked()
    if code and asked.failed:
        result, failed = _unjudged(job, asked.failed)
        return Attempt(replace(result, compile_seconds=code.seconds, judge_seconds=asked.seconds), failed)
    try:
        graphs = calls.graphs(job, settings, box, cache)
    except EnvironmentFault as error:  # it may have ended its box itself, and said that the machine did
        return Attempt(alike(job, Verdict.INCOMPLETE, str(error)), failed=True)
    order = JudgeOrder(
        puzzle=job.puzzle,
        text=job.text,
        handed_out=handed_out(job.puzzle),
        target=settings.target,
        backend=settings.backend,
        data_seed=settings.data_seed,
        language=settings.language,
        codes=code.codes if code else None,
        hosts=hosts,
        told=asked.told,
        python=job.python,
        python_handed_out=python_handed_out(job.puzzle),
        graphs=graphs,
        limits=judge_stage.LIMITS if code else judge_stage.GPU_LIMITS,
        compilers=None if code else judge_stage.GPU_COMPILERS,
    )
    devices = () if code else (*map(Path, _GPU_DEVICES), *Path("/dev").glob("nvidia[0-9]*"))
    done = judge_stage.STAGE.ask(order, box, devices=devices, stop=stop)
    tried = _unjudged(job, done, "its judge answered what is no result")
    if done.result is not None and tuple(mode.case for mode in done.result.modes) == job.cases:
        tried = Attempt(replace(tried.result, modes=done.result.modes))
    whole = replace(
        tried.result,
        compile_seconds=code.seconds if code else 0.0,
        judge_seconds=asked.seconds + done.cpu_seconds,
        peak_bytes=max(code.peak_bytes if code else 0, asked.peak_bytes, done.peak_bytes),
    )
    return tried._replace(result=whole)


def _unjudged(job: Job, done: Done[Any], reason: str = "") -> Attempt:
    """What came of a file of which a stage gave no result, or none that is believed."""
    result = alike(job, _VERDICTS[done.blame], done.reason or reason, done.cpu_seconds)
    return Attempt(result, failed=done.blame == "stage")
