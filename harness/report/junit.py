"""Runs as JUnit XML, for CI services: a test case for each data set."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from harness.errors import EnvironmentFault
from harness.model.report import CaseReport, RunReport

__all__ = ["tree", "write"]

# XML 1.0 has no such characters, not even escaped; compilers colour their lines with them.
NOT_IN_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
TOTALS = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def write(path: Path, report: RunReport) -> None:
    """Writes a run to a file.

    Raises:
        EnvironmentFault: The file cannot be written.
    """
    try:
        tree(report).write(path, encoding="utf-8", xml_declaration=True)
    except OSError as error:
        raise EnvironmentFault(f"cannot write the report to {path}: {error.strerror}.") from error


def tree(report: RunReport) -> ElementTree.ElementTree:
    """A suite for each case; a case without data sets counts as one test."""
    root = ElementTree.Element("testsuites", name="puzzles")
    for case in report.cases:
        suite = ElementTree.SubElement(root, "testsuite", name=case.case, time=f"{case.run_seconds:.6f}")
        for dataset in case.datasets:
            _test(suite, case, dataset.name, dataset.verdict, dataset.reason, dataset.run_seconds)
        passed = all(dataset.verdict in ("PASS", "REFERENCE") for dataset in case.datasets)
        if not case.datasets or (passed and not case.ok):
            # What failed is no data set: the compiler, a claim, or the target.
            _test(suite, case, "case", case.verdict, case.reason, case.run_seconds)
        suite.set("tests", str(len(suite)))
        for total, element in TOTALS.items():
            suite.set(total, str(len(suite.findall(f"testcase/{element}"))))
    return ElementTree.ElementTree(root)


def _test(suite: ElementTree.Element, case: CaseReport, name: str, verdict: str, reason: str, seconds: float) -> None:
    test = ElementTree.SubElement(
        suite,
        "testcase",
        classname=f"{case.case} on {case.target} ({case.backend})",
        name=name,
        time=f"{seconds:.6f}",
    )
    reason = NOT_IN_XML.sub("?", reason)
    if verdict == "SKIPPED":
        ElementTree.SubElement(test, "skipped", message=reason)
    elif verdict == "MISMATCH":
        ElementTree.SubElement(test, "failure", type=verdict, message=reason)
    elif verdict not in ("PASS", "REFERENCE"):
        ElementTree.SubElement(test, "error", type=verdict, message=reason)
