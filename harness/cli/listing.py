"""`list`: print the catalogue as a table, in a workspace with what is solved, or as JSON; its flag is in `parser`."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from harness.catalogue import CASES, KNOWN, PARTS, PLACES
from harness.learning.loop import Desk
from harness.learning.messages import say
from harness.model import exit_code
from harness.model.case import Case
from harness.model.language import current_words, translate
from harness.model.place import CoursePlace
from harness.model.target import DEFAULT_ARCHITECTURES, Target
from harness.model.workspace import find_workspace
from harness.report import json_report
from harness.report.screen import Screen

__all__ = ["case_facts", "show"]

NAMED = 20  # columns of a row that are the case's; a longer name has a row of its own
WIDEST = 80  # columns: wider rows are harder to read, and tell no more
_STATES = {"solved": "learn.short-solved", "open": "learn.short-open"}


def show(arguments: Namespace) -> int:
    """Print the documented cases as a table, in a workspace with their states, and a line about the others; or, with
    `--json`, all cases as JSON, without states. The exit code is 0.
    """
    rows = [case_facts(case) for case in KNOWN]
    if arguments.json:
        print(json_report.text({"cases": rows}))
        return exit_code.OK
    screen = Screen()
    screen.width = min(screen.width, WIDEST)
    desk = Desk.of_current_folder() if find_workspace() else None
    screen.table(say("learn.heads").split(" | ")[: None if desk else -1], list(_table_rows(desk)))
    for remark in dict.fromkeys(row["remark"] for row in rows if row["remark"]):
        case_names = ", ".join(row["case"] for row in rows if row["remark"] == remark)
        print(f"{case_names}: {translate(remark)}")
    return exit_code.OK


def _table_rows(desk: Desk | None) -> Iterator[Sequence[str]]:
    """Yield the rows of the documented cases below their parts' titles.

    A title, and a name too long for its column, is a row of one cell.
    """
    for number, (part, puzzles) in enumerate(PARTS.items(), 1):
        if desk:
            solved, total = desk.count_solved(puzzles)
            yield (say("learn.part-solved", number=number, title=part, solved=solved, total=total),)
        else:
            yield (say("learn.part", number=number, title=part),)
        for case in (case for case in CASES if case.puzzle in puzzles):
            name = case.id
            if len(name) > NAMED:
                yield (name,)
                name = ""
            vendors = _supported_vendors(case)
            yield (
                name,
                current_words().word("title", case.title),
                ", ".join(PLACES[case.puzzle].builds_on),
                ", ".join(vendors) if len(vendors) < len(DEFAULT_ARCHITECTURES) else "",
                *([say(_STATES[state]) if (state := desk.state(case)) in _STATES else ""] if desk else []),
            )


def _supported_vendors(case: Case) -> list[str]:
    targets = map(Target.parse, DEFAULT_ARCHITECTURES)
    return [target.vendor for target in targets if case.refusal(target) is None]


def case_facts(case: Case) -> dict[str, Any]:
    """Return what `list --json` prints of a case: id, title, part, kernels, vendors, needs, command and the like.

    Launches are texts and data sets a number, both at a warp width of 32.
    """
    place = PLACES.get(case.puzzle, CoursePlace(part=""))
    return {
        "case": case.id,
        "title": case.title,
        "part": place.part,
        "builds_on": place.builds_on,
        "kernels": case.kernels,
        "launches": [str(launch) for launch in case.launches(32)],
        "data_sets": len(case.instance(32).datasets),
        "vendors": _supported_vendors(case),
        "needs": [need.reason for need in case.needs],
        "command": _command_for(case),
        "remark": "" if case.documented else "full size; run it by name",
    }


def _command_for(case: Case) -> str:
    if not case.documented:  # no puzzle to solve
        return f"puzzles run {case.id}"
    return f"puzzles {case.puzzle}" + (f" --{case.mode}" if case.mode else "")
