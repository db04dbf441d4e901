"""Where intrinsics are declared: once each, loudly, with all that others need to know of them.

A handler is declared with one of these decorators, by what it needs:

* `pure("name")`: takes the values, returns the value (a tuple for a struct).
* `typed("name")`: takes the call's `Op` and returns a pure function.
* `lanes("name")`: takes (engine, lanes, *values), reads geometry only.
* `stateful("name")`: takes a `Call` and returns (value, taint), or None where there is no value.

* `written("name")`: takes the `Writer` and the `Op`, and writes lines as the emitter
  of an instruction does.

* `expanded("name")`: takes the call and returns a `Function` that is spliced in for it, see `expanding.py`.

What several vendors have is an `Effect`, and `effect("name", of=...)` says that a name is one.

Those that need no handler: `wait`, `fence`, `ending` and `ignored`.

Names may leave out type suffixes: `llvm.fma` also stands for `llvm.fma.f32`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Literal, TypeAlias, TypeVar

from harness.simt.compile.declarations import BOTH, Barrier, ClusterBarrier, Fence, MemoryAccess, Spaces, Wait

__all__ = [
    "OPCODES",
    "PREFIXES",
    "SREG",
    "TABLE",
    "Effect",
    "Intrinsic",
    "declared",
    "effect",
    "ending",
    "expanded",
    "fence",
    "find",
    "ignored",
    "lanes",
    "later",
    "load",
    "pure",
    "special_register",
    "stateful",
    "typed",
    "wait",
    "written",
]

SUFFIX = re.compile(r"([ius]\d+|f\d+|[usfi]|bf16|p\d+|v\d+\w+|f\d+x\d+|a\d+\w+)$")
# Library functions with a body that are modelled as a whole, by their beginning.
PREFIXES = ("std_sys__amdgpu_hostcall",)
# What LLVM's own instructions do to memory.
OPCODES = {
    "load": (MemoryAccess(0, "load"),),
    "store": (MemoryAccess(1, "store"),),
    "atomicrmw": (MemoryAccess(0, "atomic"),),
    "cmpxchg": (MemoryAccess(0, "atomic"),),
}

Kind: TypeAlias = Literal[
    "pure", "typed", "lanes", "stateful", "written", "expanded", "wait", "fence", "ending", "ignored"
]
Handler = TypeVar("Handler", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Intrinsic:
    """An intrinsic: how it is called and what it does beside giving a value.

    Attributes:
        kind: The function of this module that declared it.
        handler: What computes it, an `Effect` or a function; None where nothing is left to do.
        exact: False if its result only approximates the hardware's.
        waits: What lanes wait for before it runs.
        arrives: What it arrives at without waiting.
        orders: What it orders without waiting.
        accesses: The memory that it accesses.
        exchanges: Whether values pass between the lanes of a warp.
        copies: Whether it begins a copy that is waited for later.
        varies: Whether it gives another value each time, as a clock does.
        proxy: Whether it accesses memory through the asynchronous proxy.
        native: What it is in machine code of the host: one of LLVM's intrinsics that gives the same bits, or a word
            that `harness.simt.native` declares by `forms`. Empty where it has no such form, which a launch then says.
    """

    name: str
    kind: Kind
    handler: Callable[..., Any] | None
    exact: bool = True
    waits: Wait | None = None
    arrives: Barrier | ClusterBarrier | None = None
    orders: Fence | None = None
    accesses: tuple[MemoryAccess, ...] = ()
    exchanges: bool = False
    copies: bool = False
    varies: bool = False
    proxy: bool = False
    native: str = ""


class Effect:
    """What calls do, as a value: who runs kernels otherwise than by its handler reads it.

    Attributes:
        accesses, exchanges, copies, proxy: See `Intrinsic`.
    """

    accesses: tuple[MemoryAccess, ...] = ()
    exchanges = False
    copies = False
    proxy = False

    @property
    def waits(self) -> Wait | None:
        """What lanes wait for before."""
        return None

    def __call__(self, call: Any) -> Any:
        """What a handler that is declared by `stateful` does."""
        raise NotImplementedError


SREG = "llvm.nvvm.read.ptx.sreg."  # what reads a special register
TABLE: dict[str, Intrinsic] = {}
_LATER: dict[str, tuple[str, ...]] = {}


def _declare(kind: Kind, names: tuple[str, ...], handler: Callable[..., Any] | None = None, **facts: Any) -> None:
    for name in names:
        if name in TABLE:
            raise ValueError(f"intrinsic {name} is already declared")
        TABLE[name] = Intrinsic(name, kind, handler, **facts)


def _handled(kind: Kind, names: tuple[str, ...], **facts: Any) -> Callable[[Handler], Handler]:
    def declare(handler: Handler) -> Handler:
        _declare(kind, names, handler, **facts)
        return handler

    return declare


def pure(*names: str, exact: bool = True, native: str = "") -> Callable[[Handler], Handler]:
    """Declares a function of the values alone."""
    return _handled("pure", names, exact=exact, native=native)


def typed(*names: str, exact: bool = True, native: str = "") -> Callable[[Handler], Handler]:
    """Declares a factory that is given the call and returns a pure function."""
    return _handled("typed", names, exact=exact, native=native)


def lanes(*names: str, varies: bool = False, native: str = "") -> Callable[[Handler], Handler]:
    """Declares a reader of the geometry."""
    return _handled("lanes", names, varies=varies, native=native)


def stateful(*names: str, **facts: Any) -> Callable[[Handler], Handler]:
    """Declares what touches memory, other lanes or the schedule, with what else `Intrinsic` says of it."""
    return _handled("stateful", names, **facts)


def effect(*names: str, of: Effect, exact: bool = True, native: str = "") -> None:
    """Declares names of an effect."""
    facts = {name: getattr(of, name) for name in ("waits", "accesses", "exchanges", "copies", "proxy")}
    _declare("stateful", names, of, exact=exact, native=native, **facts)


def written(*names: str, native: str = "") -> Callable[[Handler], Handler]:
    """Declares what is computed like an instruction of LLVM's own, byte by byte where taints are."""
    return _handled("written", names, native=native)


def expanded(*names: str, exact: bool = True) -> Callable[[Handler], Handler]:
    """Declares what other instructions are spliced in for."""
    return _handled("expanded", names, exact=exact)


def wait(*names: str, at: Wait) -> None:
    """Declares what does nothing but wait."""
    _declare("wait", names, waits=at)


def fence(*names: str, scope: str, ordering: str = "seq_cst", spaces: Spaces = BOTH) -> None:
    """Declares a fence, of all memory or of some."""
    _declare("fence", names, orders=Fence(ordering, scope, spaces))


def ending(*names: str) -> None:
    """Declares what ends the lanes that call it."""
    _declare("ending", names)


def ignored(*names: str) -> None:
    """Declares what has no effect on the simulation."""
    _declare("ignored", names)


def later(beginning: str, *modules: str) -> None:
    """Says which modules declare all names that begin so: they are loaded when one of these is first looked up."""
    _LATER[beginning] = modules


def declared() -> dict[str, Intrinsic]:
    """All that is declared, loaded or not."""
    for beginning in tuple(_LATER):
        load(beginning)
    return TABLE


def load(name: str) -> None:
    """Loads what declares the names that begin as this one does."""
    for beginning in filter(name.startswith, tuple(_LATER)):
        for module in _LATER.pop(beginning):
            import_module(module)


@cache
def find(name: str) -> Intrinsic | None:
    """The intrinsic of a callee named `@llvm.fma.f32`, or None."""
    name = name.removeprefix("@").strip('"')
    if name.startswith("llvm.air."):
        name = name.removeprefix("llvm.")
    load(name)
    for prefix in PREFIXES:
        if name.startswith(prefix):
            return TABLE[prefix]
    while name:
        intrinsic = TABLE.get(name)
        if intrinsic is not None:
            return intrinsic
        head, _, tail = name.rpartition(".")
        if not SUFFIX.fullmatch(tail):
            return None
        name = head
    return None


def special_register(register: str) -> str | None:
    """Return the intrinsic that reads a special register, or None where there is none."""
    if register == "WARP_SZ":
        return f"{SREG}warpsize"
    word = register.removeprefix("%")
    spelled = (SREG + word.replace("_", ".", 1), SREG + word, f"asm:{register}")
    return next((name for name in spelled if name in TABLE), None)
