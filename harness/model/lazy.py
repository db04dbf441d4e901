"""A mapping whose values are computed when they are first read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

__all__ = ["LazyMapping"]

T = TypeVar("T")


class LazyMapping(Mapping[str, T]):
    """A mapping by name whose values are computed when they are first read, and kept.

    Args:
        names: The names in order.
        make: Computes the value of a name.
    """

    def __init__(self, names: Iterable[str], make: Callable[[str], T]) -> None:
        self._names, self._make = dict.fromkeys(names), make
        self._values: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._values:
            if name not in self._names:
                raise KeyError(name)
            self._values[name] = self._make(name)
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
