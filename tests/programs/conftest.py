"""Below the tests: how the programs on a GPU compared with the simulator."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A line for all of them, and what differs."""
    reports = [*terminalreporter.stats.get("passed", ()), *terminalreporter.stats.get("failed", ())]
    told = [value for report in reports for name, value in report.user_properties if name == "natively"]
    if not told:
        return
    rows = [row.split("\t") for row in told]
    differ = [(run, what, why) for _, run, what, why in rows if what]
    explained = sum(bool(why) for *_, why in differ)
    terminalreporter.section("programs on a GPU against the simulator")
    terminalreporter.write_line(
        f"{rows[0][0]}: {len(rows)} runs, {len(rows) - len(differ)} the same, {len(differ)} differ, "
        f"{explained} of these for a reason that the program names"
    )
    for run, what, why in differ:
        terminalreporter.write_line(f"  {run} ({why or 'NOT EXPLAINED'})")
        for line in what.splitlines():
            terminalreporter.write_line(f"    {line}")
