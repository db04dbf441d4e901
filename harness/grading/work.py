"""Records of grading for JSON: settings, a file to judge, its code and host programs, its result by mode.

Besides: the texts of our solutions and of original problems, and predicates on verdicts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from harness.catalogue import select_cases
from harness.model import codec
from harness.model.case import Case
from harness.model.sources import Sources
from harness.model.verdict import Verdict
from harness.process.stage import MAX_NUMBER
from harness.simt.plain import one_line

__all__ = [
    "MOST_CODE",
    "STUMBLED",
    "WIDEST",
    "Codes",
    "HostCall",
    "HostCode",
    "HostPrograms",
    "Job",
    "JobResult",
    "KernelCode",
    "ModeResult",
    "NotCompiled",
    "Settings",
    "is_graded",
    "is_right",
    "original_python",
    "original_text",
    "solution_python",
    "solution_text",
    "uniform_result",
]

STUMBLED = "the simulator failed on it"  # how the reason begins where that is no verdict of its own
MOST_CODE = 8 << 20  # characters of a kernel's LLVM IR; the largest solution's has 20,000
WIDEST = 600  # characters of a line that somebody is told
_UNGRADED = (Verdict.NOT_GRADED, Verdict.SKIPPED)


# What a box may say, since a stranger's file may have taken it over.
Text = Annotated[str, codec.is_encodable, lambda text: len(text) <= WIDEST]
Count = Annotated[int, codec.in_range(0, MAX_NUMBER)]
Seconds = Annotated[float, codec.in_range(0, MAX_NUMBER)]


def solution_text(puzzle: str) -> str:
    """Return the text of our own solution."""
    return Sources().kernel_file(select_cases([puzzle])[0]).read_text(encoding="utf-8")


def original_text(puzzle: str) -> str:
    """Return the text of a puzzle's file as learners get it."""
    return Sources().original_text(select_cases([puzzle])[0])


def solution_python(puzzle: str) -> str:
    """Return the Python of our own solution; empty if the puzzle has none."""
    case = select_cases([puzzle])[0]
    return Sources().python_file(case).read_text(encoding="utf-8") if case.graph else ""


def original_python(puzzle: str) -> str:
    """Return a puzzle's Python as learners get it; empty if it has none."""
    graph = select_cases([puzzle])[0].graph
    return graph.handout.problem(solution_python(puzzle)) if graph else ""


def is_right(verdict: Verdict) -> bool:
    """Return whether the verdict is PASS: the kernel itself ran, and nothing was wrong."""
    return verdict == Verdict.PASS


def is_graded(verdict: Verdict) -> bool:
    """Return whether a verdict is about the submission: True for all but NOT_GRADED and SKIPPED."""
    return verdict not in _UNGRADED


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings that all results of a grading share; others are not comparable.

    Attributes:
        target: The target of the kernels.
        backend: `simulator` or `max`.
        data_seed: The seed of the fresh data.
        versions: The versions of the packages that compile and judge.
        language: The language of the findings.
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
        python: The text of the puzzle's Python; empty if it has none.
        people: Who handed it in, all of them, as a name that tells nobody: files of the same people are compiled
            together. Empty where nobody is known.
    """

    puzzle: str
    text: str
    people: str = ""
    python: str = ""

    @property
    def key(self) -> str:
        """The puzzle, `-` and a digest of the file and its Python: equal files have one key, whoever handed them in."""
        each = [hashlib.sha256(text.encode()).hexdigest() for text in filter(None, (self.text, self.python))]
        return f"{self.puzzle}-{each[0] if len(each) == 1 else hashlib.sha256(':'.join(each).encode()).hexdigest()}"

    @property
    def cases(self) -> tuple[str, ...]:
        """The ids of the modes."""
        return tuple(case.id for case in select_cases([self.puzzle]))

    @property
    def sizes(self) -> tuple[Case, ...]:
        """The modes, each at all sizes at which the simulator judges it."""
        return tuple(size for case in select_cases([self.puzzle]) for size in case.simulated.sizes)


@dataclass(frozen=True, slots=True)
class KernelCode:
    """The device code of one launch, by level."""

    llvm: str
    asm: str


@dataclass(frozen=True, slots=True)
class NotCompiled:
    """Why a case does not compile.

    Attributes:
        error: The error, in a sentence.
        diagnostics: The compiler's own lines.
        late: Whether the compilation took more than its limit.
    """

    error: str
    diagnostics: str
    late: bool


Codes = Mapping[str, tuple[KernelCode, ...] | NotCompiled]  # by case


@dataclass(frozen=True, slots=True)
class HostCode:
    """A program that calls functions of the host.

    Attributes:
        host: LLVM IR of the host's part, compressed.
        kernels: LLVM IR of those that it may launch, by symbol.
        machine_code: Of the host's part (`harness.programs.jit`), compressed: what compiled it makes it once for all
            puzzles. Empty where it could not.
    """

    host: bytes
    kernels: Mapping[str, str]
    machine_code: bytes = b""


@dataclass(frozen=True, slots=True)
class HostCall:
    """A step of a case that is a call of a function of the host.

    Attributes:
        step: The step's index in the case.
        program: The number of the program that makes it.
        number: The number of the call in that program.
    """

    step: int
    program: int
    number: int


@dataclass(frozen=True, slots=True)
class HostPrograms:
    """The programs that call what a puzzle's file has of functions of the host, and by case their calls, in order."""

    programs: tuple[HostCode, ...]
    calls: Mapping[str, tuple[HostCall, ...]]

    def steps_of(self, case: str) -> list[int]:
        """Return the indices of a case's steps that its calls make, without calls of a program that is not there."""
        return [call.step for call in self.calls.get(case, ()) if 0 <= call.program < len(self.programs)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeResult:
    """The result of one mode.

    Attributes:
        case: The case's id.
        verdict: The verdict.
        reason: The reason in one line; empty if it is right.
        lines: The lines that a learner sees.
        unkept: Promises of the puzzle that a right answer does not keep.
        notes: Facts about the file for the teacher, without effect on points.
        passed: How many data sets are right.
        total: How many data sets ran.
        seconds: The seconds of its launches.
    """

    case: str
    verdict: Verdict
    reason: Text = ""
    lines: tuple[Text, ...] = ()
    unkept: tuple[Text, ...] = ()
    notes: tuple[Text, ...] = ()
    passed: Count = 0
    total: Count = 0
    seconds: Seconds = 0.0

    @classmethod
    def without_a_run(cls, case: str, verdict: Verdict, reason: str) -> ModeResult:
        """Return the result of a mode that was never run; its only line is the case and the reason, at most `WIDEST`
        characters.
        """
        reason = one_line(reason)[:WIDEST]
        return cls(case=case, verdict=verdict, reason=reason, lines=(f"{case}: {reason}"[:WIDEST],))


@dataclass(frozen=True, slots=True, kw_only=True)
class JobResult:
    """The result of a file.

    Attributes:
        key: The key of its job.
        people: The job's `people`: others' files may have been compiled with it.
        modes: One for each mode of the puzzle.
        compile_seconds: Processor seconds of the compiler; 0 if the code was cached.
        judge_seconds: Processor seconds of the simulator and what surrounds it.
        peak_bytes: The highest memory use of a process.
        attempts: How often it was tried.
    """

    key: str
    modes: tuple[ModeResult, ...]
    people: str = ""
    compile_seconds: Seconds = 0.0
    judge_seconds: Seconds = 0.0
    peak_bytes: Count = 0
    attempts: Count = 1

    @property
    def graded(self) -> bool:
        """True if each mode has a verdict on the submission."""
        return all(is_graded(mode.verdict) for mode in self.modes)

    @classmethod
    def read(cls, record: Any, job: Job) -> JobResult:
        """Read the result of a job from values of JSON.

        Raises:
            ValueError: They are something else, or the result of another job.
        """
        result = codec.build_record(cls, record)
        modes = tuple(mode.case for mode in result.modes)
        if (result.key, result.people, modes) != (job.key, job.people, job.cases):
            raise ValueError("no result of this job")
        return result


def uniform_result(
    job: Job, verdict: Verdict = Verdict.NOT_GRADED, reason: str = "", compile_seconds: float = 0.0
) -> JobResult:
    """Return the result of a file whose modes all have the same verdict and reason, without a run."""
    modes = (ModeResult.without_a_run(case, verdict, reason) for case in job.cases)
    return JobResult(key=job.key, people=job.people, modes=tuple(modes), compile_seconds=compile_seconds)
