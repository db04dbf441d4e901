"""Run GPU puzzles and kernels written in Mojo, on a GPU or in a simulator: `run`, `launch`, `empty`, `Result`.

From Python, `run` executes a puzzle's kernel on data of your own, `launch` any kernel of a
Mojo file, and `empty` makes arrays that move to the GPU without a copy; `harness.api` documents them.
"""

from __future__ import annotations

import sys
from typing import Any

if sys.platform == "win32":  # what is imported next is not there, and a traceback would not say why
    print(
        "Mojo and MAX do not run on Windows itself: install WSL2 (`wsl --install`), and use this package in its Linux.",
        file=sys.stderr,
    )
    raise SystemExit(3)

from harness.simt.messages import register_tables

__all__ = ["Result", "empty", "launch", "run"]

# All that is ever told has its text as soon as anything of this is imported.
register_tables("harness.model.messages", "harness.programs.messages", "harness.learning.messages")


def __getattr__(name: str) -> Any:
    # Late: the command line and its children import this package and need none of it.
    if name in __all__:
        from harness import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_ipython_extension(shell: Any) -> None:
    """Adds `%%puzzle`, `%hint` and `%%mojo_gpu` to a notebook: `%load_ext harness`."""
    from harness import notebook

    notebook.load(shell)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
