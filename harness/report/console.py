"""Reports for people.  Tables go to stdout, everything on the way to stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.check import said
from harness.verdict import BuildReport, CaseReport, Plan, RunReport

__all__ = ["built", "facts", "header", "listing", "progress", "run", "step_summary"]

PLAIN_WIDTH = 240  # where no terminal says otherwise: reasons are not to be cut
STYLES = {"PASS": "green", "REFERENCE": "cyan", "SKIPPED": "yellow", "built": "green", "cached": "green",
          "skipped": "yellow"}  # fmt: skip
COUNTERS_SHOWN = 40


def _out() -> Console:
    width = None if sys.stdout.isatty() else PLAIN_WIDTH
    return Console(file=sys.stdout, width=width, highlight=False, soft_wrap=False)


def header(plan: Plan, kernels: str) -> None:
    """One line that says which kernels run on what, and why."""
    what = "the sequential reference, not the kernels" if plan.backend == "cpu" else f"kernels of {kernels}"
    print(f"{what} for {plan.target} on {plan.device} ({plan.why})", file=sys.stderr)


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Yields a function that shows one line while something slow goes on."""
    console = Console(file=sys.stderr, highlight=False)
    if not console.is_terminal:
        yield lambda line: print(f"{line} ...", file=sys.stderr)
        return
    with console.status("") as status:
        yield lambda line: status.update(line)


def run(report: RunReport, *, counters: bool = False) -> None:
    """A row for each case, then what was found."""
    console = _out()
    table = Table("verdict", "case", "backend", "device", "target", "grid x block x cluster",
                  "data sets", "build s", "run s", "reason", box=None, pad_edge=False)  # fmt: skip
    for case in report.cases:
        passed = sum(one.verdict in ("PASS", "REFERENCE") for one in case.datasets)
        table.add_row(
            _verdict(case.verdict), case.case, case.backend, case.device, case.target, str(case.launch),
            f"{passed}/{len(case.datasets)}" if case.datasets else "-",
            f"{case.build_seconds:.1f}", f"{case.run_seconds:.3f}", Text(case.reason, overflow="fold"),
        )  # fmt: skip
    console.print(table)
    for case in report.cases:
        for finding in case.findings:
            console.print(Text(f"{case.case}: {finding.severity}: {said(finding)}"), soft_wrap=True)
        if counters and case.counters:
            _counters(console, case)
    if any(case.verdict == "REFERENCE" for case in report.cases):
        console.print("REFERENCE: the op's sequential branch gave the documented result; no kernel was executed.")
    console.print(_summary(report))


def _summary(report: RunReport) -> str:
    verdicts = [case.verdict for case in report.cases]
    counts = ", ".join(f"{verdicts.count(name)} {name}" for name in dict.fromkeys(verdicts))
    return counts if any(case.ok for case in report.cases) else f"{counts or 'no case'}: nothing ran to a right answer"


def _counters(console: Console, case: CaseReport) -> None:
    table = Table("counter", "value", title=case.case, title_justify="left", box=None, pad_edge=False)
    for name, value in list(case.counters.items())[:COUNTERS_SHOWN]:
        table.add_row(name.replace("_", " "), Text(str(value), overflow="fold"))
    console.print(table)


def built(reports: Sequence[BuildReport]) -> None:
    """A row for each case and target."""
    table = Table("status", "case", "target", "artifacts", "s", "reason", box=None, pad_edge=False)
    for one in reports:
        table.add_row(_verdict(one.status), one.case, one.target, ", ".join(one.artifacts),
                      f"{one.seconds:.1f}", Text(one.reason, overflow="fold"))  # fmt: skip
    _out().print(table)


def listing(rows: Sequence[Mapping[str, Any]]) -> None:
    """A row for each case of the catalogue."""
    table = Table("case", "title", "kernel", "grid x block x cluster (32 lanes)", "data sets", "vendors", "command",
                  box=None, pad_edge=False)  # fmt: skip
    for row in rows:
        table.add_row(row["case"], row["title"], row["kernel"], row["launch"], str(row["data_sets"]),
                      ", ".join(row["vendors"]), row["command"])  # fmt: skip
    _out().print(table)


def facts(values: Mapping[str, str]) -> None:
    """Names and values."""
    table = Table.grid(padding=(0, 2))
    for name, value in values.items():
        table.add_row(name, Text(value, overflow="fold"))
    _out().print(table)


def step_summary(report: RunReport) -> None:
    """A markdown table for GitHub's job page, where there is one."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    lines = [f"### {report.plan.target} on {report.plan.device}", "", "| verdict | case | data sets | reason |",
             "| --- | --- | --- | --- |"]  # fmt: skip
    for case in report.cases:
        reason = case.reason.replace("|", "\\|").replace("\n", " ")
        lines.append(f"| {case.verdict} | `{case.case}` | {len(case.datasets)} | {reason} |")
    with Path(path).open("a") as file:
        file.write("\n".join([*lines, ""]))


def _verdict(verdict: str) -> Text:
    return Text(verdict, style=STYLES.get(verdict, "bold red"))
