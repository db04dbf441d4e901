"""A unit of work, one puzzle's file, and what it came to: plain values for a store, a box or another machine."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, get_args

from harness.catalogue import select
from harness.model.report import Verdict
from harness.model.sources import Sources

__all__ = [
    "LIMIT",
    "MOST",
    "MOST_CODE",
    "NOT_ATTEMPTED",
    "NOT_GRADED",
    "STUMBLED",
    "UNREADABLE",
    "VERDICTS",
    "Job",
    "JobResult",
    "ModeResult",
    "Settings",
    "alike",
    "graded",
    "handed_out",
    "right",
    "solution",
]

# Beside the verdicts of a run:
NOT_ATTEMPTED = "NOT_ATTEMPTED"  # there is no file, or nobody filled in the kernel's region
UNREADABLE = "UNREADABLE"  # there is a file, and it is no text, or a link, or there are several
LIMIT = "LIMIT"  # it takes more than a limit of its box
NOT_GRADED = "NOT_GRADED"  # the machine is to blame, or nobody knows who: not the submission
STUMBLED = "the simulator failed on it"  # how the reason begins where that is no verdict of its own
MOST_CODE = 8 << 20  # characters of a kernel's LLVM IR; the largest solution's has 20,000
MOST = 1e15  # of any number in a result: of bytes, seconds, data sets
_UNGRADED = (NOT_GRADED, "SKIPPED")


VERDICTS = (*get_args(Verdict), NOT_ATTEMPTED, UNREADABLE, LIMIT, NOT_GRADED)


def solution(puzzle: str) -> str:
    """The text of our own solution."""
    return Sources().kernel_file(select([puzzle])[0]).read_text(encoding="utf-8")


def handed_out(puzzle: str) -> str:
    """The text of a puzzle's file as everybody got it."""
    return Sources().handed_out(select([puzzle])[0])


def right(verdict: str) -> bool:
    """Whether the kernel itself ran and nothing was wrong."""
    return verdict == "PASS"


def graded(verdict: str) -> bool:
    """Whether a verdict says something of the submission, so that points follow from it."""
    return verdict not in _UNGRADED


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What all of a grading has in common; results of other settings are not comparable.

    Attributes:
        target: Whose code is compiled.
        backend: `simulator` or `max`.
        data_seed: Of the fresh data.
        versions: Of what compiles and judges.
        language: In which people are told what was found.
    """

    target: str
    backend: str
    data_seed: int
    versions: Mapping[str, str] = field(default_factory=dict)
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Job:
    """One puzzle's file, for all of the puzzle's modes.

    Attributes:
        puzzle: `p26`.
        text: The file: encoded, it is what was handed in, byte for byte.
        people: Who handed it in, all of them, as a name that tells nobody: files of the same people are compiled
            together. Empty where nobody is known.
    """

    puzzle: str
    text: str
    people: str = ""

    @property
    def key(self) -> str:
        """A name for what is to be judged: the same for the same bytes, and for no others."""
        return f"{self.puzzle}-{hashlib.sha256(self.text.encode()).hexdigest()}"

    @property
    def cases(self) -> tuple[str, ...]:
        """The ids of the modes."""
        return tuple(case.id for case in select([self.puzzle]))


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeResult:
    """What became of one mode.

    Attributes:
        case: Its id.
        verdict: Of a run (`harness.model.report.Verdict`), or one of those above.
        reason: In one line; empty when it is right.
        lines: What a learner is told, line by line.
        unkept: What the puzzle asks for beside a right answer, and did not get.
        notes: What somebody who grades may want to know of the file, whatever it is worth.
        passed: Data sets that are right.
        total: Data sets that ran.
        seconds: Of the launches.
    """

    case: str
    verdict: str
    reason: str = ""
    lines: tuple[str, ...] = ()
    unkept: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    passed: int = 0
    total: int = 0
    seconds: float = 0.0

    @classmethod
    def read(cls, record: Any, case: str) -> ModeResult:
        """Reads what a box said of a mode.

        Raises:
            ValueError: It is nothing of the kind.
        """
        texts = ("lines", "unkept", "notes")
        kinds = {"verdict": str, "reason": str, **dict.fromkeys(texts, list), "passed": int, "total": int}
        if not isinstance(record, dict) or record.get("case") != case:
            raise ValueError(f"no result of {case}")
        for name, kind in kinds.items():
            if not isinstance(record.get(name), kind):
                raise ValueError(f"{name} of {case} is no {kind.__name__}")
        seconds = record.get("seconds", 0.0)
        for number in (record["passed"], record["total"], seconds):
            if not isinstance(number, int | float) or not 0 <= number < MOST:
                raise ValueError(f"{case} has a number that is none of a result")
        if record["verdict"] not in VERDICTS:
            raise ValueError(f"no verdict: {record['verdict']!r}")
        for name in texts:
            if not all(isinstance(line, str) for line in record[name]):
                raise ValueError(f"{name} of {case} are no texts")
        "".join((record["reason"], *(line for name in texts for line in record[name]))).encode()  # no half characters
        return cls(
            case=case,
            verdict=record["verdict"],
            reason=record["reason"],
            lines=tuple(record["lines"]),
            unkept=tuple(record["unkept"]),
            notes=tuple(record["notes"]),
            passed=record["passed"],
            total=record["total"],
            seconds=float(seconds),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class JobResult:
    """What became of a file.

    Attributes:
        key: Of its job.
        people: The same: others' files may have been compiled with it.
        modes: One for each mode of the puzzle.
        compile_seconds: Of the processor, in the compiler; 0 when its code was there.
        judge_seconds: Of the processor, in the simulator and around it.
        peak_bytes: The most of memory that a process took.
        attempts: How often it was tried.
    """

    key: str
    modes: tuple[ModeResult, ...]
    people: str = ""
    compile_seconds: float = 0.0
    judge_seconds: float = 0.0
    peak_bytes: int = 0
    attempts: int = 1

    @property
    def graded(self) -> bool:
        """Whether each mode has a verdict on the submission."""
        return all(graded(mode.verdict) for mode in self.modes)

    def record(self) -> dict[str, Any]:
        """It as plain JSON."""
        return asdict(self)

    @classmethod
    def read(cls, record: Any, job: Job) -> JobResult:
        """Reads what `record` wrote, for a job.

        Raises:
            ValueError: It is something else.
        """
        if not isinstance(record, dict) or (record.get("key"), record.get("people")) != (job.key, job.people):
            raise ValueError("no result of this job")
        modes = record.get("modes")
        if not isinstance(modes, list) or len(modes) != len(job.cases):
            raise ValueError("not all modes")
        numbers = {name: record.get(name, 0) for name in ("compile_seconds", "judge_seconds", "peak_bytes", "attempts")}
        if not all(isinstance(number, int | float) and 0 <= number < MOST for number in numbers.values()):
            raise ValueError("a number that is none of a result")
        return cls(
            key=job.key,
            people=job.people,
            modes=tuple(ModeResult.read(mode, case) for mode, case in zip(modes, job.cases, strict=True)),
            compile_seconds=float(numbers["compile_seconds"]),
            judge_seconds=float(numbers["judge_seconds"]),
            peak_bytes=int(numbers["peak_bytes"]),
            attempts=int(numbers["attempts"]),
        )


def alike(job: Job, verdict: str = NOT_GRADED, reason: str = "", compile_seconds: float = 0.0) -> JobResult:
    """The result of a file of which each mode came to the same."""
    modes = (ModeResult(case=case, verdict=verdict, reason=reason, lines=(f"{case}: {reason}",)) for case in job.cases)
    return JobResult(key=job.key, people=job.people, modes=tuple(modes), compile_seconds=compile_seconds)
