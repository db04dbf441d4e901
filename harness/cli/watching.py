"""`watch`: check puzzles when their files are saved; react to keys, update a page, explain results in a thread."""

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
from harness.cli.explaining import format_index_findings, print_index_findings
from harness.cli.learner import make_plan
from harness.errors import EnvironmentFault, HarnessError
from harness.learning.latest import LatestRequestWorker
from harness.learning.loop import CheckResult, Desk, changed_cases
from harness.learning.messages import say
from harness.model import exit_code
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.report import CaseReport
from harness.model.sources import PYTHON, Sources
from harness.report import console, lines
from harness.simt.plain import printable

if TYPE_CHECKING:
    from harness.learning.live import LivePage

__all__ = ["watch"]


@dataclass(frozen=True, slots=True)
class _Explanation:
    """The result of explaining wrong results by a second build.

    Attributes:
        number: The number of the round that had the wrong results.
        lines: The lines to print.
    """

    number: int
    lines: Sequence[str]


Event = set[os.PathLike[str]] | str | _Explanation | BaseException
"""What happened: files were saved, a key was pressed, a second build told something, or a thread ended."""


def watch(arguments: Namespace) -> int:
    """Check the current case, then on each save what changed (of one puzzle, a file, or the workspace); returns 0 after
    an interrupt or `q`.

    Raises:
        UsageError: As `desk_and_cases`, or there is no workspace.
        EnvironmentFault: The package that watches files is missing, or a file cannot be watched.
    """
    try:
        from harness.learning import watch as files  # here alone: the other commands need no events
    except ModuleNotFoundError as error:
        raise EnvironmentFault(say("learn.no-watch", package=error.name)) from None

    if arguments.case or arguments.file:
        desk, watched = desk_and_cases([arguments.case] if arguments.case else [], arguments.file)
        arguments.case = arguments.case or watched[0].puzzle  # which it says that it watches
    else:
        desk, watched = Desk.of_current_folder(), CASES
    below = desk.override is None  # of a file anywhere the folders beside it are none of ours
    poll = arguments.poll or not files.sends_change_events(desk.root, recursive=below)
    look = partial(files.watch_saves, desk.root, poll=poll, recursive=below, **({} if below else {"python": PYTHON}))
    with ExitStack() as resources:
        watching = _Watch(desk, watched, arguments, files.POLL_MILLISECONDS if poll else 0)
        resources.callback(watching.close)
        watching.keys = resources.enter_context(_listen_to_keys(watching.events.put))
        if arguments.page:
            watching.show_page()
        # First of all: what is saved during the first check is checked next.
        threading.Thread(target=_forward_saves, args=(watching.events, look()), daemon=True).start()
        watching.begin()
        try:
            while watching.handle(watching.events.get()):
                watching.events.task_done()
        except KeyboardInterrupt:
            print()  # the prompt gets a line of its own
    return exit_code.OK


class _Watch:
    """The state of a running watch."""

    def __init__(self, desk: Desk, watched: Sequence[Case], arguments: Namespace, poll: int) -> None:
        self.events: queue.Queue[Event] = queue.Queue()
        self.keys = False
        self._desk, self._watched, self._arguments, self._poll = desk, watched, arguments, poll
        self._plan = replace(make_plan(arguments), fail_on=arguments.fail_on)
        puzzles = {case.puzzle for case in watched} if desk.override else PUZZLES
        self._texts = {puzzle: self._read_puzzle(puzzle) for puzzle in PUZZLES if puzzle in puzzles}
        self._case = desk.next_case() if watched is CASES else watched[0]
        self._live: LivePage | None = None
        self._last: CheckResult | None = None
        self._wrong: list[Case] = []
        self._number = 0
        self._explainer = LatestRequestWorker(self._explain)

    def begin(self) -> None:
        """Check the current case, if there is one, and import what the first save needs."""
        if self._case:
            self._run_round([self._case])
        learning.warm_up(self._plan)

    def handle(self, event: Event) -> bool:
        """Handle an event, and return whether the watch goes on: False only for the key `q`. An exception is raised.

        Saves: of each puzzle, the changed cases that are filled in are checked, or the first changed one if none is. A
        key: its command, if any, is done; its `HarnessError` is printed. Explanations of an older round are dropped.
        """
        if isinstance(event, BaseException):
            raise event
        if isinstance(event, str):
            act = {"h": self._show_hint, "n": self._go_to_next, "l": self._print_list, "p": self.show_page}.get(event)
            try:
                if act:
                    act()
            except HarnessError as error:  # there is no hint, say: that ends no watch
                learning.print_wrapped(printable(str(error)))
            return event != "q"
        if isinstance(event, _Explanation):
            if event.number == self._number:  # else something else is on the screen
                print("".join(f"{line}\n" for line in event.lines), end="", flush=True)
            return True
        for puzzle in self._puzzles_of(event):
            before, self._texts[puzzle] = self._texts[puzzle], self._read_puzzle(puzzle)
            touched = changed_cases(
                before, self._texts[puzzle], [case for case in self._watched if case.puzzle == puzzle]
            )
            filled = [case for case in touched if self._desk.state(case) != "untouched"]
            if touched:
                self._run_round(filled or touched[:1])
        return True

    def _puzzles_of(self, paths: set[os.PathLike[str]]) -> list[str]:
        """Return the puzzles whose folders the saved paths are in, in the catalogue's order; with `--file` the file's
        puzzle if a path has the file's name.
        """
        if self._desk.override:
            names = {os.path.basename(file) for file in self._desk.files(self._watched[0])}
            return list(self._texts) if names & {os.path.basename(path) for path in paths} else []
        folders = {os.path.basename(os.path.dirname(path)) for path in paths}
        return [puzzle for puzzle in PUZZLES if puzzle in folders]

    def show_page(self) -> None:
        """Start the page at the first call, with the last result if there is one, and print its address at each
        call.
        """
        if self._live is None:
            from harness.learning.live import LivePage  # with a server and all that draws: most watches have no page

            actions = {name: partial(self.events.put, key) for name, key in (("hint", "h"), ("next", "n"))}
            self._live = LivePage(self._desk, self._plan, actions)
            if self._last:
                self._live.show_result(self._last)
        learning.print_wrapped(say("learn.page", address=self._live.address))

    def close(self) -> None:
        """Stop the page, and the thread that explains wrong results, without waiting for it."""
        self._explainer.close()
        if self._live:
            self._live.close()

    def _read_puzzle(self, puzzle: str) -> str:
        return self._desk.read_text(next(case for case in CASES if case.puzzle == puzzle))

    def _show_hint(self) -> None:
        if self._case:
            learning.print_next_hint(self._desk, self._case)
            if self._live:
                self._live.show_hints(self._case)

    def _go_to_next(self) -> None:
        """Check the next watched case that is neither solved nor missing, from the start again if need be, and point to
        it. If there is none, prints that, or what else is next.
        """
        at = CASES.index(self._case) + 1 if self._case else 0
        order = [case for case in (*CASES[at:], *CASES[:at]) if case in self._watched]
        following = next((case for case in order if self._desk.state(case) in ("open", "untouched")), None)
        if following is None and self._arguments.case:  # what else is next is not watched
            learning.print_wrapped(say("learn.no-other", case=self._arguments.case))
        elif following is None:
            learning.print_next(self._desk)
        else:
            self._run_round([following])
            learning.print_case_pointer(self._desk, following)

    def _print_list(self) -> None:
        listing.show(Namespace(json=False))

    def _run_round(self, cases: Sequence[Case]) -> None:
        """Check some cases, and print their verdicts in place of the previous ones.

        The first that is not right, or the first of all, becomes the current case (`_case`, with its result in `_last`)
        and is what the page shows. Wrong results are explained afterwards, on another thread.
        """
        self._number += 1
        self._wrong = []
        self._explainer.request((self._number, ()))  # what is still looked for is of what was there before
        if self._arguments.format == "lines":
            print(lines.format_begin(", ".join(case.id for case in cases)), flush=True)
        else:
            console.clear_screen()
            if self._live:
                self.show_page()  # its address was on the screen that is cleared
        checks = []
        for case in cases:
            checks.append(self._check(case))
            now, seconds = f"{datetime.now():%H:%M:%S}", f"{checks[-1].seconds:.1f}"
            learning.print_wrapped(say("learn.checked", time=now, case=case.id, seconds=seconds))
        self._last = next((check for check in checks if not check.ok), checks[0])
        self._case = self._last.case
        if self._live:
            self._live.show_result(self._last)
        if self._poll:
            learning.print_wrapped(say("learn.polling", milliseconds=self._poll))
        name = self._desk.root.resolve().name
        alone = self._arguments.case
        learning.print_wrapped(say("learn.watching-alone", case=alone) if alone else say("learn.watching", folder=name))
        learning.print_wrapped(say("learn.keys" if self.keys else "learn.interrupt"))
        if self._arguments.format == "lines":
            print(lines.format_end(name), flush=True)
        self._explainer.request((self._number, tuple(self._wrong)))

    def _note_mismatch(self, case: Case, plan: LaunchPlan, sources: Sources, home: str) -> None:
        """Explain a wrong result: for an editor (`home` is not empty) at once, unless another event waits; for a
        terminal after the round, where the next save need not wait.
        """
        if not home:
            self._wrong.append(case)
        elif self.events.empty():
            print_index_findings(case, plan, sources, home)

    def _explain(self, request: tuple[int, Sequence[Case]]) -> None:
        """Explain the wrong results of a request (round, cases), on the explainer's thread: an event for each case.

        A `HarnessError` is not raised: its text becomes the lines. A newer request ends this one.
        """
        number, cases = request
        for case in cases:
            try:
                explanation = format_index_findings(
                    case, self._plan, self._desk.sources(case), notify=self._explainer.stop_if_superseded
                )
            except HarnessError as error:  # the verdict stands
                explanation = [printable(str(error))]
            self.events.put(_Explanation(number, explanation))

    def _check(self, case: Case) -> CheckResult:
        started, message = time.perf_counter(), ""
        reports: list[CaseReport] = []
        try:
            checking.check_case(self._desk, case, self._plan, self._arguments, reports.append, self._note_mismatch)
        except HarnessError as error:  # a file that is gone, a full disk: the next save may be better
            message = str(error)
            learning.print_wrapped(printable(message))
        return CheckResult(case, reports[0] if reports else None, message, time.perf_counter() - started)


def _forward_saves(events: queue.Queue[Event], saved: Iterator[Event]) -> None:
    """Put saves into the queue, one at a time, then `q`, or the exception that ended them.

    Files saved during a check become one event after it.
    """
    try:
        for paths in saved:
            events.put(paths)
            events.join()
        events.put("q")
    except BaseException as error:  # whatever it is, it is the watch that ends of it, on its own thread
        events.put(error)


def _is_in_foreground(terminal: int) -> bool:
    """Return whether this process is in the terminal's foreground; False if the terminal is not its session's."""
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:  # `setsid puzzles watch`, or a container's terminal
        return False


@contextmanager
def _listen_to_keys(on_key: Callable[[str], None]) -> Iterator[bool]:
    """Call `on_key` with each key as it is pressed, in lower case and without Enter; yields whether it does.

    It does if the user sits at a terminal and this process is in the foreground: in the background, reading from the
    terminal would stop it. The callback runs on another thread; afterwards the terminal's mode is restored.
    """
    terminal = sys.stdin.fileno() if sys.stdin.isatty() and sys.stdout.isatty() else -1
    if terminal < 0 or not _is_in_foreground(terminal):
        yield False
        return
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)

    def read() -> None:
        while key := os.read(terminal, 1):
            on_key(key.decode("ascii", "replace").lower())

    threading.Thread(target=read, daemon=True).start()
    try:
        yield True
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
