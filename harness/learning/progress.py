"""Store what a learner has done in a workspace, in `.progress.json` at its root."""

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
from harness.model.language import translate
from harness.model.plain_file import read_plain_file
from harness.model.whole_file import replace_file
from harness.simt.plain import printable

__all__ = ["CaseProgress", "LearnerProgress", "unused_path"]

FILE = ".progress.json"
VERSION = 1
_MOST_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class CaseProgress:
    """A learner's progress in one case.

    Attributes:
        solved: When it was first right, as ISO 8601 in UTC; empty if it never was.
        tries: How many filled-in kernels were checked.
        hints: How many hints were seen.
        solution: Whether the solution was shown before it was solved.
    """

    solved: str = ""
    tries: int = 0
    hints: int = 0
    solution: bool = False

    @property
    def day(self) -> str:
        """The local date on which it was first right, as `YYYY-MM-DD`; raises ValueError if it never was."""
        return f"{datetime.fromisoformat(self.solved).astimezone():%Y-%m-%d}"


@dataclass(slots=True)
class LearnerProgress:
    """The progress of a workspace.

    Attributes:
        root: The workspace.
        cases: By case id; cases that the catalogue no longer has are kept.
        is_stored: Whether `update` writes the file.
    """

    root: Path
    cases: dict[str, CaseProgress] = field(default_factory=dict)
    is_stored: bool = True

    @classmethod
    def read(cls, root: Path) -> LearnerProgress:
        """Read the progress of a workspace; empty if it has no file.

        A damaged file is renamed (`.progress.1.json`), which is reported on stderr, and the progress is empty. Damaged
        is also another version, wrong types, a link, and a file above 16 MiB.

        Raises:
            EnvironmentFault: The file exists and cannot be read; or it is damaged and cannot be renamed.
        """
        path = root / FILE
        try:
            cases = _read_cases(path)
        except OSError as error:
            raise EnvironmentFault(f"cannot read {path}: {error.strerror}.") from None
        if cases is None:
            try:
                _set_aside(path)
            except OSError as error:
                raise EnvironmentFault(
                    f"{path} is damaged and cannot be renamed ({error.strerror}): make its folder writable."
                ) from None
        return cls(root, cases or {})

    def of(self, case: str) -> CaseProgress:
        """Return the progress of a case, empty if there is none."""
        return self.cases.get(case, CaseProgress())

    def update(self, case: str, **changes: Any) -> None:
        """Change fields of a case's progress, and replace the file by all of `cases` unless `is_stored` is false.

        A file that cannot be written is reported on stderr; nothing is raised.

        Args:
            case: The case's id.
            changes: New values for fields of `CaseProgress`.
        """
        self.cases[case] = replace(self.of(case), **changes)
        if not self.is_stored:
            return
        record = {
            "version": VERSION,
            "cases": {name: asdict(progress) for name, progress in sorted(self.cases.items())},
        }
        path = self.root / FILE
        try:
            replace_file(path, f"{json.dumps(record, indent=1)}\n".encode())
        except OSError as error:
            reason = translate(error.strerror or str(error))
            print(printable(say("learn.not-noted", file=path, reason=reason)), file=sys.stderr)


def unused_path(path: Path) -> Path:
    """Return the path beside this one with the lowest number, from 1, that does not exist yet: `problem.1.mojo`; makes
    no file.
    """
    number = 1
    while (copy := path.with_name(f"{path.stem}.{number}{path.suffix}")).exists():
        number += 1
    return copy


def _read_cases(path: Path) -> dict[str, CaseProgress] | None:
    """Return the progress in a file by case id: empty if there is no file, None if it is damaged.

    Raises:
        OSError: It cannot be read.
    """
    try:
        return _decode(json.loads(read_plain_file(path, _MOST_BYTES) or b""))
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return None


def _set_aside(path: Path) -> None:
    """Rename a damaged file to an unused name beside it, and say so on stderr; OSError if that cannot be."""
    copy = unused_path(path)
    os.replace(path, copy)
    print(say("learn.kept-aside", file=FILE, copy=copy.name), file=sys.stderr)


def _decode(record: Mapping[str, Any]) -> dict[str, CaseProgress]:
    if record["version"] != VERSION:
        raise ValueError(f"version {record['version']}")
    types = {field.name: type(field.default) for field in fields(CaseProgress)}
    cases = {}
    for case_id, facts in record["cases"].items():
        values = {key: facts[key] for key in types if key in facts}
        if not all(type(value) is types[key] for key, value in values.items()):
            raise ValueError(f"case {case_id}")
        cases[case_id] = CaseProgress(**values)
        if cases[case_id].solved:
            datetime.fromisoformat(cases[case_id].solved)
    return cases
