"""List people by concern: a file that hung, passed a limit, or shows a sign of cheating (host work, clock reads)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from harness.grading.result import Grading
from harness.grading.work import ModeResult
from harness.model.verdict import Verdict

__all__ = ["CHEATING", "HUNG", "LIMITED", "TITLED", "TITLES", "concerns"]

HUNG, LIMITED, CHEATING = "hung", "limited", "cheating"
TITLES: Mapping[str, str] = {HUNG: "hung", LIMITED: "over a limit", CHEATING: "signs of cheating"}  # for people
# The head of a finding, as a learner is told it.
TITLED = re.compile(r"^  (?P<title>\S.*) \((?P<id>[a-z][\w-]*(?:\.[\w-]+)+)\)$")
# Findings that hardly anybody meets who means to solve a puzzle, and what they say of a file.
_SIGNS: Mapping[str, str] = {"check.by-host": "the host computed it", "run.reads-clock": "reads the clock"}


def concerns(grading: Grading) -> dict[str, dict[str, list[str]]]:
    """Return the people with a mode that hung (verdict TIMEOUT), came to a limit (LIMIT), or has a finding that is a
    sign of cheating.

    A file that equals another one is no sign of cheating: of a short puzzle there are few right ones.

    Returns:
        For each key of `TITLES` that somebody's file has, in that order: by the person the ids of the cases, of a sign
        of cheating with the sign, `p01: reads the clock`.
    """
    by_concern: dict[str, dict[str, list[str]]] = {concern: {} for concern in TITLES}
    for person in grading.people:
        for mode in person.modes:
            for concern, case in _of_mode(mode.result):
                by_concern[concern].setdefault(person.person, []).append(case)
    return {concern: people for concern, people in by_concern.items() if people}


def _of_mode(result: ModeResult) -> Iterator[tuple[str, str]]:
    if result.verdict == Verdict.TIMEOUT:
        yield HUNG, result.case
    if result.verdict == Verdict.LIMIT:
        yield LIMITED, result.case
    heads = (TITLED.match(line) for line in result.lines)
    for name in dict.fromkeys(head["id"] for head in heads if head and head["id"] in _SIGNS):
        yield CHEATING, f"{result.case}: {_SIGNS[name]}"
