"""The assembly of NVIDIA's loads, stores and atomics, and of addresses.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions
"""

from typing import Any

from harness.simt.compile.lowering import Lowering, NotKnown, declares
from harness.simt.ir.module import Const, Operand
from harness.simt.ir.ptx_types import FLOATS, TYPES, register_bits
from harness.simt.ir.types import Int, Pointer, Struct, Type, Vector, size_of

__all__ = ["SCOPES", "SHARED", "SPACES"]

SHARED = ("shared", "shared::cta", "shared::cluster")
SPACES = (*SHARED, "global", "local", "const", "param", "param::entry")
SCOPES = {"cta": "block", "cluster": "cluster", "gpu": "device", "sys": ""}
# What only says how a cache is used.
HINTS = (
    *("ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "L1::evict_normal", "L1::evict_unchanged", "L1::evict_first"),
    *("L1::evict_last", "L1::no_allocate", "L2::64B", "L2::128B", "L2::256B", "L2::evict_last", "L2::evict_first"),
    *("L2::evict_normal", "unified"),
)
ORDERS = {"acquire": "acquire", "release": "release", "acq_rel": "acq_rel", "relaxed": "monotonic", "sc": "seq_cst"}


def _hints(low: Lowering) -> bool:
    """Takes the hints to caches; whether the last operand is one, too."""
    while low.one_of(*HINTS):
        pass
    return low.has("L2::cache_hint")


def _order(low: Lowering) -> dict[str, Any]:
    """What the modifiers say of ordering, as LLVM has it; nothing for an access that is no atomic one."""
    attrs: dict[str, Any] = {}
    flags: tuple[str, ...] = ()
    if low.has("volatile", "mmio"):
        flags = ("volatile",)
    word = low.one_of("weak", *ORDERS)
    scope = low.one_of(*SCOPES)
    if word in ORDERS:
        attrs = {"ordering": ORDERS[word], "failure_ordering": "monotonic", "scope": SCOPES[scope or "gpu"]}
        flags = (*flags, "atomic")
    return {"flags": flags, **attrs}


def _access(low: Lowering) -> tuple[Type, dict[str, Any], bool]:
    """The type of a load or store, how it is ordered, and whether it is in shared memory."""
    _hints(low)
    attrs, shared = _order(low), low.one_of(*SPACES) in SHARED
    count = {"v2": 2, "v4": 4, "v8": 8, None: 1}[low.one_of("v2", "v4", "v8")]
    ty = TYPES[low.kind(*TYPES)]
    whole: Type = Vector(count, ty) if count > 1 else ty
    return whole, {**attrs, "align": size_of(ty) * count}, shared


@declares("ld", "ldu")
def load(low: Lowering) -> None:
    """Into a register, whose upper bits are 0 or those of the sign."""
    sign = next((word for word in low.words if word in ("s8", "s16", "s32")), None)
    whole, attrs, shared = _access(low)
    if len(low.operands) not in (2, 3):
        raise NotKnown
    loaded: Operand = low.op("load", whole, low.pointer(1, shared), **attrs)
    targets = low.parts(0)
    if not isinstance(whole, Vector):
        pieces = [loaded]
    else:
        pieces = [
            low.op("extractelement", whole.element, loaded, Const(Int(32), place)) for place in range(whole.length)
        ]
    if len(pieces) != len(targets):
        raise NotKnown
    for part, piece in zip(targets, pieces, strict=True):
        wide = low.width(part)
        if sign and wide > register_bits(piece.type):
            piece = low.op("sext", Int(wide), piece)
        low.write(part, piece)


@declares("st")
def store(low: Lowering) -> None:
    """From registers."""
    whole, attrs, shared = _access(low)
    if len(low.operands) not in (2, 3):
        raise NotKnown
    parts = low.parts(1)
    if not isinstance(whole, Vector):
        value = low.read(1, whole)
    elif whole.length != len(parts):
        raise NotKnown
    else:
        value = low.joined([low.read(part, whole.element) for part in parts], whole)
    low.do("store", value, low.pointer(0, shared), **attrs)


OPERATIONS = {"add": "add", "and": "and", "or": "or", "xor": "xor", "exch": "xchg", "inc": "uinc_wrap"}
OPERATIONS |= {"dec": "udec_wrap", "min": "min", "max": "max", "cas": "cas"}


@declares("atom", "red")
def atomic(low: Lowering) -> None:
    """Reads, computes and writes at once; `red` gives nothing."""
    hinted = _hints(low)
    low.has("async")
    attrs = _order(low)
    attrs.pop("flags")
    attrs.setdefault("ordering", "monotonic")
    attrs.setdefault("failure_ordering", "monotonic")
    attrs.setdefault("scope", SCOPES["gpu"])
    shared = low.one_of(*SPACES) in SHARED
    name = low.need(*OPERATIONS)
    low.has("noftz")
    kind = low.kind(*TYPES)
    ty, first = TYPES[kind], 0 if low.name == "red" else 1
    low.only(first + 2 + (name == "cas") + hinted)
    pointer = low.pointer(first, shared)
    attrs["align"] = size_of(ty)
    if name == "cas":
        pair = Struct((ty, Int(1)))
        both = low.op("cmpxchg", pair, pointer, low.read(first + 1, ty), low.read(first + 2, ty), **attrs)
        low.write(0, low.element(both, 0))
        return
    operation = OPERATIONS[name]
    if kind in FLOATS and name in ("add", "min", "max"):
        operation = f"f{operation}"
    elif name in ("min", "max") and not kind.startswith("s"):
        operation = f"u{operation}"
    old = low.op("atomicrmw", ty, pointer, low.read(first + 1, ty), operation=operation, **attrs)
    if low.name == "atom":
        low.write(0, old)


@declares("cvta")
def convert_address(low: Lowering) -> None:
    """Between addresses of a space and generic ones; those of global memory are the same."""
    to = low.has("to")
    space = low.need(*SPACES)
    kind = low.kind("u32", "u64", "s64")
    low.only(2)
    if space not in SHARED:
        low.write(0, low.read(1, kind))
    elif to:
        low.write(0, low.cast(low.op("addrspacecast", Pointer(3), low.generic(1)), TYPES[kind]))
    else:
        low.write(0, low.cast(low.op("addrspacecast", Pointer(), low.place(1, shared=True)), Int(64)))


@declares("isspacep")
def is_in_space(low: Lowering) -> None:
    """Whether a generic address is one of a space."""
    space = low.need(*SPACES)
    low.only(2)
    word = "shared" if space in SHARED else space
    low.write(0, low.value(f"llvm.nvvm.isspacep.{word}", Int(1), low.generic(1)))


@declares("createpolicy")
def policy(low: Lowering) -> None:
    """How a cache is to be used: nothing here."""
    low.words.clear()
    low.write(0, Const(Int(64), 0))
