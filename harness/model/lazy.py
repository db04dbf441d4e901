"""Values that are made when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

__all__ = ["Lazy"]

T = TypeVar("T")


class Lazy(Mapping[str, T]):
    """Values by name, each made when it is first asked for.

    Args:
        names: In order.
        make: Gives the value of a name.
    """

    def __init__(self, names: Iterable[str], make: Callable[[str], T]) -> None:
        self._names, self._make = dict.fromkeys(names), make
        self._made: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._made:
            if name not in self._names:
                raise KeyError(name)
            self._made[name] = self._make(name)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
