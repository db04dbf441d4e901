"""Write runs of puzzles and of programs as JUnit XML: a test for each data set, or for each set of arguments."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from harness.errors import EnvironmentFault
from harness.model.named import relativize_files
from harness.model.report import RunReport
from harness.model.verdict import Verdict
from harness.model.whole_file import replace_file
from harness.programs import Execution
from harness.report.findings import make_renderer
from harness.report.programs import explain_verdict
from harness.simt.findings import Finding, failing
from harness.simt.render import Renderer

__all__ = ["NOT_IN_XML", "tree", "write", "write_programs"]

# XML 1.0 has no such characters, not even escaped; compilers colour their lines with them.
NOT_IN_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
# A failure is what the kernel did; an error, that nothing came of it.
ELEMENTS = {
    Verdict.PASS: None,
    Verdict.REFERENCE: None,
    Verdict.MISMATCH: "failure",
    Verdict.FINDING: "failure",
    "UNKEPT": "failure",
    Verdict.SKIPPED: "skipped",
}
TOTALS = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def write(path: Path, report: RunReport) -> None:
    """Write a run to a file.

    Raises:
        EnvironmentFault: The file cannot be written.
    """
    _save(path, tree(report))


def tree(report: RunReport) -> ElementTree.ElementTree:
    """Return a suite for each case with a test for each data set.

    A test `case`, with the case's verdict, is added if there are no data sets, or the case fails though none of them
    does. A failed test `promises` is added if a case of the puzzles' solutions breaks promises.
    """
    root = ElementTree.Element("testsuites", name="puzzles")
    show = make_renderer(report.sources)
    for case in report.cases:
        suite = ElementTree.SubElement(root, "testsuite", name=case.case, time=f"{case.run_seconds:.6f}")
        if size := case.resized:
            properties = ElementTree.SubElement(suite, "properties")
            for name, value in ((size.constant, size.value), (f"documented {size.constant}", size.documented)):
                ElementTree.SubElement(properties, "property", name=name, value=str(value))
        ran = f"{case.case} on {case.target} ({case.backend})"
        for dataset in case.datasets:
            test = _add_test(suite, ran, dataset.name, dataset.run_seconds)
            _add_outcome(test, dataset.verdict, dataset.reason, dataset.findings, show)
        # The compiler, the target, or the Python file beside kernels that are right on all data sets.
        if not case.datasets or not (case.ok or case.decisive):
            _add_outcome(
                _add_test(suite, ran, "case", case.run_seconds), case.verdict, case.reason, case.findings, show
            )
        if report.binding and case.unkept:
            why = "; ".join(show.words.text(promise) for promise in case.unkept)
            _add_outcome(_add_test(suite, ran, "promises", 0.0), "UNKEPT", why, (), show)
        _set_totals(suite)
    return ElementTree.ElementTree(root)


def _set_totals(suite: ElementTree.Element) -> None:
    suite.set("tests", str(len(suite.findall("testcase"))))
    for total, element in TOTALS.items():
        suite.set(total, str(len(suite.findall(f"testcase/{element}"))))


def _save(path: Path, document: ElementTree.ElementTree) -> None:
    try:
        buffer = io.BytesIO()
        document.write(buffer, encoding="utf-8", xml_declaration=True)
        replace_file(path, buffer.getvalue())
    except OSError as error:
        raise EnvironmentFault(f"cannot write the report to {path}: {error.strerror}.") from error


def write_programs(path: Path, executions: Sequence[Execution], show: Renderer) -> None:
    """Write programs that ran to a file: a suite for each program, a test for each set of arguments, with its
    outcome and its output.

    Raises:
        EnvironmentFault: The file cannot be written.
    """
    root = ElementTree.Element("testsuites", name="puzzles")
    suites: dict[Path, ElementTree.Element] = {}
    for execution in executions:
        if execution.file not in suites:
            suites[execution.file] = ElementTree.SubElement(
                root, "testsuite", name=NOT_IN_XML.sub("?", str(execution.file))
            )
        # With its folder: services take two tests of one name for one test.
        ran = f"{execution.file.with_suffix('')} on {execution.target} ({execution.backend})"
        test = _add_test(suites[execution.file], ran, " ".join(execution.arguments) or "main", execution.seconds)
        _add_outcome(
            test, execution.verdict, explain_verdict(execution, show), execution.findings, show, execution.diagnostics
        )
        for name, text in (("system-out", execution.output), ("system-err", execution.errors)):
            ElementTree.SubElement(test, name).text = NOT_IN_XML.sub("?", text.decode(errors="replace"))
    for suite in suites.values():
        _set_totals(suite)
    _save(path, ElementTree.ElementTree(root))


def _add_test(suite: ElementTree.Element, ran: str, name: str, seconds: float) -> ElementTree.Element:
    classname, name = (NOT_IN_XML.sub("?", text) for text in (ran, name))
    return ElementTree.SubElement(suite, "testcase", classname=classname, name=name, time=f"{seconds:.6f}")


def _add_outcome(
    test: ElementTree.Element,
    verdict: str,
    why: str,
    findings: Sequence[Finding],
    show: Renderer,
    diagnostics: str = "",
) -> None:
    """Add a test's outcome: its reason in one line, and, unless it was skipped, its whole findings or compiler output.

    The outcome is an element `failure`, `skipped`, or `error` for any verdict not in `ELEMENTS`; a verdict that passes
    adds nothing. Findings of severity `information` are left out unless there is nothing worse.
    """
    element = ELEMENTS.get(verdict, "error")
    if element is None:
        return
    outcome = ElementTree.SubElement(test, element, message=NOT_IN_XML.sub("?", why))
    if element != "skipped":
        outcome.set("type", verdict)
        # What is for information decided the verdict where there is nothing worse.
        problems = failing(findings, "warning") or list(findings)
        detail_lines = [
            *relativize_files(diagnostics).splitlines(),
            *(line for problem in problems for line in show.block(problem)),
        ]
        outcome.text = NOT_IN_XML.sub("?", "\n".join(detail_lines))
