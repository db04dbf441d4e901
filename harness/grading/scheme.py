"""Read an assignment's TOML file, its puzzles and the points of their modes; compute the points of a result.

puzzles = ["p01-p08", "p15", "p26:pair-swap"]   # all if left out

[points]
default = 1             # of a mode that is not named
"p26:pair-swap" = 2     # of one mode
p16 = 6                 # of a puzzle: its modes that are not named share what the named ones leave

[share]
unkept = 0.8            # of the points for a right answer that goes another way than the puzzle asks for
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.catalogue import CASES, select_cases
from harness.errors import UsageError, unknown_name
from harness.grading.work import ModeResult, is_right
from harness.model.case import Case

__all__ = ["Scheme", "format_points", "read"]


@dataclass(frozen=True, slots=True)
class Scheme:
    """The puzzles of an assignment, and the points of their modes.

    Attributes:
        default: The points of a mode that is not named.
        by_case: The points of modes that are named, by case.
        unkept: The share for a right answer that does not keep the puzzle's promises, 0 to 1.
        cases: The cases that are asked for, in the catalogue's order.
    """

    default: float = 1.0
    by_case: Mapping[str, float] = field(default_factory=dict)
    unkept: float = 1.0
    cases: tuple[Case, ...] = CASES

    @property
    def puzzles(self) -> tuple[str, ...]:
        """The puzzles whose files are asked for, in order."""
        return tuple(dict.fromkeys(case.puzzle for case in self.cases))

    def most(self, case: str) -> float:
        """Return the points that a mode could give."""
        return self.by_case.get(case, self.default)

    def points(self, result: ModeResult) -> float:
        """Return the points of a result: 0 unless it is right, and only the share `unkept` if it does not keep all
        promises.
        """
        if not is_right(result.verdict):
            return 0.0
        return round(self.most(result.case) * (self.unkept if result.unkept else 1.0), 9)


def format_points(points: float) -> str:
    """Write points as people do, to six decimals, without zeros at the end: `2`, `0.8`, `1234.567`."""
    return f"{points:.6f}".rstrip("0").rstrip(".")


def read(path: Path, find_cases: Callable[[list[str]], Sequence[Case]] = select_cases) -> Scheme:
    """Read an assignment; without `puzzles` it has all cases, and only documented cases count.

    Args:
        path: The file.
        find_cases: Returns the cases that names ask for, in the catalogue's order.

    Raises:
        UsageError: There is no such file, it is no TOML, or something in it is not possible; the message says what.
    """
    try:
        with path.open("rb") as file:
            document = tomllib.load(file)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no TOML: {error}.") from None
    except (ValueError, RecursionError):
        raise UsageError(f"{path}: a number has thousands of digits, or brackets are nested too deep.") from None
    for section in document:
        if section not in ("puzzles", "points", "share"):
            raise unknown_name("section", section, ["puzzles", "points", "share"])
    points, share = (_numbers(document.get(name, {}), name, path) for name in ("points", "share"))
    cases = _cases(document["puzzles"], path, find_cases) if "puzzles" in document else CASES
    names = dict.fromkeys(name for case in CASES for name in (case.id, case.puzzle))
    in_assignment = {name for case in cases for name in (case.id, case.puzzle)}
    for name in points:
        if name != "default" and name not in names:
            raise unknown_name("case", name, ["default", *names])
        if name != "default" and name not in in_assignment:
            raise UsageError(f"{path}: [points] has {name}, which is not among the puzzles of the assignment.")
    for name, value in share.items():
        if name != "unkept" or value > 1:
            raise UsageError(f"{path}: [share] has `unkept`, a number from 0 to 1, but not {name} = {value:g}.")
    default = points.pop("default", 1.0)
    return Scheme(default, _by_case(points, cases, path), share.get("unkept", 1.0), cases)


def _cases(names: Any, path: Path, find_cases: Callable[[list[str]], Sequence[Case]]) -> tuple[Case, ...]:
    """Return the documented cases that an assignment names.

    Raises:
        UsageError: `names` is no list of names, is empty, or names no documented case.
    """
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise UsageError(f'{path}: puzzles is a list of names, as in puzzles = ["p01-p08", "p26:pair-swap"].')
    cases = tuple(case for case in find_cases(names) if case.documented)
    if not cases:
        raise UsageError(f"{path}: puzzles names no puzzle to solve: {', '.join(names)}.")
    return cases


def _by_case(points: Mapping[str, float], cases: Sequence[Case], path: Path) -> dict[str, float]:
    """Return the points of each case that is named, or whose puzzle is; other cases are left out.

    What a puzzle is worth, less its modes that are named, is shared equally by its other modes.

    Args:
        points: The points by name of a case or a puzzle.
        cases: The cases of the assignment.
        path: The assignment's file, for the message.

    Raises:
        UsageError: The named modes of a puzzle have more points than it, or fewer and there is no other mode.
    """
    ids = {case.id for case in cases}
    by_case = {name: value for name, value in points.items() if name in ids}
    for puzzle, value in points.items():
        if puzzle in ids:
            continue
        modes = [case.id for case in cases if case.puzzle == puzzle]
        others = [name for name in modes if name not in by_case]
        named = sum(by_case[name] for name in modes if name in by_case)
        share = round(value - named, 9) or 0.0  # 0.3 - (0.1 + 0.2) is below 0; never -0.0, which would be shown
        if share < 0 or (share > 0 and not others):
            whole, parts = map(format_points, (value, named))
            raise UsageError(f"{path}: [points] gives {puzzle} {whole}, but its modes {parts}.")
        by_case |= {name: share / len(others) for name in others}
    return by_case


def _numbers(section: Any, name: str, path: Path) -> dict[str, float]:
    if not isinstance(section, dict):
        raise UsageError(f"{path}: {name} is a section, [{name}].")
    for key, value in section.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e6:
            raise UsageError(f"{path}: {key} in [{name}] is a number of at least 0, but got {value!r}.")
    return {key: float(value) for key, value in section.items()}
