"""Format a whole grading as CSV, JSON or JUnit XML; `formats` has one person's results, `page` has HTML."""

from __future__ import annotations

import csv
import io
import unicodedata
from dataclasses import asdict
from typing import Any
from xml.etree import ElementTree

from harness.grading.concerns import concerns
from harness.grading.result import GradedMode, Grading, PersonResult
from harness.grading.scheme import format_points
from harness.grading.work import is_graded, is_right
from harness.model.verdict import Verdict
from harness.report import json_report
from harness.report.junit import NOT_IN_XML

__all__ = ["as_csv", "as_json", "as_junit"]

_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # with which a spreadsheet takes a cell for a formula, in any width


def as_json(grading: Grading) -> bytes:
    """Return the JSON document that docs/grading.md describes, in ASCII."""
    document = {
        "settings": asdict(grading.settings),
        "sandbox": grading.sandbox,
        "complete": grading.complete,
        "people": [_person(person) for person in grading.people],
        "concerns": concerns(grading),
        "alike": [asdict(group) for group in grading.alike],
        "figures": dict(grading.figures),
    }
    return (json_report.text(document, ascii_only=True) + "\n").encode()


def _person(person: PersonResult) -> dict[str, Any]:
    return {
        "person": person.person,
        "points": person.points,
        "most": person.most,
        "graded": person.graded,
        "modes": [
            {
                **asdict(mode.result),
                "file": mode.file,
                "points": mode.points,
                "most": mode.most,
                "data_seed": mode.data_seed,
            }
            for mode in person.modes
        ],
    }


def as_csv(grading: Grading) -> bytes:
    """Return a header and a line for each person: points, points possible, whether graded; verdict and points by mode.

    It is UTF-8 with a byte order mark; a name that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    cases = [mode.result.case for mode in grading.people[0].modes] if grading.people else []
    writer.writerow(
        ["person", "points", "most", "graded", *(word for case in cases for word in (case, f"{case} points"))]
    )
    for person in grading.people:
        modes = (word for mode in person.modes for word in (mode.result.verdict, format_points(mode.points)))
        totals = (format_points(person.points), format_points(person.most), "yes" if person.graded else "no")
        writer.writerow([_cell(person.person), *totals, *modes])
    # People open it, and Excel reads a file without a byte order mark in its own code page, where Korean is garbage.
    return out.getvalue().encode("utf-8-sig", "backslashreplace")


def _cell(text: str) -> str:
    return f"'{text}" if unicodedata.normalize("NFKC", text.lstrip(" ")[:1]).startswith(_FORMULA) else text


def as_junit(grading: Grading) -> bytes:
    """Return JUnit XML: a suite for each person, a test for each mode.

    A mode that was not attempted is skipped, one that is not graded an error, any other that is not right a failure.
    """
    root = ElementTree.Element("testsuites", name="grading")
    for person in grading.people:
        suite = ElementTree.SubElement(root, "testsuite", name=_xml(person.person))
        for mode in person.modes:
            test = ElementTree.SubElement(
                suite,
                "testcase",
                classname=_xml(person.person),
                name=mode.result.case,
                time=f"{mode.result.seconds:.6f}",
            )
            _outcome(test, mode)
        suite.set("tests", str(len(suite)))
        for total, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            suite.set(total, str(len(suite.findall(f"testcase/{kind}"))))
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode").encode()


def _outcome(test: ElementTree.Element, mode: GradedMode) -> None:
    verdict = mode.result.verdict
    if is_right(verdict):
        return
    kind = "skipped" if verdict == Verdict.NOT_ATTEMPTED else "failure" if is_graded(verdict) else "error"
    element = ElementTree.SubElement(test, kind, message=_xml(mode.result.reason))
    if kind != "skipped":
        element.set("type", verdict)
        element.text = _xml("\n".join(mode.result.lines))


def _xml(text: str) -> str:
    return NOT_IN_XML.sub("?", text)
