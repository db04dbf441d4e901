"""What a workspace has for an editor: a task that watches, whose findings stand at their lines on each save."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from harness.errors import EnvironmentFault
from harness.model.whole_file import write_whole
from harness.report import lines

__all__ = ["TASKS", "leave", "tasks"]

TASKS = Path(".vscode", "tasks.json")


def tasks() -> dict[str, Any]:
    """The task of VS Code that runs `puzzles watch`, and its problem matcher.

    See: https://code.visualstudio.com/docs/debugtest/tasks
    """
    own = Path(sys.executable).with_name("puzzles")  # an editor knows nothing of a virtual environment
    parts = ("file", "line", "column", "severity", "code", "message")
    matcher = {
        "owner": "puzzles",
        "source": "puzzles",
        "fileLocation": ["autoDetect", "${workspaceFolder}"],
        "pattern": {"regexp": lines.PATTERN, **{part: group for group, part in enumerate(parts, 1)}},
        "background": {"activeOnStart": True, "beginsPattern": lines.BEGINS, "endsPattern": lines.ENDS},
    }
    task = {
        "label": "puzzles: watch",
        "detail": "Check a puzzle each time its file is saved",
        "type": "process",
        "command": str(own) if own.is_file() else "puzzles",
        "args": ["watch", "--format", "lines"],
        "isBackground": True,
        "group": {"kind": "build", "isDefault": True},
        "presentation": {"reveal": "always", "panel": "dedicated"},
        "problemMatcher": matcher,
    }
    return {"version": "2.0.0", "tasks": [task]}


def leave(folder: Path) -> None:
    """Writes the task into a workspace that has none; what somebody has there stays as it is.

    Raises:
        EnvironmentFault: It cannot be written.
    """
    file = folder / TASKS
    if file.exists() or file.is_symlink() or (file.parent.exists() and not file.parent.is_dir()):
        return
    try:
        file.parent.mkdir(exist_ok=True)
        write_whole(file, (json.dumps(tasks(), indent=2) + "\n").encode())
    except OSError as error:
        raise EnvironmentFault(f"cannot write to {error.filename or file}: {error.strerror}.") from None
