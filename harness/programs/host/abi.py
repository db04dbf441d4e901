"""Declare `AsyncRT_` functions as Python functions (`entry`), make C callbacks of them (`bound`); types, errors.

Mojo's standard library calls `AsyncRT_<Type>_<verb>` functions. `buffers`, `contexts`, `functions`, `streams` and
`tensor_maps` declare each once; the annotations say what C passes. A function that can fail returns an error text that
the program frees with `strfree`, null for success. Source: the comments beside the calls in Mojo's open
`max/gpu/host/device_context.mojo`, and what compiled programs declare.
"""

from __future__ import annotations

import ctypes
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NewType, Protocol, TypeVar, get_type_hints

from harness.simt.ir.debug import escape_bytes

__all__ = [
    "ENTRIES",
    "PREFIX",
    "Address",
    "Bool",
    "Entry",
    "Handle",
    "Held",
    "HostError",
    "Int32",
    "Int64",
    "Out",
    "Size",
    "Text",
    "UInt32",
    "UInt64",
    "bound",
    "entry",
]

PREFIX = "AsyncRT_"

Address = NewType("Address", int)
Bool = NewType("Bool", bool)
Int32 = NewType("Int32", int)
Int64 = NewType("Int64", int)
Size = NewType("Size", int)
Text = NewType("Text", str)  # as LLVM writes it, and kernels' symbols with it
UInt32 = NewType("UInt32", int)
UInt64 = NewType("UInt64", int)

_C_TYPES: dict[Any, Any] = {
    Address: ctypes.c_void_p,
    Bool: ctypes.c_bool,
    Int32: ctypes.c_int32,
    Int64: ctypes.c_int64,
    Size: ctypes.c_size_t,
    Text: ctypes.c_char_p,
    UInt32: ctypes.c_uint32,
    UInt64: ctypes.c_uint64,
}


class HostError(Exception):
    """The error that a call returns to the program."""


class Handle:
    """An object that a program holds by an opaque pointer, counted by reference.

    Attributes:
        handle: The pointer, never null.
        references: The number of references that the program holds.
    """

    def __init__(self) -> None:
        self.handle = 0
        self.references = 1

    def free(self) -> None:
        """Release the object's resources; called when the last reference is gone."""


class Out:
    """The address at which a call stores a result."""

    def __init__(self, address: int) -> None:
        self._address = address

    def write(self, kind: type[Any], value: Any) -> None:
        """Write a value of a C type."""
        kind.from_address(self._address).value = value

    def handle(self, handle: Handle) -> None:
        """Write an opaque pointer."""
        self.write(ctypes.c_void_p, handle.handle)

    def string(self, text: ctypes.Array[ctypes.c_char]) -> None:
        """Store the address of a text, and 8 bytes further its length without its final zero.

        The caller keeps the text alive.
        """
        self.write(ctypes.c_void_p, ctypes.addressof(text))
        ctypes.c_size_t.from_address(self._address + 8).value = len(text) - 1


Held = TypeVar("Held", bound=Handle)


class Host(Protocol):
    """The object that answers a program's calls."""

    def resolve(self, pointer: int, kind: type[Held]) -> Held:
        """Return the object behind an opaque pointer."""

    def failed(self, entry: Entry, message: str) -> int:
        """Return the value that C gets for a call that failed."""

    def unsupported(self, name: str) -> int:
        """Return the value that C gets for a function that does not exist here."""

    def broken(self, trace: str) -> None:
        """Handle a fault of this harness, after which the program cannot go on."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One function of the interface.

    Attributes:
        name: Without the prefix.
        function: Takes the runtime and the arguments.
        prototype: Its C type.
        readers: For each argument, what makes the Python value of the C value.
        fails: Whether it returns an error text.
    """

    name: str
    function: Callable[..., Any]
    prototype: Any
    readers: tuple[Callable[[Host, Any], Any], ...]
    fails: bool


ENTRIES: dict[str, Entry] = {}


def entry(*names: str, fails: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that declares a Python function as functions of the interface, in `ENTRIES`.

    The function's annotations decide the C types; its first parameter is `runtime`. It is returned unchanged.

    Args:
        names: Without the prefix.
        fails: Whether C gets an error text, or null for success; if not, C gets what the function returns.

    Raises:
        ValueError: A name is declared already; raised by the decorator.
    """

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        hints = get_type_hints(function)
        returned = hints.pop("return")
        hints.pop("runtime")
        kinds = [_C_TYPES.get(hint, ctypes.c_void_p) for hint in hints.values()]
        result = ctypes.c_void_p if fails else None if returned is type(None) else _C_TYPES[returned]
        prototype = ctypes.CFUNCTYPE(result, *kinds)
        readers = tuple(map(_reader, hints.values()))
        for name in names:
            if name in ENTRIES:
                raise ValueError(f"{name} is declared twice")
            ENTRIES[name] = Entry(name, function, prototype, readers, fails)
        return function

    return declare


def _reader(hint: Any) -> Callable[[Host, Any], Any]:
    if hint is Out:
        return lambda _, value: Out(value or 0)
    if hint is Text:
        return lambda _, value: escape_bytes(value or b"")
    if hint is Address:
        return lambda _, value: value or 0
    if isinstance(hint, type) and issubclass(hint, Handle):
        return lambda host, value: host.resolve(value or 0, hint)
    return lambda _, value: value


def bound(host: Host, names: Iterable[str]) -> dict[str, Any]:
    """Make callbacks for the functions that a program declares.

    A `HostError` becomes the value that `Host.failed` returns; any other exception goes to `Host.broken`.

    Args:
        names: With the prefix; one that is not known here becomes a function whose error says so.

    Returns:
        By name; they must live as long as the program.
    """
    return {name: _callback(host, name) for name in names}


def _callback(host: Host, name: str) -> Any:
    entry = ENTRIES.get(name.removeprefix(PREFIX))
    if entry is None:
        return ctypes.CFUNCTYPE(ctypes.c_void_p)(lambda: host.unsupported(name))

    def call(*arguments: Any) -> Any:
        # An exception must not leave a callback: the program would go on with garbage.
        try:
            values = [read(host, value) for read, value in zip(entry.readers, arguments, strict=True)]
            result = entry.function(host, *values)
        except HostError as error:
            return host.failed(entry, str(error))
        except BaseException:
            host.broken(traceback.format_exc())
        else:
            return None if entry.fails else result

    return entry.prototype(call)
