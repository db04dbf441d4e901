"""`python -m harness.cli.asked ...` refuses what `run ...` would refuse, with its exit code, and runs nothing.

For who does something long before the run, as sessions do that build first.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from harness.cli.files import require_folders
from harness.cli.main import main
from harness.cli.parser import understood
from harness.cli.running import planned
from harness.model import exit_code

__all__: list[str] = []


def _refused(argv: Sequence[str]) -> int:
    arguments = understood(["run", *argv])
    require_folders(arguments.json, arguments.junit, arguments.sarif)
    if not arguments.scheduler and arguments.sanitize is None:
        planned(arguments)
    return exit_code.OK


if __name__ == "__main__":
    sys.exit(main(do=_refused))
