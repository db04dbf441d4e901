"""Finds in the code of another launch the instruction that a mutant changes, and changes it there too.

An instruction is known by its place in the source, with the calls that it was inlined through, and by its text without
registers, symbols and numbers. Of equal ones the order counts, where both codes have as many.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from tests.mutants.operators import IrMutant, mutants

__all__ = ["find_counterpart"]

_LOCATION = re.compile(r"^(!\d+) = (?:distinct )?!DILocation\((.*)\)$", re.MULTILINE)
_AT = re.compile(r"!dbg (!\d+)")
_TAIL = re.compile(r", ![\w.]+ ![\w()]+.*$")
_LABEL = re.compile(r"(?<=label )%[\w.]+|%[\w.]+")
_SYMBOL = re.compile(r'@(?!llvm\.)(?:"[^"]*"|[\w.$-]+)')
_NUMBER = re.compile(r"(?<![\w%@.])-?\d+(?:\.\d+e[+-]\d+)?\b")
Key = tuple[tuple[str, ...], str]


def find_counterpart(mutant: IrMutant, text: str, other: str) -> IrMutant | None:
    """Returns the mutant of other code whose instruction corresponds; None if there is none.

    Args:
        mutant: Of `text`.
        text: The code of a kernel at one launch.
        other: The code of the same kernel at another launch.
    """
    own, others = _keys(text), _keys(other)
    key = own[mutant.line - 1]
    places = [at for at, one in enumerate(own) if one == key]
    candidates = [at for at, one in enumerate(others) if one == key]
    if key is None or len(places) != len(candidates):
        return None
    line = candidates[places.index(mutant.line - 1)] + 1
    before = _of_line(text, mutant.line, mutant.operator)
    after = _of_line(other, line, mutant.operator)
    if len(before) != len(after):
        return None
    return after[[one.new for one in before].index(mutant.new)]


def _of_line(text: str, line: int, operator: str) -> list[IrMutant]:
    return [one for one in mutants(text, line) if one.operator == operator]


@lru_cache(maxsize=16)
def _keys(text: str) -> Sequence[Key | None]:
    """Returns what each line of a module's functions is known by; None of any other line."""
    locations = dict(_LOCATION.findall(text))
    keys: list[Key | None] = []
    inside = False
    for line in text.split("\n"):
        inside = inside or line.startswith("define ")
        inside = inside and not line.startswith("}")
        if not inside or not line.startswith("  "):
            keys.append(None)
            continue
        at = _AT.search(line)
        plain = _SYMBOL.sub("@", _LABEL.sub("%", _TAIL.sub("", line)))
        keys.append((tuple(_chain(locations, at[1] if at else "")), _NUMBER.sub("#", plain)))
    return keys


def _chain(locations: dict[str, str], node: str) -> list[str]:
    """Returns line and column of a location, and of each call that it was inlined through."""
    chain = []
    while node in locations:
        facts = dict(part.split(": ", 1) for part in locations[node].split(", "))
        chain.append(f"{facts.get('line')}:{facts.get('column')}")
        node = facts.get("inlinedAt", "")
    return chain
