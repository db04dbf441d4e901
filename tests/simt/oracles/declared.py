"""Where oracles are declared, by the names of the intrinsics that they compute."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from harness.simt.ir.module import GlobalRef
from harness.simt.ir.types import Pointer, Type

__all__ = ["ORACLES", "Call", "pure", "typed"]

ORACLES: dict[str, Callable[[Call], Callable[..., Any]]] = {}


@dataclass(frozen=True)
class Operand:
    """An operand of a call: its type."""

    type: Type


class Call:
    """A call of an intrinsic, as an oracle that depends on types is given it."""

    def __init__(self, callee: str, type_: Type, operands: tuple[Type, ...]) -> None:
        self.callee, self.type, self.operands = callee, type_, tuple(map(Operand, operands))
        self.attrs = {"callee": GlobalRef(f"@{callee}", Pointer())}


def _declare(names: tuple[str, ...], make: Callable[[Call], Callable[..., Any]]) -> None:
    for name in names:
        assert name not in ORACLES, name
        ORACLES[name] = make


def pure(*names: str, **_facts: object) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a function of arrays of values."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        _declare(names, lambda _call: function)
        return function

    return declare


def typed(*names: str, **_facts: object) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare what makes a function of arrays of values out of a call's types."""

    def declare(make: Callable[..., Any]) -> Callable[..., Any]:
        _declare(names, make)
        return make

    return declare
