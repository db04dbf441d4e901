"""The table of intrinsics: decorators that declare them with their facts, look-up by callee, imports on demand.

A handler is declared with one of these decorators, by what it needs:

* `pure("name")`: takes the values, returns the value (a tuple for a struct).
* `typed("name")`: takes the call's `Op` and returns a pure function.
* `lanes("name")`: takes (engine, lanes, *values), reads geometry only.
* `stateful("name")`: takes a `Call` and returns (value, taint), or None where there is no value.

* `emitted("name")`: takes the `Writer` and the `Op`, and writes lines as the emitter of an opcode does.
* `expanded("name")`: takes the call and returns a `Function` that is inlined in its place, see `expanding.py`.

An operation that several vendors have is an `Effect`; `declare_effect("name", of=...)` gives it a name.
Intrinsics without a handler: `declare_wait`, `declare_fence`, `declare_exit` and `declare_ignored`.

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
    "all_intrinsics",
    "declare_effect",
    "declare_exit",
    "declare_fence",
    "declare_ignored",
    "declare_lazily",
    "declare_wait",
    "emitted",
    "expanded",
    "find_intrinsic",
    "find_special_register",
    "lanes",
    "load_declarations",
    "pure",
    "stateful",
    "typed",
]

SUFFIX = re.compile(r"([ius]\d+|f\d+|[usfi]|bf16|p\d+|v\d+\w+|f\d+x\d+|a\d+\w+)$")
# Prefixes of library functions that are declared as intrinsics although they have a body.
PREFIXES = ("std_sys__amdgpu_hostcall",)
# How LLVM's own instructions access memory.
OPCODES = {
    "load": (MemoryAccess(0, "load"),),
    "store": (MemoryAccess(1, "store"),),
    "atomicrmw": (MemoryAccess(0, "atomic"),),
    "cmpxchg": (MemoryAccess(0, "atomic"),),
}

Kind: TypeAlias = Literal[
    "pure", "typed", "lanes", "stateful", "emitted", "expanded", "wait", "fence", "exit", "ignored"
]
Handler = TypeVar("Handler", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Intrinsic:
    """A declared intrinsic: how it is called, and what a call does besides giving a value.

    Attributes:
        kind: How it was declared; this decides how its handler is called.
        handler: The function or `Effect` that computes it; None if there is nothing to compute.
        exact: False if its result only approximates the hardware's.
        waits: What lanes wait for before it runs.
        arrives: The barrier that lanes arrive at without waiting.
        orders: The fence that it is.
        accesses: The memory that it accesses.
        exchanges: Whether values pass between the lanes of a warp.
        copies: Whether it starts an asynchronous copy.
        varies: Whether it gives another value each time, as a clock does.
        proxy: Whether it accesses memory through the asynchronous proxy.
        compiled: Its form in the compiled engine: an LLVM intrinsic that gives the same bits, or a word that
            `harness.simt.native` declares by `forms`. Empty if it has none; launches that call it are interpreted.
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
    compiled: str = ""


class Effect:
    """A handler of a `stateful` intrinsic that also describes what its calls do, so that the compiled engine can read
    it.

    Attributes:
        accesses, exchanges, copies, proxy: See `Intrinsic`.
    """

    accesses: tuple[MemoryAccess, ...] = ()
    exchanges = False
    copies = False
    proxy = False

    @property
    def waits(self) -> Wait | None:
        """Return what lanes wait for before a call runs; None if they do not wait."""
        return None

    def __call__(self, call: Any) -> Any:
        """Run one call in the interpreter, as a handler that `stateful` declares does."""
        raise NotImplementedError


SREG = "llvm.nvvm.read.ptx.sreg."  # the prefix of intrinsics that read special registers
TABLE: dict[str, Intrinsic] = {}
_LAZY_MODULES: dict[str, tuple[str, ...]] = {}


def _declare(kind: Kind, names: tuple[str, ...], handler: Callable[..., Any] | None = None, **facts: Any) -> None:
    """Add intrinsics to the table; raises ValueError if one of the names is already declared."""
    for name in names:
        if name in TABLE:
            raise ValueError(f"intrinsic {name} is already declared")
        TABLE[name] = Intrinsic(name, kind, handler, **facts)


def _make_decorator(kind: Kind, names: tuple[str, ...], **facts: Any) -> Callable[[Handler], Handler]:
    """Return a decorator that declares its function as the handler of intrinsics of a kind, and returns it.

    `facts` are attributes of `Intrinsic`. It raises ValueError if a name is already declared.
    """

    def declare(handler: Handler) -> Handler:
        _declare(kind, names, handler, **facts)
        return handler

    return declare


def pure(*names: str, exact: bool = True, compiled: str = "") -> Callable[[Handler], Handler]:
    """Declare, as a decorator, a handler that takes the arguments' arrays and returns the result; it has
    no side effects.
    """
    return _make_decorator("pure", names, exact=exact, compiled=compiled)


def typed(*names: str, exact: bool = True, compiled: str = "") -> Callable[[Handler], Handler]:
    """Declare, as a decorator, a handler that takes the call's `Op` and returns a pure function of the
    arguments' arrays.
    """
    return _make_decorator("typed", names, exact=exact, compiled=compiled)


def lanes(*names: str, varies: bool = False, compiled: str = "") -> Callable[[Handler], Handler]:
    """Declare, as a decorator, a handler that takes (engine, lanes, *values) and only reads where lanes
    are in the grid.
    """
    return _make_decorator("lanes", names, varies=varies, compiled=compiled)


def stateful(*names: str, **facts: Any) -> Callable[[Handler], Handler]:
    """Declare, as a decorator, a handler that takes a `Call` and may access memory, other lanes or the schedule.

    `facts` are attributes of `Intrinsic`.
    """
    return _make_decorator("stateful", names, **facts)


def declare_effect(*names: str, of: Effect, exact: bool = True, compiled: str = "") -> None:
    """Declare intrinsics that the effect `of` handles, as stateful; their facts are the effect's attributes.

    For `exact` and `compiled` see `Intrinsic`. Raises ValueError if a name is already declared.
    """
    facts = {name: getattr(of, name) for name in ("waits", "accesses", "exchanges", "copies", "proxy")}
    _declare("stateful", names, of, exact=exact, compiled=compiled, **facts)


def emitted(*names: str, compiled: str = "") -> Callable[[Handler], Handler]:
    """Declare, as a decorator, a handler that takes the `Writer` and the `Op` and writes code, as an emitter of an
    opcode does.
    """
    return _make_decorator("emitted", names, compiled=compiled)


def expanded(*names: str, exact: bool = True) -> Callable[[Handler], Handler]:
    """Declare, as a decorator, a handler that takes a call and returns the `Function` to inline in its place."""
    return _make_decorator("expanded", names, exact=exact)


def declare_wait(*names: str, at: Wait) -> None:
    """Declare intrinsics that only make lanes wait."""
    _declare("wait", names, waits=at)


def declare_fence(*names: str, scope: str, ordering: str = "seq_cst", spaces: Spaces = BOTH) -> None:
    """Declare intrinsics that are fences of a scope and an ordering, over all address spaces or some."""
    _declare("fence", names, orders=Fence(ordering, scope, spaces))


def declare_exit(*names: str) -> None:
    """Declare intrinsics that end the lanes that call them."""
    _declare("exit", names)


def declare_ignored(*names: str) -> None:
    """Declare intrinsics that have no effect in a simulation."""
    _declare("ignored", names)


def declare_lazily(prefix: str, *modules: str) -> None:
    """Name the modules that declare all intrinsics with a prefix; they are imported when one of these is
    first looked up.
    """
    _LAZY_MODULES[prefix] = modules


def all_intrinsics() -> dict[str, Intrinsic]:
    """Import all modules with declarations, and return the whole table itself, by name; not to be changed."""
    for prefix in tuple(_LAZY_MODULES):
        load_declarations(prefix)
    return TABLE


def load_declarations(name: str) -> None:
    """Import the modules of each prefix given to `declare_lazily` that `name` begins with, unless done before."""
    for prefix in filter(name.startswith, tuple(_LAZY_MODULES)):
        for module in _LAZY_MODULES.pop(prefix, ()):  # a module may look others up while it is imported
            import_module(module)


@cache
def find_intrinsic(name: str) -> Intrinsic | None:
    """Return the intrinsic that a callee such as `@llvm.fma.f32` names, ignoring type suffixes; None if it is not
    declared.

    Library functions whose name begins with one of `PREFIXES` count, too. Modules that declare its prefix are imported.
    Results are cached, None too: a later declaration is not seen.
    """
    name = name.removeprefix("@").strip('"')
    if name.startswith("llvm.air."):
        name = name.removeprefix("llvm.")
    load_declarations(name)
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


def find_special_register(register: str) -> str | None:
    """Return the name of the intrinsic that reads a special register such as `%tid.x`; None if none is declared yet.

    No modules are imported. `WARP_SZ` always has a name, declared or not.
    """
    if register == "WARP_SZ":
        return f"{SREG}warpsize"
    word = register.removeprefix("%")
    spelled = (SREG + word.replace("_", ".", 1), SREG + word, f"asm:{register}")
    return next((name for name in spelled if name in TABLE), None)
