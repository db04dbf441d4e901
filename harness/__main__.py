"""`python -m harness`: the only place that turns results into exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from harness.cli.parser import execute
from harness.errors import CompileError, HarnessError

EXIT_INTERRUPTED = 130  # 128 + SIGINT, as shells have it


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    try:
        code = execute(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except HarnessError as error:
        print(f"error: {error}", file=sys.stderr)
        if isinstance(error, CompileError) and error.diagnostics:
            print(error.diagnostics, file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader left: the rest of the output has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


if __name__ == "__main__":
    sys.exit(main())
