"""Read and update a learner's progress in `.progress.json`: by case, when solved, tries, hints, solution seen."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
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


Change = Callable[[CaseProgress], CaseProgress]


@dataclass(slots=True)
class LearnerProgress:
    """The progress of a workspace, as it was when it was read or last changed here.

    Attributes:
        root: The workspace.
        cases: By case id; cases that the catalogue no longer has are kept.
        is_stored: Whether `change` writes the file.
    """

    root: Path
    cases: dict[str, CaseProgress] = field(default_factory=dict)
    is_stored: bool = True
    _unwritten: list[tuple[str, Change]] = field(default_factory=list, repr=False, compare=False)

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
        """Set fields of a case's progress, whatever they were; see `change`.

        Args:
            case: The case's id.
            changes: New values for fields of `CaseProgress`.
        """
        self.change(case, lambda before: replace(before, **changes))

    def change(self, case: str, change: Change) -> None:
        """Change a case's progress, here and, unless `is_stored` is false, in the file, of which the rest is kept.

        Other processes may have changed the file since: it is read again, and `cases` is what it holds afterwards. If
        it cannot be written, that is reported on stderr, nothing is raised, and the next change writes this one too.

        Args:
            case: The case's id.
            change: Returns the new progress for the present one. It may be called several times.
        """
        self.cases[case] = change(self.of(case))
        if not self.is_stored:
            return
        self._unwritten.append((case, change))
        path = self.root / FILE
        try:
            with _lock(self.root):
                self.cases = self._write_changes(path)
        except OSError as error:
            reason = translate(error.strerror or str(error))
            print(printable(say("learn.not-noted", file=path, reason=reason)), file=sys.stderr)
        else:
            self._unwritten.clear()

    def _write_changes(self, path: Path) -> dict[str, CaseProgress]:
        """Apply all changes that are not written yet to what is in the file; return what it holds then.

        Raises:
            OSError: It cannot be read or written.
        """
        cases = _read_cases(path)
        if cases is None:
            _set_aside(path)
            cases = {}
        for case, change in self._unwritten:
            cases[case] = change(cases.get(case, CaseProgress()))
        record = {"version": VERSION, "cases": {name: asdict(cases[name]) for name in sorted(cases)}}
        replace_file(path, f"{json.dumps(record, indent=1)}\n".encode())
        return cases


@contextlib.contextmanager
def _lock(folder: Path) -> Iterator[None]:
    """Wait until no other process is in this block for a folder, and keep others out meanwhile.

    The folder itself is locked: a file would stay there. Nothing is locked where the file system has no such locks.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, descriptor)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield


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
