"""Findings as SARIF 2.1.0: results with locations and fingerprints, a rule for each message; write the log.

See: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from harness.model import project
from harness.model.named import relativize_files
from harness.model.sources import ROOT
from harness.report import json_report
from harness.report.findings import make_renderer
from harness.report.told import LEVELS, ReportedFinding, of_cases, of_programs, parse_diagnostics
from harness.simt.findings import Finding, SourceLocation
from harness.simt.plain import printable
from harness.simt.render import Renderer

__all__ = ["SCHEMA", "ReportedFinding", "document", "of_cases", "of_programs", "results", "write"]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
BASE = "%SRCROOT%"
FIELD = re.compile(r"\{(\w+)(?::[^{}]*)?\}")


def document(findings: Iterable[ReportedFinding], show: Renderer | None = None, *, root: Path = ROOT) -> dict[str, Any]:
    """Return a log with one run: all findings as results, and a rule for each message among them.

    Args:
        show: Knows the language, and the lines of the files that may be shown; None for `make_renderer()`.
        root: The folder that paths are relative to; it is `%SRCROOT%`.
    """
    writer = _Writer(show or make_renderer(), root.resolve())
    entries = [writer.result(finding) for finding in findings]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "puzzles",
                        "version": project.version(),
                        "rules": [writer.rule(name) for name in writer.rules],
                    }
                },
                "originalUriBaseIds": {BASE: {"uri": f"{root.resolve().as_uri()}/"}},
                "columnKind": "unicodeCodePoints",
                "results": entries,
            }
        ],
    }


def results(findings: Iterable[ReportedFinding], show: Renderer, *, root: Path = ROOT) -> list[dict[str, Any]]:
    """Return the results of the log that `document` makes, without the log."""
    writer = _Writer(show, root.resolve())
    return [writer.result(finding) for finding in findings]


def write(path: Path, findings: Iterable[ReportedFinding], show: Renderer | None = None, *, root: Path = ROOT) -> None:
    """Write a log to a file.

    Raises:
        EnvironmentFault: The file cannot be written.
    """
    json_report.write_plain(path, document(findings, show, root=root))


class _Writer:
    """Writes results, and remembers their rules.

    Attributes:
        rules: The ids of the messages, in the order they came.
    """

    def __init__(self, show: Renderer, root: Path) -> None:
        self._show, self._root = show, root
        self.rules: list[str] = []

    def rule(self, name: str) -> dict[str, Any]:
        """Return the SARIF rule of the message with an id: title, text and remedy, with `<parameter>` for each field.

        A part that is empty or only fields is replaced by another one, at last by the id. KeyError for an unknown id.
        """
        message = self._show.words.messages[name]
        texts = (message.title, message.text, message.remedy)
        # What has nothing but parameters says nothing in general.
        title, text, remedy = (FIELD.sub(r"<\1>", part) if FIELD.sub("", part).strip() else "" for part in texts)
        return {
            "id": name,
            "shortDescription": {"text": title or text or name},
            "fullDescription": {"text": text or title or name},
            "help": {"text": remedy or text or title or name},
        }

    def result(self, reported: ReportedFinding) -> dict[str, Any]:
        """Return a finding as a result; its first place is the location, further places are related locations.

        Adds its id to `rules`. Without a place the location is an error of the compiler in its items, else its file;
        it has none if that is unknown.
        """
        record = self._show.record(reported.finding)
        if reported.finding.id not in self.rules:
            self.rules.append(reported.finding.id)
        text = relativize_files("\n".join([record["message"], *record["items"]]))
        places = [place for place in reported.finding.sites if place.known] or [
            place for level, place in parse_diagnostics(record["items"]) if level == "error"
        ]
        result: dict[str, Any] = {
            "ruleId": reported.finding.id,
            "ruleIndex": self.rules.index(reported.finding.id),
            "level": LEVELS[reported.finding.severity],
            "message": {"text": printable(text) or reported.finding.id},
            "partialFingerprints": {"finding/v1": self._fingerprint(reported.finding, places)},
            "occurrenceCount": max(1, reported.finding.count),
            "properties": {
                **reported.facts,
                "kernel": reported.finding.kernel,
                "remedy": printable(record["remedy"]),
                "lanes": [str(who) for who in reported.finding.who],
            },
        }
        if accepted := reported.accepted:
            why = {"justification": printable(accepted.reason)} if accepted.reason else {}
            result["suppressions"] = [{"kind": accepted.kind, **why}]
        if places:
            result["locations"] = [self._location(places[0])]
        elif reported.file:
            result["locations"] = [
                {"physicalLocation": {"artifactLocation": self._artifact(os.path.abspath(reported.file))}}
            ]
        if places[1:]:
            result["relatedLocations"] = [
                {"id": number, **self._location(place), "message": {"text": printable(place.instruction) or "here"}}
                for number, place in enumerate(places[1:], 1)
            ]
        return result

    def _fingerprint(self, finding: Finding, places: Sequence[SourceLocation]) -> str:
        """Return a hash of a finding's id, kernel and argument, and of each place's file, function and line's text.

        Line numbers are left out, so it stays while only other lines change. It may be the same for two findings.
        """
        parts = [finding.id, finding.kernel, finding.argument or ""]
        for place in places:
            parts += [self._uri(place.file), place.function, (self._line(place) or place.instruction).strip()]
        return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()

    def _location(self, place: SourceLocation) -> dict[str, Any]:
        """Return a place as a location; the column is left out if it is past the line, the snippet if it may not be
        shown.
        """
        place = self._show.at(place)
        region: dict[str, Any] = {"startLine": place.line}
        line = self._line(place)
        if place.column > 0 and (line is None or place.column <= len(line) + 1):
            region["startColumn"] = place.column
        if line is not None:
            region["snippet"] = {"text": printable(line)}
        location: dict[str, Any] = {
            "physicalLocation": {"artifactLocation": self._artifact(place.file), "region": region}
        }
        if place.function:
            location["logicalLocations"] = [{"name": printable(place.function), "kind": "function"}]
        return location

    def _artifact(self, file: str) -> dict[str, str]:
        uri = self._uri(file)
        return {"uri": uri} if uri.startswith("file:") else {"uri": uri, "uriBaseId": BASE}

    def _line(self, place: SourceLocation) -> str | None:
        lines = self._show.source(place.file)
        return lines[place.line - 1] if 0 < place.line <= len(lines) else None

    def _uri(self, file: str) -> str:
        """Return a file's name as a percent-encoded URI: relative to the root, or `file://` if it lies elsewhere.

        A relative name is taken as the repository's if such a file exists there, else as the root's.
        """
        path = Path(file)
        # The compiler names what lies in the repository from its root, which need not be that of the log.
        if self._root != ROOT and not path.is_absolute() and (ROOT / path).is_file():
            path = ROOT / path
        if path.is_absolute():
            try:
                path = path.relative_to(self._root)
            except ValueError:
                return f"file://{quote(str(path).encode('utf-8', 'backslashreplace'))}"
        return quote(path.as_posix().encode("utf-8", "backslashreplace"))
