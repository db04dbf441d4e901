"""What the page of a watch is told: a state at each verdict, and a picture behind it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from harness.errors import HarnessError
from harness.learning.hints import hints, lesson
from harness.learning.latest import Latest
from harness.learning.lessons import as_html, before_hints
from harness.learning.loop import Checked, Desk
from harness.learning.page import launches_of, live_page, packed
from harness.learning.server import Server
from harness.learning.trace import of_case
from harness.learning.words import phrases
from harness.model.case import Case
from harness.model.language import chosen, language
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import MOJO
from harness.report.findings import describe_case, make_renderer
from harness.simt.plain import printable

__all__ = ["Live"]

_PLACED = re.compile(r"^\s*(?P<file>\S+?):(?P<line>\d+):\d+: ", re.MULTILINE)  # as the compiler says it


class Live:
    """The page of a watch, served from the moment that it is made.

    Args:
        desk: Of the learner.
        plan: Of the pictures: the simulator's.
        asked: By name what a click on the page does, on another thread.
    """

    def __init__(self, desk: Desk, plan: LaunchPlan, asked: Mapping[str, Callable[[], object]]) -> None:
        self._desk, self._plan = desk, replace(plan, backend="simulator")
        self._server = Server(live_page(phrases(language())), asked)
        self._number = 0
        self._drawing = Latest(self._draw)

    @property
    def address(self) -> str:
        """Where the page is."""
        return self._server.address

    def tell(self, checked: Checked) -> None:
        """Shows what became of a case, and then its picture."""
        self._number += 1
        self._server.tell("state", self._state(checked))
        self.help(checked.case)
        if _drawn(checked):
            self._drawing.want((self._number, checked.case))

    def help(self, case: Case) -> None:
        """Shows the hints of a case that were seen."""
        self._server.tell("hints", self._hints(case))

    def close(self) -> None:
        """Takes the page away."""
        self._drawing.close()
        self._server.close()

    def _state(self, checked: Checked) -> dict[str, Any]:
        case, taught = checked.case, lesson(checked.case.puzzle, language())
        text = taught.read_text(encoding="utf-8") if taught else ""
        said, findings = self._told(checked)
        return {
            "number": self._number,
            "case": case.id,
            "title": chosen().word("title", case.title),
            "said": said,
            "kind": "right" if checked.ok else "wrong" if checked.report else "open",
            "findings": findings,
            "sources": self._sources(case),
            "lesson": as_html(before_hints(text), MOJO / case.puzzle),
            "drawn": _drawn(checked),
            "when": f"{datetime.now():%H:%M:%S}",
            "seconds": f"{checked.seconds:.1f}",
        }

    def _told(self, checked: Checked) -> tuple[list[str], list[dict[str, Any]]]:
        """What is said of the verdict, and the findings with the lines where they stand."""
        if checked.report is None:
            begun = self._desk.open_task(checked.case)
            return [printable(checked.said or chosen().text(begun))], []
        show = make_renderer(self._desk.sources(checked.case))
        said, told = describe_case(checked.report, show, remarks=True)
        records = []
        for record in map(show.record, told):
            places = [(site["file"], site["line"]) for site in record["sites"]]
            text = "\n".join((record["message"], *record["items"]))
            places += [(found["file"], int(found["line"])) for found in _PLACED.finditer(text)]
            places = [(self._desk.shown(Path(file)), line) for file, line in places]
            kept = {key: record[key] for key in ("id", "severity", "title", "message", "items", "remedy")}
            records.append(kept | {"sites": [{"file": file, "line": line} for file, line in dict.fromkeys(places)]})
        return [line.strip() for line in said], records

    def _sources(self, case: Case) -> list[dict[str, Any]]:
        """The learner's files, and at which line there is something to do."""
        at = self._desk.place(case).rsplit(":", 2)
        files = [(self._desk.shown(file), file) for file in self._desk.files(case) if file.is_file()]
        return [
            {
                "name": name,
                "from": 1,
                "lines": list(map(printable, file.read_text("utf-8", errors="replace").removesuffix("\n").split("\n"))),
                "focus": int(at[1]) if at[0] == name else None,
            }
            for name, file in files
        ]

    def _hints(self, case: Case) -> dict[str, Any]:
        steps, seen = hints(case, language()), self._desk.progress.of(case.id).hints
        folder = MOJO / case.puzzle
        return {
            "case": case.id,
            "total": len(steps),
            "seen": [{**hint._asdict(), "text": as_html(hint.text, folder)} for hint in steps[:seen]],
        }

    def _draw(self, wanted: tuple[int, Case]) -> None:
        """Draws what is wanted, unless a later save overtakes it."""
        number, case = wanted
        picture: dict[str, Any] = {"number": number, "case": case.id, "launches": [], "traces": [], "why": ""}
        try:
            sources, go_on = self._desk.sources(case), self._drawing.go_on
            traces, _ = of_case(case, plan=self._plan, sources=sources, notify=go_on)
            picture |= {"launches": launches_of(traces), "traces": list(map(packed, traces))}
        except HarnessError as error:  # the verdict stands; a file that is saved meanwhile is drawn next
            picture["why"] = printable(str(error))
        self._drawing.go_on()
        self._server.tell("picture", picture)


def _drawn(checked: Checked) -> bool:
    """Whether there can be a picture: it compiled."""
    return checked.report is not None and bool(checked.report.datasets)
