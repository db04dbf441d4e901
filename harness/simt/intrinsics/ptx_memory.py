"""Lower PTX loads, stores and atomics, and address conversions.

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
# Modifiers that are only cache hints.
HINTS = (
    *("ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "L1::evict_normal", "L1::evict_unchanged", "L1::evict_first"),
    *("L1::evict_last", "L1::no_allocate", "L2::64B", "L2::128B", "L2::256B", "L2::evict_last", "L2::evict_first"),
    *("L2::evict_normal", "unified"),
)
ORDERS = {"acquire": "acquire", "release": "release", "acq_rel": "acq_rel", "relaxed": "monotonic", "sc": "seq_cst"}


def _take_hints(low: Lowering) -> bool:
    """Take the cache hints, and return whether the last operand is a cache policy."""
    while low.take_one_of(*HINTS):
        pass
    return low.take("L2::cache_hint")


def _take_ordering(low: Lowering) -> dict[str, Any]:
    """Take the ordering modifiers, and return LLVM's attributes for them, without a scope that of the device.

    Keys: `flags`, a tuple with `volatile` and `atomic` as they apply; unless the access is `weak` or names no ordering,
    also `ordering`, `failure_ordering` (always `monotonic`) and `scope`.
    """
    attrs: dict[str, Any] = {}
    flags: tuple[str, ...] = ()
    if low.take("volatile", "mmio"):
        flags = ("volatile",)
    word = low.take_one_of("weak", *ORDERS)
    scope = low.take_one_of(*SCOPES)
    if word in ORDERS:
        attrs = {"ordering": ORDERS[word], "failure_ordering": "monotonic", "scope": SCOPES[scope or "gpu"]}
        flags = (*flags, "atomic")
    return {"flags": flags, **attrs}


def _take_access(low: Lowering) -> tuple[Type, dict[str, Any], bool]:
    """Take the modifiers of a load or store, and return (type, LLVM attributes, whether it is in shared memory).

    Cache hints are dropped. The alignment is the size of the whole access; `v2`, `v4` and `v8` give a vector.
    """
    _take_hints(low)
    attrs, shared = _take_ordering(low), low.take_one_of(*SPACES) in SHARED
    count = {"v2": 2, "v4": 4, "v8": 8, None: 1}[low.take_one_of("v2", "v4", "v8")]
    ty = TYPES[low.take_type(*TYPES)]
    accessed_type: Type = Vector(count, ty) if count > 1 else ty
    return accessed_type, {**attrs, "align": size_of(ty) * count}, shared


@declares("ld", "ldu")
def lower_load(low: Lowering) -> None:
    """Lower `ld`: load into registers; wider registers are sign- or zero-extended, as the type says.

    Raises `NotKnown` unless there is a register for each element.
    """
    sign = next((word for word in low.words if word in ("s8", "s16", "s32")), None)
    accessed_type, attrs, shared = _take_access(low)
    if len(low.operands) not in (2, 3):
        raise NotKnown
    loaded: Operand = low.op("load", accessed_type, low.pointer(1, shared), **attrs)
    targets = low.registers(0)
    if not isinstance(accessed_type, Vector):
        elements = [loaded]
    else:
        elements = [
            low.op("extractelement", accessed_type.element, loaded, Const(Int(32), place))
            for place in range(accessed_type.length)
        ]
    if len(elements) != len(targets):
        raise NotKnown
    for part, element in zip(targets, elements, strict=True):
        wide = low.width(part)
        if sign and wide > register_bits(element.type):
            element = low.op("sext", Int(wide), element)
        low.write(part, element)


@declares("st")
def lower_store(low: Lowering) -> None:
    """Lower `st`: store registers, from a group for a vector; `NotKnown` unless there is one for each element."""
    accessed_type, attrs, shared = _take_access(low)
    if len(low.operands) not in (2, 3):
        raise NotKnown
    sources = low.registers(1)
    if not isinstance(accessed_type, Vector):
        value = low.read(1, accessed_type)
    elif accessed_type.length != len(sources):
        raise NotKnown
    else:
        value = low.build_vector([low.read(part, accessed_type.element) for part in sources], accessed_type)
    low.do("store", value, low.pointer(0, shared), **attrs)


OPERATIONS = {"add": "add", "and": "and", "or": "or", "xor": "xor", "exch": "xchg", "inc": "uinc_wrap"}
OPERATIONS |= {"dec": "udec_wrap", "min": "min", "max": "max", "cas": "cas"}


@declares("atom", "red")
def lower_atomic(low: Lowering) -> None:
    """Lower `atom` and `red`; `red` discards the old value.

    Without modifiers it is relaxed at the scope of the device; cache hints are dropped.
    """
    hinted = _take_hints(low)
    low.take("async")
    attrs = _take_ordering(low)
    attrs.pop("flags")
    attrs.setdefault("ordering", "monotonic")
    attrs.setdefault("failure_ordering", "monotonic")
    attrs.setdefault("scope", SCOPES["gpu"])
    shared = low.take_one_of(*SPACES) in SHARED
    name = low.require(*OPERATIONS)
    low.take("noftz")
    kind = low.take_type(*TYPES)
    ty, first = TYPES[kind], 0 if low.name == "red" else 1
    low.expect_operands(first + 2 + (name == "cas") + hinted)
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
def lower_convert_address(low: Lowering) -> None:
    """Lower `cvta`, between generic addresses and those of a space; only shared addresses differ, others are copied."""
    to = low.take("to")
    space = low.require(*SPACES)
    kind = low.take_type("u32", "u64", "s64")
    low.expect_operands(2)
    if space not in SHARED:
        low.write(0, low.read(1, kind))
    elif to:
        low.write(0, low.cast(low.op("addrspacecast", Pointer(3), low.generic(1)), TYPES[kind]))
    else:
        low.write(0, low.cast(low.op("addrspacecast", Pointer(), low.register_pointer(1, shared=True)), Int(64)))


@declares("isspacep")
def lower_is_in_space(low: Lowering) -> None:
    """Lower `isspacep`: whether a generic address is in a space; all kinds of shared memory count as one."""
    space = low.require(*SPACES)
    low.expect_operands(2)
    word = "shared" if space in SHARED else space
    low.write(0, low.value(f"llvm.nvvm.isspacep.{word}", Int(1), low.generic(1)))


@declares("createpolicy")
def lower_create_cache_policy(low: Lowering) -> None:
    """Lower `createpolicy` to the constant 0, whatever its modifiers: caches are not simulated."""
    low.words.clear()
    low.write(0, Const(Int(64), 0))
