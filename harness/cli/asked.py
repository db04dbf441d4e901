"""Check the arguments of `run`, with its errors and exit code, and run nothing: `python -m harness.cli.asked`.

It serves callers that do something long before the run, such as sessions that build first.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from harness.cli.files import require_writable_reports
from harness.cli.main import main
from harness.cli.parser import parse_command_line
from harness.cli.running import plan_run
from harness.model import exit_code

__all__: list[str] = []


def _check_arguments(argv: Sequence[str]) -> int:
    arguments = parse_command_line(["run", *argv])
    require_writable_reports(arguments.json, arguments.junit, arguments.sarif)
    if not arguments.scheduler and arguments.sanitize is None:
        plan_run(arguments)
    return exit_code.OK


if __name__ == "__main__":
    sys.exit(main(do=_check_arguments))
