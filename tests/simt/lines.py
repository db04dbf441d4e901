"""Lines of a kernel's IR, written at random."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

__all__ = ["Lines"]


@dataclass(eq=False, kw_only=True)
class Lines:
    """Writes them.

    Attributes:
        values: The numbers that may be used where the next line stands.
        label: Of the basic block that it stands in.
        made: How many names there are.
    """

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=lambda: ["%v", "%t"])
    label: str = "0"
    made: int = 0

    def _line(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def _new(self, instruction: str) -> str:
        self.made += 1
        self._line(f"%x{self.made} = {instruction}")
        return f"%x{self.made}"

    def _begin(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self.label = label
