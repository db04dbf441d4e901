"""`claims`: check what documents promise of kernels, by simulator and assembly; print text or JSON, write SARIF."""

from __future__ import annotations

from argparse import Namespace

from harness.cases import pipeline
from harness.catalogue import select_cases
from harness.cli.files import require_writable_reports
from harness.cli.names import expand_names
from harness.model import exit_code
from harness.model.workspace import kernel_sources
from harness.process.forks import choose_jobs
from harness.report import console, json_report, sarif

__all__ = ["claims"]


def claims(arguments: Namespace) -> int:
    """Check every claim of the named cases (all without names), print the result as text or JSON, and write SARIF if
    asked.

    Returns exit code 0 if something was measured and all hold, 1 if one does not hold or a result is wrong, else 3.
    """
    require_writable_reports(arguments.sarif)
    target = pipeline.plan(arguments.target, "simulator").target
    cases = select_cases(expand_names(arguments.cases))
    with console.show_progress() as notify:
        sources = kernel_sources(arguments.kernels, cases)
        reports = pipeline.claims(
            cases,
            target,
            sources,
            notify,
            documented_size=arguments.documented_size,
            jobs=choose_jobs(len(cases), arguments.jobs),
        )
    if arguments.json:
        print(json_report.text(json_report.claims(reports)))
    else:
        console.print_claims(reports)
    if arguments.sarif:
        sarif.write(arguments.sarif, sarif.of_cases(reports))
    return exit_code.combine_statuses(report.status(binding=True) for report in reports)
