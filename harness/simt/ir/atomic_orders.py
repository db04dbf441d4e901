"""Weaken atomics to the ordering and scope that clang's NVPTX backend emits, by version; mark unknown compilers'.

LLVM's NVPTX backend up to 22 drops the ordering of many atomics: `atomicrmw add ... seq_cst` becomes a bare `atom.add`,
which PTX defines as relaxed at the scope of the device. `RULES` say what remains, by version, architecture and kind.
`tests/simt/known/atomic_ptx.json` records how each LLVM from 13 to 22 compiles all atomic instructions, and
`tests/simt/test_atomic_orders.py` compares the rules with it. An instruction that no rule names has the ordering that
is written. So have all of other backends: AMD's honours orderings, and MAX adds the fences that Mojo's IR needs.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from harness.simt.ir.module import Instruction
from harness.simt.ir.opcodes import ORDERINGS, scope_of
from harness.simt.ir.producers import OLDEST, Producer

__all__ = ["LATEST", "AtomicOrders", "CompilerTarget", "effective_order"]

STRONGER = ORDERINGS - {"unordered", "monotonic"}
ATOMICS = frozenset({"atomicrmw", "cmpxchg", "load", "store"})
LATEST = 22  # the last LLVM whose backend drops orderings


@dataclass(frozen=True, slots=True)
class CompilerTarget:
    """A version of LLVM, and the architecture that it compiles for.

    Attributes:
        version: Of LLVM.
        sm: The architecture: 90 is `sm_90`.
        ptx: The version of PTX: 78 is 7.8.
    """

    version: int
    sm: int
    ptx: int


@dataclass(frozen=True, slots=True)
class NativeUpdates:
    """Atomic updates that PTX has an instruction for.

    Attributes:
        operations: Of `atomicrmw`.
        types: Of their values.
        since: The first target that has them, by version of LLVM, architecture and version of PTX.
    """

    operations: frozenset[str]
    types: frozenset[str]
    since: CompilerTarget = CompilerTarget(0, 0, 0)

    def includes(self, operation: str, ty: str, target: CompilerTarget) -> bool:
        """Return whether these updates include an operation on a type (`i32`), on a target not older than `since`."""
        since = self.since
        is_new_enough = target.version >= since.version and target.sm >= since.sm and target.ptx >= since.ptx
        return is_new_enough and operation in self.operations and ty in self.types


@dataclass(frozen=True, slots=True)
class Rule:
    """Some instructions on some targets, and the orderings that the backend keeps.

    Attributes:
        kinds: See `_kind`.
        versions: The first and the last version of LLVM.
        architectures: The first and the last.
        weakened: (ordering, what it becomes). All others that order something become `monotonic`.
    """

    kinds: frozenset[str]
    versions: tuple[int, int]
    architectures: tuple[int, int] = (0, 999)
    weakened: tuple[tuple[str, str], ...] = ()

    def covers(self, target: CompilerTarget, kind: str) -> bool:
        """Return whether a kind, and the version of LLVM and the architecture of a target, are among the rule's."""
        (first, last), (first_sm, last_sm) = self.versions, self.architectures
        return kind in self.kinds and first <= target.version <= last and first_sm <= target.sm <= last_sm


INTEGER_OPERATIONS = frozenset({"xchg", "add", "sub", "max", "min", "umax", "umin", "and", "or", "xor"})
NATIVE = (
    NativeUpdates(INTEGER_OPERATIONS, frozenset({"i32", "i64"})),
    NativeUpdates(frozenset({"and", "or", "xor"}), frozenset({"i8", "i16"})),  # of the word around it
    NativeUpdates(frozenset({"uinc_wrap", "udec_wrap"}), frozenset({"i32"})),
    NativeUpdates(frozenset({"xchg"}), frozenset({"float", "double", "ptr"})),
    NativeUpdates(frozenset({"fadd"}), frozenset({"float"})),
    NativeUpdates(frozenset({"fadd"}), frozenset({"double"}), CompilerTarget(0, 60, 0)),
    NativeUpdates(frozenset({"fadd"}), frozenset({"half"}), CompilerTarget(18, 70, 63)),
    NativeUpdates(frozenset({"fadd"}), frozenset({"bfloat"}), CompilerTarget(18, 90, 78)),
)
UPDATES = frozenset({"emulated", "cmpxchg", "narrow cmpxchg"})
RULES = (
    Rule(frozenset({"native"}), (OLDEST, LATEST)),
    Rule(UPDATES, (OLDEST, 20)),  # `atom.cas` without a fence
    # A fence before the `atom.cas`, and for what comes after it the acquire that architectures before 70 do not have.
    Rule(
        frozenset({"emulated", "cmpxchg"}),
        (21, LATEST),
        (0, 69),
        (("seq_cst", "release"),),
    ),
)
# Instructions whose `atom` names no scope: it has the scope of the device.
UNSCOPED = (
    Rule(frozenset({"native"}), (OLDEST, LATEST)),
    Rule(UPDATES, (OLDEST, 21)),
    Rule(UPDATES, (LATEST, LATEST), (0, 59)),
)


class AtomicOrders:
    """Set the ordering and scope that the atomic instructions of a module really have.

    Args:
        triple: The module's.
        producer: The compiler that made it.
        attributes: The texts of its groups of attributes, which name the architecture.
    """

    def __init__(self, triple: str, producer: Producer, attributes: Iterable[str]) -> None:
        self._target_of: CompilerTarget | None = None
        nvidia = triple.startswith("nvptx")
        self._unknown = nvidia and not producer.name
        if nvidia and producer.name == "clang" and producer.version <= LATEST:
            self._target_of = _target_of(producer.version, " ".join(attributes))

    def apply(self, instruction: Instruction) -> Instruction:
        """Return an atomic access with the ordering and scope that it really has; others, fences too, unchanged.

        In an NVIDIA module by a clang up to `LATEST`, the result is a copy with the ordering and scope that PTX has.
        A comment at the end of its text names an ordering that differs from the written ordering. In an NVIDIA module
        by an unknown compiler the ordering stays; if it is stronger than `monotonic`, the result is a copy with the
        attribute `assumed`. Instructions of all other modules, also those by newer clangs, are returned unchanged.
        """
        attrs = instruction.attrs
        if instruction.opcode not in ATOMICS or "ordering" not in attrs:
            return instruction
        if self._unknown and attrs["ordering"] in STRONGER:
            return replace(instruction, attrs={**attrs, "assumed": True})
        if self._target_of is None:
            return instruction
        value = instruction.operands[1].type if instruction.opcode == "cmpxchg" else instruction.type
        operation = attrs.get("operation", "")
        ordering, scope = effective_order(
            self._target_of, operation or instruction.opcode, str(value), attrs["ordering"], attrs.get("scope", "")
        )
        if ordering == attrs["ordering"]:
            text = instruction.text
        else:
            text = f"{instruction.text} ; {ordering} in the PTX of LLVM {self._target_of.version}"
        return replace(instruction, attrs={**attrs, "ordering": ordering, "scope": scope}, text=text)


def effective_order(target: CompilerTarget, operation: str, ty: str, ordering: str, scope: str) -> tuple[str, str]:
    """Return the ordering and the `syncscope` that an atomic instruction has in PTX, never stronger than written.

    An ordering up to `monotonic` stays, and so do the orderings of instructions that `RULES` do not cover. Any other
    becomes what the rule has in `weakened`, else `monotonic`. If `UNSCOPED` covers the instruction, a system scope (an
    empty `scope`, too) becomes `device`, whatever the ordering; other scopes stay.

    Args:
        operation: The operation of an `atomicrmw`, or another opcode.
        ty: The type of the value in memory, as LLVM prints it.
    """
    kind = _kind(target, operation, ty.partition(" addrspace")[0])
    if scope_of(scope) == "system" and any(rule.covers(target, kind) for rule in UNSCOPED):
        scope = "device"
    rule = next((rule for rule in RULES if rule.covers(target, kind)), None)
    if rule is None or ordering not in STRONGER:
        return ordering, scope
    return dict(rule.weakened).get(ordering, "monotonic"), scope


def _kind(target: CompilerTarget, operation: str, ty: str) -> str:
    """Return the kind of an atomic instruction: the opcode itself for `load`, `store`, `fence` and `cmpxchg`, but
    `narrow cmpxchg` for a `cmpxchg` of 8 or 16 bits; for an operation of `atomicrmw`, `native` if the target has an
    instruction for it, else `emulated`.
    """
    if operation == "cmpxchg" and ty in ("i8", "i16"):
        return "narrow cmpxchg"
    if operation in ("cmpxchg", "load", "store", "fence"):
        return operation
    return "native" if any(updates.includes(operation, ty, target) for updates in NATIVE) else "emulated"


def _target_of(version: int, attributes: str) -> CompilerTarget:
    """Return the target of a version of LLVM with the highest architecture and PTX in a text of attribute groups.

    An architecture that is not named is `sm_90`, a PTX 7.8: they are recent, where atomics are ordered most.
    """
    architectures = map(int, re.findall(r'"target-cpu"="sm_(\d+)', attributes))
    features = map(int, re.findall(r"\+ptx(\d+)", attributes))
    return CompilerTarget(version, max(architectures, default=90), max(features, default=78))
