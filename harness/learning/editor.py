"""Write a VS Code task into a workspace: it runs `puzzles watch` and marks findings at their lines."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from harness.errors import EnvironmentFault
from harness.model.whole_file import replace_file
from harness.report import lines

__all__ = ["TASKS", "make_tasks", "write_tasks"]

TASKS = Path(".vscode", "tasks.json")


def make_tasks() -> dict[str, Any]:
    """Return the content of `tasks.json`: the VS Code task that runs `puzzles watch`, with its problem matcher.

    See: https://code.visualstudio.com/docs/debugtest/tasks

    The task's command is the `puzzles` program beside the running interpreter if there is one, else `puzzles` from
    `PATH`. Writes nothing.
    """
    executable = Path(sys.executable).with_name("puzzles")  # an editor knows nothing of a virtual environment
    groups = ("file", "line", "column", "severity", "code", "message")
    matcher = {
        "owner": "puzzles",
        "source": "puzzles",
        "fileLocation": ["autoDetect", "${workspaceFolder}"],
        "pattern": {"regexp": lines.PATTERN, **{part: group for group, part in enumerate(groups, 1)}},
        "background": {"activeOnStart": True, "beginsPattern": lines.BEGINS, "endsPattern": lines.ENDS},
    }
    task = {
        "label": "puzzles: watch",
        "detail": "Check a puzzle each time its file is saved",
        "type": "process",
        "command": str(executable) if executable.is_file() else "puzzles",
        "args": ["watch", "--format", "lines"],
        "isBackground": True,
        "group": {"kind": "build", "isDefault": True},
        "presentation": {"reveal": "always", "panel": "dedicated"},
        "problemMatcher": matcher,
    }
    return {"version": "2.0.0", "tasks": [task]}


def write_tasks(folder: Path) -> None:
    """Write `.vscode/tasks.json` into a workspace, and make `.vscode` if need be.

    Does nothing if the file, or a link in its place, is there already, or if `.vscode` is no folder.

    Raises:
        EnvironmentFault: The file cannot be written.
    """
    file = folder / TASKS
    if file.exists() or file.is_symlink() or (file.parent.exists() and not file.parent.is_dir()):
        return
    try:
        file.parent.mkdir(exist_ok=True)
        replace_file(file, (json.dumps(make_tasks(), indent=2) + "\n").encode())
    except OSError as error:
        raise EnvironmentFault(f"cannot write to {error.filename or file}: {error.strerror}.") from None
