"""Serve the page of `puzzles watch`: send a check's verdict, findings, source and hints, then a recorded trace."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from harness.errors import HarnessError
from harness.learning.hints import hints_of, lesson_path
from harness.learning.latest import LatestRequestWorker
from harness.learning.lessons import extract_introduction, render_markdown
from harness.learning.loop import CheckResult, Desk
from harness.learning.page import describe_launches, encode_trace, render_live_page
from harness.learning.server import Server
from harness.learning.trace import record_case
from harness.learning.words import load_phrases
from harness.model.case import Case
from harness.model.language import current_language, current_words
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import MOJO
from harness.report.findings import describe_case, make_renderer
from harness.simt.plain import printable

__all__ = ["LivePage"]

_PLACED = re.compile(r"^\s*(?P<file>\S+?):(?P<line>\d+):\d+: ", re.MULTILINE)  # as the compiler says it


class LivePage:
    """Serves the page of a watch, from its construction until `close`.

    Args:
        desk: The learner's workspace or file.
        plan: The plan for the pictures; its backend is replaced by the simulator.
        actions: The actions of the page's buttons, by name; called on another thread.
    """

    def __init__(self, desk: Desk, plan: LaunchPlan, actions: Mapping[str, Callable[[], object]]) -> None:
        self._desk, self._plan = desk, replace(plan, backend="simulator")
        self._server = Server(render_live_page(load_phrases(current_language())), actions)
        self._number = 0
        self._drawing = LatestRequestWorker(self._draw)

    @property
    def address(self) -> str:
        """The URL of the page."""
        return self._server.address

    def show_result(self, result: CheckResult) -> None:
        """Show the result of a check, and the hints seen so far, at once; queue its picture if the kernel compiled.

        The picture is drawn on another thread; it replaces one that waits and ends one that is being drawn.
        """
        self._number += 1
        self._server.publish("state", self._describe_state(result))
        self.show_hints(result.case)
        if _has_picture(result):
            self._drawing.request((self._number, result.case))

    def show_hints(self, case: Case) -> None:
        """Show the hints of a case that the learner has seen."""
        self._server.publish("hints", self._describe_hints(case))

    def close(self) -> None:
        """Stop drawing and serving."""
        self._drawing.close()
        self._server.close()

    def _describe_state(self, result: CheckResult) -> dict[str, Any]:
        case, lesson_file = result.case, lesson_path(result.case.puzzle, current_language())
        text = lesson_file.read_text(encoding="utf-8") if lesson_file else ""
        sentences, findings = self._describe_result(result)
        return {
            "number": self._number,
            "case": case.id,
            "title": current_words().word("title", case.title),
            "said": sentences,
            "kind": "right" if result.ok else "wrong" if result.report else "open",
            "findings": findings,
            "sources": self._describe_sources(case),
            "lesson": render_markdown(extract_introduction(text), MOJO / case.puzzle),
            "drawn": _has_picture(result),
            "when": f"{datetime.now():%H:%M:%S}",
            "seconds": f"{result.seconds:.1f}",
        }

    def _describe_result(self, result: CheckResult) -> tuple[list[str], list[dict[str, Any]]]:
        """Return the sentences about a verdict, and the findings as dicts of texts with their `sites`.

        If nothing was checked, it is one sentence (the result's message, or what is left to fill in) and no findings.
        Sites are `file` (relative to the current folder) and `line`, each once, with those that the message names.
        """
        if result.report is None:
            open_task = self._desk.open_task(result.case)
            return [printable(result.message or current_words().text(open_task))], []
        show = make_renderer(self._desk.sources(result.case))
        sentences, shown_findings = describe_case(result.report, show, remarks=True)
        records = []
        for record in map(show.record, shown_findings):
            places = [(site["file"], site["line"]) for site in record["sites"]]
            text = "\n".join((record["message"], *record["items"]))
            places += [(match["file"], int(match["line"])) for match in _PLACED.finditer(text)]
            places = [(self._desk.display_path(Path(file)), line) for file, line in places]
            texts = {key: record[key] for key in ("id", "severity", "title", "message", "items", "remedy")}
            records.append(texts | {"sites": [{"file": file, "line": line} for file, line in dict.fromkeys(places)]})
        return [line.strip() for line in sentences], records

    def _describe_sources(self, case: Case) -> list[dict[str, Any]]:
        """Return the learner's existing files as dicts of `name`, `from` (always 1), `lines` and `focus`.

        `focus` is the line where there is something to do, from 1, in the file that has it; None in the other.
        """
        at = self._desk.location(case).rsplit(":", 2)
        files = [(self._desk.display_path(file), file) for file in self._desk.files(case) if file.is_file()]
        return [
            {
                "name": name,
                "from": 1,
                "lines": list(map(printable, file.read_text("utf-8", errors="replace").removesuffix("\n").split("\n"))),
                "focus": int(at[1]) if at[0] == name else None,
            }
            for name, file in files
        ]

    def _describe_hints(self, case: Case) -> dict[str, Any]:
        steps, seen_count = hints_of(case, current_language()), self._desk.progress.of(case.id).hints
        folder = MOJO / case.puzzle
        return {
            "case": case.id,
            "total": len(steps),
            "seen": [{**hint._asdict(), "text": render_markdown(hint.text, folder)} for hint in steps[:seen_count]],
        }

    def _draw(self, request: tuple[int, Case]) -> None:
        """Record and publish the picture of a check, given its number and case; a later check ends it by an exception.

        A `HarnessError` is not raised: the picture is then empty and has its text in `why`.
        """
        number, case = request
        picture: dict[str, Any] = {"number": number, "case": case.id, "launches": [], "traces": [], "why": ""}
        try:
            sources, go_on = self._desk.sources(case), self._drawing.stop_if_superseded
            traces, _ = record_case(case, plan=self._plan, sources=sources, notify=go_on)
            picture |= {"launches": describe_launches(traces), "traces": list(map(encode_trace, traces))}
        except HarnessError as error:  # the verdict stands; a file that is saved meanwhile is drawn next
            picture["why"] = printable(str(error))
        self._drawing.stop_if_superseded()
        self._server.publish("picture", picture)


def _has_picture(result: CheckResult) -> bool:
    """Return whether the kernel compiled, so that there can be a picture: the report has at least one data set."""
    return result.report is not None and bool(result.report.datasets)
