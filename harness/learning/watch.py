"""Yield the Mojo and Python files that are saved in a workspace, by file-system events, or else by polling."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from watchfiles import Change, DefaultFilter, watch

from harness.errors import EnvironmentFault
from harness.model.workspace import PYTHON_PROBLEM
from harness.simt.plain import one_line

__all__ = ["POLL_MILLISECONDS", "sends_change_events", "watch_saves"]

POLL_MILLISECONDS = 300
SETTLE_MILLISECONDS = 30  # without a further change, until an edit counts as complete
PROBE_SECONDS = 1.0
_PROBE = ".puzzles-probe"


class _PuzzleFiles(DefaultFilter):
    """Passes Mojo files and the Python files of puzzles that build a graph; an editor's temporary copies do not
    pass.
    """

    def __init__(self, python: str) -> None:
        """Make a filter for Mojo files, and for files whose path ends with `python`."""
        super().__init__()
        self._endings = (".mojo", ".🔥", python)

    def __call__(self, change: Change, path: str) -> bool:
        return path.endswith(self._endings) and super().__call__(change, path)


def sends_change_events(folder: Path, *, recursive: bool = True) -> bool:
    """Return whether the file system sends change events for a folder; network drives often send none.

    Creates and removes a file there to find out, which takes up to `PROBE_SECONDS`. True if it cannot be created.

    Args:
        folder: The folder to test.
        recursive: Listen to everything below the folder too.
    """
    probe = folder / f"{_PROBE}-{os.getpid()}"
    events = watch(
        folder,
        step=10,
        debounce=50,
        rust_timeout=50,
        yield_on_timeout=True,
        watch_filter=None,
        recursive=recursive,
    )
    next(events)  # it watches from here on
    try:
        probe.touch()
        end = time.monotonic() + PROBE_SECONDS
        for event in events:
            if any(Path(path).name == probe.name for _, path in event):
                return True
            if time.monotonic() > end:
                break
        return False
    except OSError:  # nothing can be written: then nothing is saved either
        return True
    finally:
        with contextlib.suppress(OSError):  # what could not be written cannot be removed either
            probe.unlink(missing_ok=True)
        events.close()


def watch_saves(
    folder: Path, *, poll: bool, recursive: bool = True, python: str = PYTHON_PROBLEM
) -> Iterator[set[Path]]:
    """Yield the set of Mojo files and puzzles' Python files created, changed or deleted since the last one, forever.

    It blocks while nothing changes. An editor's temporary copies do not count.

    Args:
        folder: The folder with the files.
        poll: Look every `POLL_MILLISECONDS` instead of waiting for events.
        recursive: Include everything below the folder.
        python: The ending of the paths of a puzzle's Python files.

    Raises:
        EnvironmentFault: A file cannot be watched.
    """
    several = watch(
        folder,
        watch_filter=_PuzzleFiles(python),
        recursive=recursive,
        step=SETTLE_MILLISECONDS,
        debounce=500,
        force_polling=poll,
        poll_delay_ms=POLL_MILLISECONDS,
    )
    try:
        for changes in several:
            yield {Path(path) for _, path in changes}
    except RuntimeError as error:  # of a file that cannot be looked at, a link that leads to itself for instance
        raise EnvironmentFault(f"the files in {folder} cannot be watched: {one_line(str(error))}.") from None
