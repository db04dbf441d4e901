"""Where intrinsics are declared: once each, and loudly.

A handler is declared with one of four decorators, by what it needs:

* `pure("name")`: takes the values, returns the value (a tuple for a struct).
* `typed("name")`: takes the call's `Op` and returns a pure function.
* `lanes("name")`: takes (engine, lanes, *values), reads geometry only.
* `stateful("name")`: takes (engine, lanes, site, values, taints) and returns
  (value, taint); `gate` says who must arrive before it runs, `mask` which
  operand names the lanes.

Names may leave out type suffixes: `llvm.fma` also stands for `llvm.fma.f32`.
"""

import re
from dataclasses import dataclass
from functools import cache

__all__ = ["Intrinsic", "find", "ignored", "lanes", "pure", "stateful", "typed"]

SUFFIX = re.compile(r"([ius]\d+|f\d+|[usfi]|bf16|p\d+|v\d+\w+|f\d+x\d+|a\d+\w+)$")
TABLE = {}
# Library functions with a body that are modelled as a whole, by their beginning.
PREFIXES = ("std_sys__amdgpu_hostcall",)


@dataclass(frozen=True, slots=True)
class Intrinsic:
    """A handler and how to call it.

    Attributes:
        gate: `block`, `warp` or `cluster` where lanes must wait, or None.
        mask: The operand that holds the member mask, or None for all.
        exact: False if its result only approximates the hardware's.
    """

    name: str
    kind: str
    handler: object
    gate: str | None = None
    mask: int | None = None
    exact: bool = True


def _register(kind, names, **options):
    def declare(handler):
        for name in names:
            if name in TABLE:
                owner = TABLE[name].handler
                msg = f"intrinsic {name} is already declared in {owner.__module__}"
                raise ValueError(msg)
            TABLE[name] = Intrinsic(name, kind, handler, **options)
        return handler

    return declare


def pure(*names, exact=True):
    """Declares a function of the values alone."""
    return _register("pure", names, exact=exact)


def typed(*names, exact=True):
    """Declares a factory that is given the call and returns a pure function."""
    return _register("typed", names, exact=exact)


def lanes(*names):
    """Declares a reader of the geometry."""
    return _register("lanes", names)


def stateful(*names, gate=None, mask=None, exact=True):
    """Declares what touches memory, other lanes or the schedule."""
    return _register("stateful", names, gate=gate, mask=mask, exact=exact)


def ignored(*names):
    """Declares what has no effect on the simulation."""
    for name in names:
        _register("ignored", (name,))(_nothing)


def _nothing(*_):
    return None


@cache
def find(name: str) -> Intrinsic | None:
    """The handler of a callee named `@llvm.fma.f32`, or None."""
    name = name.removeprefix("@").strip('"')
    for prefix in PREFIXES:
        if name.startswith(prefix):
            return TABLE[prefix]
    if name.startswith("llvm.air."):
        name = name.removeprefix("llvm.")
    while name:
        found = TABLE.get(name)
        if found is not None:
            return found
        head, _, tail = name.rpartition(".")
        if not SUFFIX.fullmatch(tail):
            return None
        name = head
    return None
