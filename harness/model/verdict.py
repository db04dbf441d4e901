"""The enumeration of verdicts: of a run (PASS to SKIPPED), and of a submitted file (NOT_ATTEMPTED to NOT_GRADED)."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Verdict"]


class Verdict(StrEnum):
    """A verdict; to JSON, to comparisons and to people it is its name.

    Attributes:
        PASS: All data sets are right.
        REFERENCE: The op's sequential branch gave the documented result; no kernel ran.
        MISMATCH: A result is wrong.
        FINDING: The results are right, and something else is not.
        COMPILE_ERROR: It does not compile.
        LAUNCH_ERROR: The launch failed.
        TIMEOUT: It did not end in time.
        INCOMPLETE: The simulator does not know all of it, or this machine cannot call one of its host functions.
        SKIPPED: The target cannot run it.
        NOT_ATTEMPTED: Handed in: there is no file, or nobody filled in the kernel's region.
        UNREADABLE: Handed in: there is a file, and it is no text, or a link, or there are several.
        LIMIT: Handed in: it takes more than a limit of its box.
        NOT_GRADED: Handed in: the machine is to blame, or nobody knows who, and not the submission.
    """

    PASS = "PASS"
    REFERENCE = "REFERENCE"
    MISMATCH = "MISMATCH"
    FINDING = "FINDING"
    COMPILE_ERROR = "COMPILE_ERROR"
    LAUNCH_ERROR = "LAUNCH_ERROR"
    TIMEOUT = "TIMEOUT"
    INCOMPLETE = "INCOMPLETE"
    SKIPPED = "SKIPPED"
    NOT_ATTEMPTED = "NOT_ATTEMPTED"
    UNREADABLE = "UNREADABLE"
    LIMIT = "LIMIT"
    NOT_GRADED = "NOT_GRADED"
