"""`watch`: checks a puzzle each time its file is saved, listens to keys, and has a page that follows."""

from __future__ import annotations

import os
import queue
import sys
import termios
import threading
import time
import tty
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from harness.catalogue import CASES, PUZZLES
from harness.cli import checking, learning, listing
from harness.cli.chosen import desk_and_cases
from harness.cli.explaining import index_lines, tell_indices
from harness.cli.learner import plan_of
from harness.errors import EnvironmentFault, HarnessError
from harness.learning.latest import Latest
from harness.learning.loop import Checked, Desk, changed
from harness.learning.messages import say
from harness.model import exit_code
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.report import CaseReport
from harness.model.sources import PYTHON, Sources
from harness.report import console, lines
from harness.simt.plain import printable

if TYPE_CHECKING:
    from harness.learning.live import Live

__all__ = ["watch"]


@dataclass(frozen=True, slots=True)
class _Found:
    """What a second build told of wrong results.

    Attributes:
        number: Of the round that they were found in.
        lines: As they are printed.
    """

    number: int
    lines: Sequence[str]


Event = set[os.PathLike[str]] | str | _Found | BaseException
"""What happened: files were saved, a key was pressed, a second build told something, or a thread ended."""


def watch(arguments: Namespace) -> int:
    """Checks a puzzle each time its file is saved, until it is interrupted or `q` is pressed."""
    try:
        from harness.learning import watch as files  # here alone: the other commands need no events
    except ModuleNotFoundError as error:
        raise EnvironmentFault(say("learn.no-watch", package=error.name)) from None

    if arguments.case or arguments.file:
        desk, watched = desk_and_cases([arguments.case] if arguments.case else [], arguments.file)
        arguments.case = arguments.case or watched[0].puzzle  # which it says that it watches
    else:
        desk, watched = Desk.here(), CASES
    below = desk.override is None  # of a file anywhere the folders beside it are none of ours
    poll = arguments.poll or not files.tells_changes(desk.root, recursive=below)
    look = partial(files.saved, desk.root, poll=poll, recursive=below, **({} if below else {"python": PYTHON}))
    with ExitStack() as held:
        watching = _Watch(desk, watched, arguments, files.POLL_MILLISECONDS if poll else 0)
        held.callback(watching.close)
        watching.keys = held.enter_context(_keys(watching.events.put))
        if arguments.page:
            watching.page()
        # First of all: what is saved during the first check is checked next.
        threading.Thread(target=_into, args=(watching.events, look()), daemon=True).start()
        watching.begin()
        try:
            while watching.heard(watching.events.get()):
                watching.events.task_done()
        except KeyboardInterrupt:
            print()  # the prompt gets a line of its own
    return exit_code.OK


class _Watch:
    """What goes on between the start and the end of a watch."""

    def __init__(self, desk: Desk, watched: Sequence[Case], arguments: Namespace, poll: int) -> None:
        self.events: queue.Queue[Event] = queue.Queue()
        self.keys = False
        self._desk, self._watched, self._arguments, self._poll = desk, watched, arguments, poll
        self._plan = replace(plan_of(arguments), fail_on=arguments.fail_on)
        puzzles = {case.puzzle for case in watched} if desk.override else PUZZLES
        self._held = {puzzle: self._text(puzzle) for puzzle in PUZZLES if puzzle in puzzles}
        self._case = desk.next() if watched is CASES else watched[0]
        self._live: Live | None = None
        self._last: Checked | None = None
        self._wrong: list[Case] = []
        self._number = 0
        self._behind = Latest(self._explain)

    def begin(self) -> None:
        """Checks what is there, and loads what the first save needs while the learner is still thinking."""
        if self._case:
            self._round([self._case])
        learning.warm_up(self._plan)

    def heard(self, event: Event) -> bool:
        """Does what an event asks for; returns whether the watch goes on."""
        if isinstance(event, BaseException):
            raise event
        if isinstance(event, str):
            act = {"h": self._hint, "n": self._next, "l": self._list, "p": self.page}.get(event)
            try:
                if act:
                    act()
            except HarnessError as error:  # there is no hint, say: that ends no watch
                learning.tell(printable(str(error)))
            return event != "q"
        if isinstance(event, _Found):
            if event.number == self._number:  # else something else is on the screen
                print("".join(f"{line}\n" for line in event.lines), end="", flush=True)
            return True
        for puzzle in self._saved(event):
            before, self._held[puzzle] = self._held[puzzle], self._text(puzzle)
            touched = changed(before, self._held[puzzle], [case for case in self._watched if case.puzzle == puzzle])
            filled = [case for case in touched if self._desk.state(case) != "untouched"]
            if touched:
                self._round(filled or touched[:1])
        return True

    def _saved(self, paths: set[os.PathLike[str]]) -> list[str]:
        """Return the puzzles whose files some paths are, in order."""
        if self._desk.override:
            names = {os.path.basename(file) for file in self._desk.files(self._watched[0])}
            return list(self._held) if names & {os.path.basename(path) for path in paths} else []
        folders = {os.path.basename(os.path.dirname(path)) for path in paths}
        return [puzzle for puzzle in PUZZLES if puzzle in folders]

    def page(self) -> None:
        """Says where the page is; it is made when it is first asked for."""
        if self._live is None:
            from harness.learning.live import Live  # with a server and all that draws: most watches have no page

            asked = {name: partial(self.events.put, key) for name, key in (("hint", "h"), ("next", "n"))}
            self._live = Live(self._desk, self._plan, asked)
            if self._last:
                self._live.tell(self._last)
        learning.tell(say("learn.page", address=self._live.address))

    def close(self) -> None:
        """Takes the page away."""
        self._behind.close()
        if self._live:
            self._live.close()

    def _text(self, puzzle: str) -> str:
        return self._desk.text(next(case for case in CASES if case.puzzle == puzzle))

    def _hint(self) -> None:
        if self._case:
            learning.help_with(self._desk, self._case)
            if self._live:
                self._live.help(self._case)

    def _next(self) -> None:
        """Goes to the next case that is not solved, behind the one that is looked at."""
        at = CASES.index(self._case) + 1 if self._case else 0
        order = [case for case in (*CASES[at:], *CASES[:at]) if case in self._watched]
        following = next((case for case in order if self._desk.state(case) in ("open", "untouched")), None)
        if following is None and self._arguments.case:  # what else is next is not watched
            learning.tell(say("learn.no-other", case=self._arguments.case))
        elif following is None:
            learning.lead(self._desk)
        else:
            self._round([following])
            learning.point(self._desk, following)

    def _list(self) -> None:
        listing.show(Namespace(json=False))

    def _round(self, cases: Sequence[Case]) -> None:
        """Shows the verdicts of some cases in the place of what was shown before."""
        self._number += 1
        self._wrong = []
        self._behind.want((self._number, ()))  # what is still looked for is of what was there before
        if self._arguments.format == "lines":
            print(lines.format_begin(", ".join(case.id for case in cases)), flush=True)
        else:
            console.clear_screen()
            if self._live:
                self.page()  # its address was on the screen that is cleared
        checks = []
        for case in cases:
            checks.append(self._checked(case))
            now, seconds = f"{datetime.now():%H:%M:%S}", f"{checks[-1].seconds:.1f}"
            learning.tell(say("learn.checked", time=now, case=case.id, seconds=seconds))
        self._last = next((check for check in checks if not check.ok), checks[0])
        self._case = self._last.case
        if self._live:
            self._live.tell(self._last)
        if self._poll:
            learning.tell(say("learn.polling", milliseconds=self._poll))
        name = self._desk.root.resolve().name
        alone = self._arguments.case
        learning.tell(say("learn.watching-alone", case=alone) if alone else say("learn.watching", folder=name))
        learning.tell(say("learn.keys" if self.keys else "learn.interrupt"))
        if self._arguments.format == "lines":
            print(lines.format_end(name), flush=True)
        self._behind.want((self._number, tuple(self._wrong)))

    def _mismatched(self, case: Case, plan: LaunchPlan, sources: Sources, home: str) -> None:
        """Tells an editor of indices before the round ends; a terminal behind it, where the next save need not wait."""
        if not home:
            self._wrong.append(case)
        elif self.events.empty():
            tell_indices(case, plan, sources, home)

    def _explain(self, wanted: tuple[int, Sequence[Case]]) -> None:
        """Looks for indices on a thread of its own, which has no screen: what it finds is an event."""
        number, cases = wanted
        for case in cases:
            try:
                told = index_lines(case, self._plan, self._desk.sources(case), notify=self._behind.go_on)
            except HarnessError as error:  # the verdict stands
                told = [printable(str(error))]
            self.events.put(_Found(number, told))

    def _checked(self, case: Case) -> Checked:
        started, said = time.perf_counter(), ""
        reports: list[CaseReport] = []
        try:
            checking.checked(self._desk, case, self._plan, self._arguments, reports.append, self._mismatched)
        except HarnessError as error:  # a file that is gone, a full disk: the next save may be better
            said = str(error)
            learning.tell(printable(said))
        return Checked(case, reports[0] if reports else None, said, time.perf_counter() - started)


def _into(events: queue.Queue[Event], saved: Iterator[Event]) -> None:
    """Passes on what was saved, and what ends that; what is saved during a check is told as one behind it."""
    try:
        for paths in saved:
            events.put(paths)
            events.join()
        events.put("q")
    except BaseException as error:  # whatever it is, it is the watch that ends of it, on its own thread
        events.put(error)


def _in_front(terminal: int) -> bool:
    """Whether this process is the one that a terminal serves; of one that is not its session's, nobody knows."""
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:  # `setsid puzzles watch`, or a container's terminal
        return False


@contextmanager
def _keys(pressed: Callable[[str], None]) -> Iterator[bool]:
    """Has keys told as they are pressed, without Enter, where somebody sits before a terminal; yields whether.

    A watch in the background would be stopped if it read from the terminal.
    """
    terminal = sys.stdin.fileno() if sys.stdin.isatty() and sys.stdout.isatty() else -1
    if terminal < 0 or not _in_front(terminal):
        yield False
        return
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)

    def read() -> None:
        while key := os.read(terminal, 1):
            pressed(key.decode("ascii", "replace").lower())

    threading.Thread(target=read, daemon=True).start()
    try:
        yield True
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
