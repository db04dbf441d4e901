"""`claims`: what the documents promise of each kernel, and what was measured."""

from __future__ import annotations

from argparse import Namespace

from harness.cases import pipeline
from harness.catalogue import select
from harness.cli.files import require_folders
from harness.cli.names import spread
from harness.model import exit_code
from harness.model.workspace import kernels
from harness.process.forks import choose_jobs
from harness.report import console, json_report, sarif

__all__ = ["claims"]


def claims(arguments: Namespace) -> int:
    """Checks every claim; exit code 1 if one does not hold."""
    require_folders(arguments.sarif)
    target = pipeline.plan(arguments.target, "simulator").target
    cases = select(spread(arguments.cases))
    with console.show_progress() as notify:
        sources = kernels(arguments.kernels, cases)
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
    return exit_code.of_statuses(report.status(binding=True) for report in reports)
