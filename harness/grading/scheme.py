"""What a mode is worth, by a small TOML file:

[points]
default = 1             # of a mode that is not named
"p26:pair-swap" = 2

[share]
unkept = 0.8            # of the points for a right answer that goes another way than the puzzle asks for
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.catalogue import CASES
from harness.errors import UsageError, unknown
from harness.grading.work import ModeResult, right

__all__ = ["Scheme", "read"]


@dataclass(frozen=True, slots=True)
class Scheme:
    """What modes are worth.

    Attributes:
        default: A mode that is not named.
        named: By case.
        unkept: The share for a right answer that does not keep the puzzle's promises, 0 to 1.
    """

    default: float = 1.0
    named: Mapping[str, float] = field(default_factory=dict)
    unkept: float = 1.0

    def most(self, case: str) -> float:
        """What a mode is worth."""
        return self.named.get(case, self.default)

    def points(self, result: ModeResult) -> float:
        """What a result is worth."""
        if not right(result.verdict):
            return 0.0
        return round(self.most(result.case) * (self.unkept if result.unkept else 1.0), 6)


def read(path: Path) -> Scheme:
    """Reads a scheme.

    Raises:
        UsageError: There is none, or something in it is not possible; the message says what.
    """
    try:
        with path.open("rb") as file:
            whole = tomllib.load(file)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no TOML: {error}.") from None
    except (ValueError, RecursionError):
        raise UsageError(f"{path}: a number has thousands of digits, or brackets are nested too deep.") from None
    for section in whole:
        if section not in ("points", "share"):
            raise unknown("section", section, ["points", "share"])
    points, share = (_numbers(whole.get(name, {}), name, path) for name in ("points", "share"))
    ids = [case.id for case in CASES]
    for name in points:
        if name != "default" and name not in ids:
            raise unknown("case", name, ["default", *ids])
    for name, value in share.items():
        if name != "unkept" or value > 1:
            raise UsageError(f"{path}: [share] has `unkept`, a number from 0 to 1, but not {name} = {value:g}.")
    default = points.pop("default", 1.0)
    return Scheme(default, points, share.get("unkept", 1.0))


def _numbers(section: Any, name: str, path: Path) -> dict[str, float]:
    if not isinstance(section, dict):
        raise UsageError(f"{path}: {name} is a section, [{name}].")
    for key, value in section.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e6:
            raise UsageError(f"{path}: {key} in [{name}] is a number of at least 0, but got {value!r}.")
    return {key: float(value) for key, value in section.items()}
