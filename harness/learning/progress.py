"""What a learner has done in a workspace, in `.progress.json` at its root."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from harness.errors import EnvironmentFault
from harness.learning.messages import say
from harness.model.language import told
from harness.model.plain_file import plain_bytes
from harness.model.whole_file import write_whole
from harness.simt.plain import printable

__all__ = ["Done", "Progress", "unused"]

FILE = ".progress.json"
VERSION = 1
_MOST_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class Done:
    """What was done about one case.

    Attributes:
        solved: When it was first right, as ISO 8601 in UTC; empty if it never was.
        tries: Checks of a kernel that was filled in.
        hints: Hints seen.
        solution: Whether the solution was shown before.
    """

    solved: str = ""
    tries: int = 0
    hints: int = 0
    solution: bool = False

    @property
    def day(self) -> str:
        """The local day on which it was first right."""
        return f"{datetime.fromisoformat(self.solved).astimezone():%Y-%m-%d}"


@dataclass(slots=True)
class Progress:
    """The record of a workspace.

    Attributes:
        root: The workspace.
        cases: By id; cases that the catalogue no longer has are kept.
        is_stored: Whether `note` writes the record to the workspace.
    """

    root: Path
    cases: dict[str, Done] = field(default_factory=dict)
    is_stored: bool = True

    @classmethod
    def read(cls, root: Path) -> Progress:
        """The record of a workspace; one that cannot be read is kept aside, and told."""
        path = root / FILE
        try:
            return cls(root, _decoded(json.loads(plain_bytes(path, _MOST_BYTES) or b"")))
        except FileNotFoundError:
            return cls(root)
        except OSError as error:
            raise EnvironmentFault(f"cannot read {path}: {error.strerror}.") from None
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            copy = unused(path)
            os.replace(path, copy)
            print(say("learn.kept-aside", file=FILE, copy=copy.name), file=sys.stderr)
            return cls(root)

    def of(self, case: str) -> Done:
        """What was done about a case."""
        return self.cases.get(case, Done())

    def note(self, case: str, **changes: Any) -> None:
        """Changes what is known of a case, and stores it.

        Args:
            case: Its id.
            changes: Fields of `Done`.

        A workspace that cannot be written to is told, and no reason to keep back a hint or a verdict.
        """
        self.cases[case] = replace(self.of(case), **changes)
        if not self.is_stored:
            return
        held = {"version": VERSION, "cases": {name: asdict(done) for name, done in sorted(self.cases.items())}}
        path = self.root / FILE
        try:
            write_whole(path, f"{json.dumps(held, indent=1)}\n".encode())
        except OSError as error:
            reason = told(error.strerror or str(error))
            print(printable(say("learn.not-noted", file=path, reason=reason)), file=sys.stderr)


def unused(path: Path) -> Path:
    """The path with the first number that no file beside it has: `problem.1.mojo`."""
    number = 1
    while (copy := path.with_name(f"{path.stem}.{number}{path.suffix}")).exists():
        number += 1
    return copy


def _decoded(held: Mapping[str, Any]) -> dict[str, Done]:
    if held["version"] != VERSION:
        raise ValueError(f"version {held['version']}")
    known = {field.name: type(field.default) for field in fields(Done)}
    cases = {}
    for name, facts in held["cases"].items():
        given = {key: facts[key] for key in known if key in facts}
        if not all(type(value) is known[key] for key, value in given.items()):
            raise ValueError(f"case {name}")
        cases[name] = Done(**given)
        if cases[name].solved:
            datetime.fromisoformat(cases[name].solved)
    return cases
