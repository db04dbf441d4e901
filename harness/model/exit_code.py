"""The exit codes of commands and their meanings; compute one from statuses of results or from an exception."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from harness.errors import CompileError, HarnessError, LaunchFault, UsageError
from harness.model.verdict import Verdict

__all__ = [
    "BROKEN_PIPE",
    "ENVIRONMENT",
    "INTERNAL",
    "INTERRUPTED",
    "MEANINGS",
    "OK",
    "USAGE",
    "WRONG",
    "code_of_error",
    "combine_statuses",
    "is_right",
]

OK, WRONG, USAGE, ENVIRONMENT, INTERNAL = range(5)
INTERRUPTED, BROKEN_PIPE = 130, 141  # 128 + SIGINT and 128 + SIGPIPE, as shells have it
MEANINGS: Mapping[int, str] = {
    OK: "right",
    WRONG: "wrong: something ran, or was compiled, and is not right",
    USAGE: "usage",  # argparse's own code
    ENVIRONMENT: "environment: nothing could be judged",
    INTERNAL: "a fault of the harness itself",
    INTERRUPTED: "interrupted",
    BROKEN_PIPE: "the reader of the output left",
}
# What became of a case, a build, an examination or a simulated launch. None says nothing: a run in
# which everything was skipped has judged nothing.
_STATUSES: Mapping[str, int | None] = {
    Verdict.PASS: OK,
    Verdict.REFERENCE: OK,
    Verdict.MISMATCH: WRONG,
    Verdict.FINDING: WRONG,
    Verdict.COMPILE_ERROR: WRONG,
    Verdict.LAUNCH_ERROR: WRONG,
    Verdict.TIMEOUT: WRONG,
    Verdict.INCOMPLETE: ENVIRONMENT,
    Verdict.SKIPPED: None,
    "unfilled": WRONG,  # a kernel that nobody has begun
    "unkept": WRONG,  # a right answer without what the documents promise of it, where that counts
    "built": OK,
    "cached": OK,
    "failed": WRONG,
    "skipped": None,
    "clean": OK,
    "findings": WRONG,
    "incomplete": ENVIRONMENT,
}
_ERRORS: Mapping[type[BaseException], int] = {
    UsageError: USAGE,
    CompileError: WRONG,
    LaunchFault: WRONG,
    HarnessError: ENVIRONMENT,
    KeyboardInterrupt: INTERRUPTED,
    BrokenPipeError: BROKEN_PIPE,
    OSError: ENVIRONMENT,  # a full disk, a file that may not be read
    MemoryError: ENVIRONMENT,
    BaseException: INTERNAL,
}


def is_right(status: str) -> bool:
    """Return whether a status means that something ran, or was built, and nothing was wrong.

    A status that is not known raises KeyError, also a verdict that only files handed in have (`NOT_ATTEMPTED`).
    """
    return _STATUSES[status] == OK


def combine_statuses(statuses: Iterable[str]) -> int:
    """Return the exit code of a command with several results; skipped ones do not count.

    It is `WRONG` if any result is wrong, else `ENVIRONMENT` if any could not be judged or nothing counts, else `OK`.

    A status that is not known raises KeyError.
    """
    codes = {_STATUSES[status] for status in statuses}
    return next((code for code in (WRONG, ENVIRONMENT, OK) if code in codes), ENVIRONMENT)


def code_of_error(error: BaseException) -> int:
    """Return the exit code of a command that ended with an error."""
    return next(_ERRORS[kind] for kind in type(error).__mro__ if kind in _ERRORS)
