"""Compute addresses of functions from their module's text, the same in every process; find a function by address.

A launch may store the address of a function that a later launch calls. So an address follows from the text of
the module alone: it is the same in every process, for every device and in machine code that is cached. Two modules
of one process whose texts differ never share an address.

| bits of an address | content |
| --- | --- |
| 38 | always 1: it marks a function; addresses of allocations are above |
| 20 to 37 | the number of the module |
| 4 to 19 | the position of the function in the module |
| 0 to 3 | always 0 |
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from weakref import WeakValueDictionary

from harness.simt.errors import Unsupported

__all__ = ["FunctionTable", "function_at", "lines_of"]

MARK = 1 << 38
MODULE_BITS, FUNCTION_BITS, STEP_BITS = 18, 16, 4
MODULES, FUNCTIONS = 1 << MODULE_BITS, 1 << FUNCTION_BITS


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class _Loaded:
    """The functions of one module text, while a module with this text is alive."""

    number: int
    digest: bytes
    names: tuple[str, ...]


_loaded: WeakValueDictionary[int, _Loaded] = WeakValueDictionary()


class FunctionTable:
    """The addresses of a module's functions, numbered when the first one is requested.

    Args:
        names: The functions, with the `@`, in the order of the module.
        lines: Yields the text that the functions depend on.
    """

    def __init__(self, names: tuple[str, ...], lines: Callable[[], Iterable[str]]) -> None:
        self.names, self._lines = names, lines
        self._positions = {name: position for position, name in enumerate(names)}

    def __contains__(self, name: str) -> bool:
        return name in self._positions

    def address(self, name: str) -> int:
        """Return the address of a function by its name with the `@`.

        The first request gives the module a number, which is its own in this process as long as the table lives.

        Raises:
            KeyError: The table does not have the name.
            Unsupported: There are more functions or modules than an address can number.
        """
        return MARK | self._module.number << FUNCTION_BITS + STEP_BITS | self._positions[name] << STEP_BITS

    @cached_property
    def _module(self) -> _Loaded:
        if len(self.names) > FUNCTIONS:
            raise Unsupported(f"the address of a function in a module of more than {FUNCTIONS} functions")
        hashed = blake2b(digest_size=16)
        for line in self._lines():
            hashed.update(line.encode() + b"\n")
        digest = hashed.digest()
        number = int.from_bytes(digest[:4], "little") % MODULES
        while (other := _loaded.get(number)) is not None and other.digest != digest:
            number = (number + 1) % MODULES
            if len(_loaded) >= MODULES:
                raise Unsupported(f"the address of a function in one of more than {MODULES} modules")
        if other is None:
            other = _loaded[number] = _Loaded(number, digest, self.names)
        return other


def function_at(address: int) -> str | None:
    """Return the name, without the `@`, of the function at an address, in whichever module that is alive.

    None if the address is not a function's, or its module is gone or has not had an address requested.
    """
    if address >> STEP_BITS + FUNCTION_BITS + MODULE_BITS != MARK >> STEP_BITS + FUNCTION_BITS + MODULE_BITS:
        return None
    module = _loaded.get(address >> STEP_BITS + FUNCTION_BITS & MODULES - 1)
    position, odd = address >> STEP_BITS & FUNCTIONS - 1, address & (1 << STEP_BITS) - 1
    return module.names[position].removeprefix("@") if module and not odd and position < len(module.names) else None


def lines_of(bodies: dict[str, tuple[str, list[str]]], variables: list[str]) -> Iterator[str]:
    """Yield the lines `variables`, and then of each function in `bodies` the first line and the lines of the body."""
    yield from variables
    for head, lines in bodies.values():
        yield head
        yield from lines
