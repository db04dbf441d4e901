"""Judges one file: compiled in one box and run in another, so that what compiles it never sees the secret data.

Files of the same people may be compiled together: a box has nothing in it that is not theirs.

What a box answers is JSON, and is believed as far as it has the form of an answer. A limit that is passed is the file's
own doing, but for the wall clock: a busy machine passes that too. What this machine is to blame for is tried again, and
so is a file on which a compiler or the simulator itself failed: if they fail again, but not on our own solution, that
is what became of the file.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.build.cache import Cache, key_of
from harness.catalogue import select
from harness.errors import EnvironmentFault
from harness.grading import compile_stage, judge_stage
from harness.grading.work import (
    LIMIT,
    MOST,
    NOT_ATTEMPTED,
    NOT_GRADED,
    STUMBLED,
    Job,
    JobResult,
    ModeResult,
    Settings,
    alike,
    handed_out,
    solution,
)
from harness.model.frames import as_handed_out, regions, unfilled
from harness.process.box import Answer, Box, WarmBoxes
from harness.process.child import Limits
from harness.process.fork_server import OUR_MACHINE
from harness.simt.plain import one_line

__all__ = ["ATTEMPTS", "CODE", "Code", "code_key", "code_of", "compiled", "judge", "judged_with", "unattempted"]

ATTEMPTS = 2
TOGETHER = 12  # files that are compiled at a time: with more the limits of one could be those of all
CODE = ("codes",)
_CODE = {"llvm": str, "asm": str}
_ERROR = {"error": str, "diagnostics": str, "late": bool}
_FAILED = "FAILED"  # an answer's own: something of ours ended on the file
_WORDS = {
    "memory_bytes": "memory",
    "cpu_seconds": "time of the processor",
    "file_bytes": "room in a file",
    "processes": "processes",
    "folder_bytes": "room on the disk",
}
# A GPU's driver reserves memory as it likes, and the compiler is in the same box.
_GPU_LIMITS = replace(
    judge_stage.LIMITS, memory_bytes=None, folder_bytes=4 << 30, file_bytes=1 << 30, processes=128, seconds=600.0
)
_GPU_DEVICES = ("/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/kfd", "/dev/dri")
_WIDEST = 300  # characters of what a box said
Stop = Callable[[], bool]
Code = dict[str, Any]


def _never() -> bool:
    return False


def judge(
    job: Job, settings: Settings, box: Box | WarmBoxes, cache: Cache, stop: Stop = _never, code: Code | None = None
) -> JobResult:
    """The result of a file.

    Args:
        job: Which.
        settings: What is compiled for, and the data.
        box: What it is compiled and run in.
        cache: Where its code may be, and goes.
        stop: Asked now and then whether the result is still wanted.
        code: From `compiled`, if it is there.

    Raises:
        Stopped: It is not.
    """
    if result := unattempted(job):
        return result
    again = _attempt(job, settings, box, cache, stop, code)
    while again.attempts < ATTEMPTS and all(mode.verdict in (NOT_GRADED, _FAILED) for mode in again.modes):
        again = replace(_attempt(job, settings, box, cache, stop), attempts=again.attempts + 1)
    if not any(map(_is_failure, again.modes)):
        return again
    control = _attempt(Job(job.puzzle, solution(job.puzzle)), settings, box, cache, stop)
    sound = not any(mode.verdict == NOT_GRADED or _is_failure(mode) for mode in control.modes)
    became = "INCOMPLETE" if sound else NOT_GRADED
    modes = (replace(mode, verdict=became) if _is_failure(mode) else mode for mode in again.modes)
    return replace(again, modes=tuple(modes))


def _is_failure(mode: ModeResult) -> bool:
    """Whether something of ours ended on a file."""
    return mode.verdict == _FAILED or mode.reason.startswith(STUMBLED)


def unattempted(job: Job) -> JobResult | None:
    """The result of a file that nobody has filled in, but for comments: nothing of it is compiled.

    One that was handed out wrong or complete is judged like any.
    """
    given = handed_out(job.puzzle)
    if not regions(given) or not as_handed_out(job.text, given):
        return None
    lines = {case.id: unfilled(job.text, case.functions, given) for case in select([job.puzzle])}
    reasons = {name: f"not filled in yet: {job.puzzle}.mojo:{line}" for name, line in lines.items()}
    return JobResult(
        key=job.key,
        people=job.people,
        modes=tuple(
            ModeResult(case=name, verdict=NOT_ATTEMPTED, reason=reason, lines=(f"{name}: {reason}",))
            for name, reason in reasons.items()
        ),
    )


def _attempt(
    job: Job, settings: Settings, box: Box | WarmBoxes, cache: Cache, stop: Stop, code: Code | None = None
) -> JobResult:
    if settings.backend != "simulator":
        code = {"codes": None}
    elif code is None:
        code = code_of(job, settings, box, cache, stop)
        if "codes" not in code:
            return _alike(job, code)
    return judged_with(code, job, settings, box, stop)


def code_of(job: Job, settings: Settings, box: Box | WarmBoxes, cache: Cache, stop: Stop = _never) -> Code:
    """What a file is compiled to, for the simulator.

    Returns:
        `codes`, by case; or, where it failed as a whole, the `verdict` and the `reason`; with what it took.
    """
    key = code_key(job, settings)
    if kept := cache.get(key, CODE):
        codes = json.loads(kept["codes"].text)
        if _are_codes(codes, job):  # or another version of the harness kept it
            return {"codes": codes}
    answer = _compiled([job], settings, box, stop)
    if "codes" in answer and not _are_codes(answer["codes"], job):
        answer = {"verdict": _FAILED, "reason": "the compiler's box answered what is no code"}
    elif "codes" in answer and all(isinstance(code, list) for code in answer["codes"].values()):
        cache.put(key, {"codes": json.dumps(answer["codes"]).encode()})
    return answer


def compiled(
    jobs: Sequence[Job], settings: Settings, box: Box | WarmBoxes, cache: Cache, stop: Stop = _never
) -> dict[str, Code]:
    """What files of the same people are compiled to together, by the job's key, as `code_of` has it.

    What was compiled alone before is left out, and what came to a limit: that may have been another one's.
    """
    if settings.backend != "simulator":
        return {}
    left = [job for job in jobs if not unattempted(job) and not cache.get(code_key(job, settings), CODE)]
    if len(left) > TOGETHER:
        halves = left[: len(left) // 2], left[len(left) // 2 :]
        return {key: code for half in halves for key, code in compiled(half, settings, box, cache, stop).items()}
    if len(left) < 2:
        return {}
    # What lay beside a file is in the key: another one's file with the same bytes does not get this code.
    key = _key("graded code together", settings, jobs=sorted(job.key for job in left))
    kept = cache.get(key, CODE)
    answer = {"codes": json.loads(kept["codes"].text)} if kept else _compiled(left, settings, box, stop)
    codes = answer.get("codes")
    codes = codes if isinstance(codes, dict) else {}
    each, took = {}, _number(answer, "compile_seconds") / len(left)
    for job in left:
        own = {name: codes[name] for name in job.cases if name in codes}
        if own and _are_codes(own, job) and not any(isinstance(code, dict) and code["late"] for code in own.values()):
            each[job.key] = {**answer, "codes": own, "compile_seconds": took}
    good = {name: code for one in each.values() for name, code in one["codes"].items() if isinstance(code, list)}
    if good and not kept:
        cache.put(key, {"codes": json.dumps(good).encode()})
    return each


def _compiled(jobs: Sequence[Job], settings: Settings, box: Box | WarmBoxes, stop: Stop) -> Code:
    """What a compiler's box answers."""
    limits = compile_stage.LIMITS
    files = {job.puzzle: job.text for job in jobs}
    order = {"files": files, "target": settings.target, "cpu_seconds": limits.cpu_seconds}
    return _asked(compile_stage, order, box, limits, stop)


def code_key(job: Job, settings: Settings) -> str:
    """The cache's key for what a file is compiled to; its one blob is `CODE`."""
    return _key("graded code", settings, job=job.key)


def _key(kind: str, settings: Settings, **of: object) -> str:
    return key_of({"kind": kind, **of, "target": settings.target, "versions": dict(settings.versions)})


def _are_codes(codes: Any, job: Job) -> bool:
    """Whether an answer has, for cases of the puzzle alone, the code of each launch or an error."""
    steps = {case.id: len(case.kernel_steps) for case in select([job.puzzle])}
    return isinstance(codes, dict) and all(
        case in job.cases
        and (
            (isinstance(code, list) and len(code) == steps[case] and all(_has(part, _CODE) for part in code))
            or _has(code, _ERROR)
        )
        for case, code in codes.items()
    )


def _has(record: Any, form: Mapping[str, type]) -> bool:
    """Whether a record has these fields, each of its type, and no other."""
    return (
        isinstance(record, dict)
        and record.keys() == form.keys()
        and all(isinstance(record[name], kind) for name, kind in form.items())
    )


def judged_with(code: Code, job: Job, settings: Settings, box: Box | WarmBoxes, stop: Stop = _never) -> JobResult:
    """The result of a file that is compiled; `code` is from `code_of`, or None for the backend to compile itself."""
    gpu = settings.backend != "simulator"
    order = {
        "puzzle": job.puzzle,
        "text": job.text,
        "target": settings.target,
        "backend": settings.backend,
        "data_seed": settings.data_seed,
        "language": settings.language,
        "handed_out": handed_out(job.puzzle),
        "codes": code["codes"],
    }
    limits = _GPU_LIMITS if gpu else judge_stage.LIMITS
    answer = _asked(judge_stage, order, box, limits, stop, gpu=gpu)
    try:
        modes = tuple(ModeResult.read(mode, case) for mode, case in zip(answer["modes"], job.cases, strict=True))
    except (KeyError, TypeError, ValueError):
        modes = _alike(job, answer).modes
    return JobResult(
        key=job.key,
        people=job.people,
        modes=modes,
        compile_seconds=_number(code, "compile_seconds"),
        judge_seconds=_number(answer, "judge_seconds"),
        peak_bytes=int(max(_number(code, "peak_bytes"), _number(answer, "peak_bytes"))),
    )


def _alike(job: Job, answer: Code) -> JobResult:
    """The result of a file of which each mode came to the same."""
    verdict, reason = answer.get("verdict", _FAILED), answer.get("reason", "its judge answered what is no result")
    return alike(job, verdict, reason, _number(answer, "compile_seconds"))


def _number(answer: Code, name: str) -> float:
    value = answer.get(name, 0.0)
    return float(value) if isinstance(value, int | float) and 0 <= value < MOST else 0.0


def _asked(
    stage: ModuleType, order: Code, box: Box | WarmBoxes, limits: Limits, stop: Stop, *, gpu: bool = False
) -> Code:
    """What a box answered, or `verdict` and `reason` where it did not."""
    devices = [*map(Path, _GPU_DEVICES), *Path("/dev").glob("nvidia[0-9]*")] if gpu else []
    try:
        given = json.dumps(order).encode()
        answer = box.ask(
            stage.__name__, given, limits=limits, most_bytes=stage.ANSWER_BYTES, devices=devices, stop=stop
        )
    except EnvironmentFault as error:
        return {"verdict": NOT_GRADED, "reason": str(error)}
    return _read(answer, limits)


def _read(answer: Answer, limits: Limits) -> Code:
    try:
        said = json.loads(answer.data or b"")
    except (ValueError, RecursionError):
        said = None
    limit = answer.ended.limit
    if isinstance(said, dict) and "limit" in said:
        limit = str(said["limit"])
    elif isinstance(said, dict) and answer.ended.status == 0:
        fault = said.pop("fault", None)
        said = {name: value for name, value in said.items() if name not in ("verdict", "reason")}  # those are ours
        return said if fault is None else {**said, "verdict": NOT_GRADED, "reason": str(fault)}
    if limit in _WORDS:
        most = getattr(limits, limit)
        shown = f"{most >> 20} MiB" if limit.endswith("_bytes") else f"{most} s" if limit == "cpu_seconds" else most
        return {"verdict": LIMIT, "reason": f"it takes more {_WORDS[limit]} than its limit, {shown}"}
    if limit == "seconds":
        return {"verdict": NOT_GRADED, "reason": f"it did not end within {limits.seconds:g} s, and the machine is busy"}
    last = one_line((answer.noise.splitlines() or ["it said nothing"])[-1])[:_WIDEST]
    reason = f"its box {answer.ended} without an answer: {last}"
    machine = not answer.served or answer.ended.status in (-signal.SIGKILL, OUR_MACHINE)
    return {"verdict": NOT_GRADED if machine else _FAILED, "reason": reason}
