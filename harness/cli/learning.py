"""The learner's loop: where one is, `check`, `watch`, `hint`, `solution`, `reset` and `progress`."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from harness.cases import pipeline
from harness.catalogue import CASES, PARTS, PLACES, PUZZLES
from harness.errors import EnvironmentFault, HarnessError, UsageError, unknown
from harness.learning.hints import hints, lesson
from harness.learning.loop import Desk, changed, solved_text
from harness.learning.messages import say
from harness.model import exit_code
from harness.model.case import Case
from harness.model.given import Blank, Complete, Given, Wrong
from harness.model.language import chosen, language
from harness.model.lines import folded
from harness.model.messages import finding
from harness.model.report import Plan
from harness.model.workspace import workspace
from harness.report import console, json_report, lines
from harness.simt.plain import printable

__all__ = ["check", "hint", "progress", "reset", "solution", "watch", "where"]

# By what a learner is given: what there is to do at the place that is told, and that nobody has begun.
_TO_DO = {Blank: "learn.place", Wrong: "learn.mend", Complete: "learn.complete"}
NAMED = 20  # columns of a row of the progress that are the case's
_NOT_BEGUN = {Blank: "learn.state-untouched", Wrong: "learn.state-unbegun", Complete: "learn.state-unbegun"}


def where(_arguments: Namespace) -> int:
    """Says where one is, and what is next."""
    if workspace() is None:
        _tell(say("learn.no-workspace"))
        return exit_code.OK
    desk = Desk.here()
    _lead(desk)
    if desk.next():
        _tell(say("learn.commands"))
    return exit_code.OK


def check(arguments: Namespace) -> int:
    """Checks the learner's own kernels; 0 only if all that were checked are right."""
    desk = Desk.here()
    cases = CASES if arguments.all else desk.meant(arguments.cases)
    plan = _plan(arguments)
    return exit_code.of_statuses([_checked(desk, case, plan, arguments) for case in cases])


def watch(arguments: Namespace) -> int:
    """Checks a puzzle each time its file is saved, until it is interrupted."""
    try:
        from harness.learning import watch as files  # here alone: the other commands need no events
    except ModuleNotFoundError as error:
        raise EnvironmentFault(say("learn.no-watch", package=error.name)) from None

    desk, plan = Desk.here(), _plan(arguments)
    watched = desk.meant([arguments.case]) if arguments.case else CASES
    poll = arguments.poll or not files.tells_changes(desk.root)
    held = {puzzle: _text(desk, puzzle) for puzzle in PUZZLES}
    if following := (desk.next() if watched is CASES else watched[0]):
        _round(desk, [following], plan, arguments, poll)
    warm_up(plan)
    try:
        for saved in files.saved(desk.root, poll=poll):
            puzzles = {path.parent.name for path in saved}
            for puzzle in (name for name in PUZZLES if name in puzzles):
                before, held[puzzle] = held[puzzle], _text(desk, puzzle)
                touched = changed(before, held[puzzle], [case for case in watched if case.puzzle == puzzle])
                filled = [case for case in touched if desk.state(case) != "untouched"]
                if touched:
                    _round(desk, filled or touched[:1], plan, arguments, poll)
    except KeyboardInterrupt:
        print()  # the prompt gets a line of its own
    return exit_code.OK


def hint(arguments: Namespace) -> int:
    """Shows one hint more each time."""
    desk = Desk.here()
    case = desk.chosen(arguments.case)
    steps = hints(case, language())
    if not steps:
        before = PLACES[case.puzzle].builds_on
        name = "learn.no-hints-builds" if before else "learn.no-hints"
        raise UsageError(say(name, case=case.id, puzzles=before))
    number = min(desk.progress.of(case.id).hints + 1, len(steps))
    desk.progress.note(case.id, hints=number)
    title, text = steps[number - 1]
    _tell(say("learn.hint", case=case.id, number=number, total=len(steps), title=title))
    console.markdown(text)
    _tell(say("learn.last-hint" if number == len(steps) else "learn.more-hints", case=case.id))
    return exit_code.OK


def solution(arguments: Namespace) -> int:
    """Shows a solved kernel, to those who are sure."""
    desk = Desk.here()
    case = desk.chosen(arguments.case)
    solved = bool(desk.progress.of(case.id).solved)  # then it is to compare with, and spoils nothing
    if not (arguments.yes or solved):
        if not sys.stdin.isatty():
            raise UsageError(say("learn.needs-yes", case=case.id))
        if input(say("learn.confirm", case=case.id)).strip().lower()[:1] not in ("y", "네", "예"):
            _tell(say("learn.not-shown", case=case.id))
            return exit_code.OK
    if not solved:
        desk.progress.note(case.id, solution=True)
    print(solved_text(case))
    return exit_code.OK


def reset(arguments: Namespace) -> int:
    """Hands a puzzle's file out anew, and keeps what was there."""
    puzzle = arguments.puzzle.partition(":")[0]
    if puzzle not in PUZZLES:
        raise unknown("puzzle", puzzle, PUZZLES)
    desk = Desk.here()
    for file, copy in desk.reset(puzzle):
        _tell(say("learn.reset", file=desk.shown(file), copy=desk.shown(copy)))
    return exit_code.OK


def progress(arguments: Namespace) -> int:
    """Says what was done about each puzzle."""
    desk = Desk.here()
    states = {case.id: desk.state(case) for case in CASES}
    if arguments.json:
        rows = [{"case": name, "state": state, **asdict(desk.progress.of(name))} for name, state in states.items()]
        print(json_report.text({"cases": rows}))
        return exit_code.OK
    for place, (part, puzzles) in enumerate(PARTS.items(), 1):
        solved, total = desk.count(puzzles)
        _tell(say("learn.part-solved", number=place, title=part, solved=solved, total=total))
        for case in (case for case in CASES if case.puzzle in puzzles):
            name = case.id
            if len(name) > NAMED:  # its state would leave the terminal
                print(name)
                name = ""
            _tell(say("learn.row", case=name, state=_state(desk, case)))
    _count(desk)
    return exit_code.OK


def warm_up(plan: Plan) -> None:
    """Loads what the first check needs, while the learner is still thinking."""
    if plan.backend == "simulator":
        from harness.backends import simulator  # noqa: F401
        from harness.build import device_code  # noqa: F401


def _tell(text: str) -> None:
    print(folded(text, sys.stdout), flush=True)


def _state(desk: Desk, case: Case) -> str:
    done, state = desk.progress.of(case.id), desk.state(case)
    if state == "solved":
        name = "learn.state-shown" if done.solution else "learn.state-solved"
        return say(name, day=done.day, tries=done.tries, hints=done.hints)
    if state == "open":
        return say("learn.state-open" if done.tries else "learn.state-unchecked", tries=done.tries, hints=done.hints)
    return say("learn.state-missing", puzzle=case.puzzle) if state == "missing" else say(_NOT_BEGUN[type(_task(case))])


def _task(case: Case) -> Given:
    """What is to be done: where the kernels are complete, in the Python."""
    return case.graph.given if case.graph and isinstance(case.given, Complete) else case.given


def _text(desk: Desk, puzzle: str) -> str:
    return desk.text(next(case for case in CASES if case.puzzle == puzzle))


def _count(desk: Desk) -> None:
    solved, total = desk.count()
    modes = sum(desk.state(case) == "solved" for case in CASES)
    _tell(say("learn.count", solved=solved, total=total, modes=modes, all_modes=len(CASES)))


def _lead(desk: Desk) -> None:
    """Says how far one is, and which case is next, or which part where all that is here is solved."""
    _count(desk)
    if following := desk.next():
        _point(desk, following)
    elif not any(desk.state(case) == "solved" for case in CASES):
        _tell(say("learn.no-case"))
    elif part := desk.lacks():
        number, title = part
        _tell(say("learn.here-solved", number=number, title=title))
    else:
        _tell(say("learn.all-solved"))


def _point(desk: Desk, case: Case) -> None:
    """Says which case is next, what it builds on, where it is worked on and where it is explained."""
    _tell(say("learn.next", case=case.id, title=chosen().word("title", case.title)))
    if before := PLACES[case.puzzle].builds_on:
        left = desk.unsolved(before)
        _tell(say("learn.builds-open" if left else "learn.builds", puzzles=before, open=left))
    _tell(say(_TO_DO[type(_task(case))], place=desk.place(case)))
    if path := lesson(case.puzzle, language()):
        copied = desk.root / case.puzzle / path.name
        _tell(say("learn.lesson", file=desk.shown(copied if copied.is_file() else path)))


def _plan(arguments: Namespace) -> Plan:
    plan = pipeline.plan(arguments.target, "simulator" if arguments.assertions else "auto")
    return replace(plan, documented_size=arguments.documented_size)


def _round(desk: Desk, cases: Sequence[Case], plan: Plan, arguments: Namespace, poll: bool) -> None:
    """Shows the verdicts of some cases in the place of what was shown before."""
    from harness.learning.watch import POLL_MILLISECONDS

    if arguments.format == "lines":
        print(lines.begins(", ".join(case.id for case in cases)), flush=True)
    else:
        console.fresh()
    for case in cases:
        started = time.perf_counter()
        try:
            _checked(desk, case, plan, arguments)
        except HarnessError as error:  # a file that is gone, a full disk: the next save may be better
            _tell(printable(str(error)))
        seconds = f"{time.perf_counter() - started:.1f}"
        _tell(say("learn.checked", time=f"{datetime.now():%H:%M:%S}", case=case.id, seconds=seconds))
    if poll:
        _tell(say("learn.polling", milliseconds=POLL_MILLISECONDS))
    _tell(say("learn.watching", folder=desk.root.resolve().name))
    if arguments.format == "lines":
        print(lines.ends(desk.root.resolve().name), flush=True)


def _checked(desk: Desk, case: Case, plan: Plan, arguments: Namespace) -> str:
    """Checks a case, tells its verdict and notes it; returns the verdict."""
    if refusal := case.refusal(plan.target):
        raise EnvironmentFault(f"{case.id} does not run on {plan.target}: {chosen().word('reason', refusal)}.")
    sources = desk.sources(case)
    if desk.state(case) == "untouched" and desk.unfilled(case):
        unfilled = finding("frame.unfilled", case=case.id, place=desk.place(case))
        text = chosen().text(unfilled)
        print(lines.line(desk.place(case), "error", unfilled.id, text) if arguments.format == "lines" else text)
        return "unfilled"
    done = desk.progress.of(case.id)
    with console.progress() as notify:
        report = pipeline.learner(
            case,
            plan=plan,
            sources=sources,
            notify=notify,
            assertions=arguments.assertions,
            data_seed=arguments.data_seed,
        )
    console.printed(report.printed, sys.stdout)
    home = desk.place(case) if arguments.format == "lines" else ""
    console.case(report.case, sources, remarks=True, stream=sys.stdout, home=home)
    if report.data_seed is not None:
        _tell(say("learn.data-seed", seed=report.data_seed))
    changes: dict[str, Any] = {"tries": done.tries + 1}
    if report.case.ok and not done.solved:
        changes["solved"] = datetime.now(UTC).isoformat(timespec="seconds")
    desk.progress.note(case.id, **changes)
    _aftermath(desk, case, solved=report.case.ok, again=bool(done.solved))
    if "debug_assert" in desk.text(case) and not arguments.assertions:
        _tell(say("learn.assertions"))
    return report.case.verdict


def _aftermath(desk: Desk, case: Case, *, solved: bool, again: bool) -> None:
    if not solved:
        _tell(say("learn.stuck", case=case.id))
        return
    _tell(say("learn.solved-again" if again else "learn.solved", case=case.id))
    if not again:
        _lead(desk)
