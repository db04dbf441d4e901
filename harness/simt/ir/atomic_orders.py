"""Decide which ordering and scope an atomic instruction really has on NVIDIA's hardware.

LLVM's NVPTX backend up to 22 drops the ordering of many atomics: `atomicrmw add ... seq_cst` becomes a bare `atom.add`,
which PTX defines as relaxed at the scope of the device. `RULES` say what is left, by version, architecture and kind.
`tests/simt/known/atomic_ptx.json` records what each LLVM from 13 to 22 makes of all atomic instructions, and
`tests/simt/test_atomic_orders.py` compares the rules with it. An instruction that no rule names has the ordering that
is written. So do all of other backends: AMD's honours orderings, and MAX adds the fences that Mojo's IR needs.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-atom
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from harness.simt.ir.module import Instruction
from harness.simt.ir.opcodes import ORDERINGS, scope_of
from harness.simt.ir.producers import OLDEST, Producer

__all__ = ["LATEST", "Machine", "Orders", "left_of"]

STRONGER = ORDERINGS - {"unordered", "monotonic"}
ATOMICS = frozenset({"atomicrmw", "cmpxchg", "load", "store"})
LATEST = 22  # the last LLVM whose backend drops orderings


@dataclass(frozen=True, slots=True)
class Machine:
    """A version of LLVM, and the machine that it compiles for.

    Attributes:
        version: Of LLVM.
        sm: The architecture: 90 is `sm_90`.
        ptx: The version of PTX: 78 is 7.8.
    """

    version: int
    sm: int
    ptx: int


@dataclass(frozen=True, slots=True)
class Native:
    """Updates that PTX has an instruction for.

    Attributes:
        operations: Of `atomicrmw`.
        types: Of their values.
        since: The first machine that has them, by version of LLVM, architecture and version of PTX.
    """

    operations: frozenset[str]
    types: frozenset[str]
    since: Machine = Machine(0, 0, 0)

    def includes(self, operation: str, ty: str, machine: Machine) -> bool:
        """Return whether a machine has an instruction for an update."""
        since = self.since
        new = machine.version >= since.version and machine.sm >= since.sm and machine.ptx >= since.ptx
        return new and operation in self.operations and ty in self.types


@dataclass(frozen=True, slots=True)
class Rule:
    """Some instructions on some machines, and the orderings that the backend leaves of those written.

    Attributes:
        kinds: See `_kind`.
        versions: The first and the last version of LLVM.
        architectures: The first and the last.
        left: Orderings and what is left of them. All others that order something become `monotonic`.
    """

    kinds: frozenset[str]
    versions: tuple[int, int]
    architectures: tuple[int, int] = (0, 999)
    left: tuple[tuple[str, str], ...] = ()

    def covers(self, machine: Machine, kind: str) -> bool:
        """Return whether it says something of a kind of instruction on a machine."""
        (first, last), (least, most) = self.versions, self.architectures
        return kind in self.kinds and first <= machine.version <= last and least <= machine.sm <= most


INTEGER_OPERATIONS = frozenset({"xchg", "add", "sub", "max", "min", "umax", "umin", "and", "or", "xor"})
NATIVE = (
    Native(INTEGER_OPERATIONS, frozenset({"i32", "i64"})),
    Native(frozenset({"and", "or", "xor"}), frozenset({"i8", "i16"})),  # of the word around it
    Native(frozenset({"uinc_wrap", "udec_wrap"}), frozenset({"i32"})),
    Native(frozenset({"xchg"}), frozenset({"float", "double", "ptr"})),
    Native(frozenset({"fadd"}), frozenset({"float"})),
    Native(frozenset({"fadd"}), frozenset({"double"}), Machine(0, 60, 0)),
    Native(frozenset({"fadd"}), frozenset({"half"}), Machine(18, 70, 63)),
    Native(frozenset({"fadd"}), frozenset({"bfloat"}), Machine(18, 90, 78)),
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
# Those whose `atom` names no scope, which is that of the device.
UNSCOPED = (
    Rule(frozenset({"native"}), (OLDEST, LATEST)),
    Rule(UPDATES, (OLDEST, 21)),
    Rule(UPDATES, (LATEST, LATEST), (0, 59)),
)


class Orders:
    """Give the atomic instructions of a module the ordering and scope that they really have.

    Args:
        triple: The module's.
        producer: Which compiler made it.
        attributes: The texts of its groups of attributes, which name the architecture.
    """

    def __init__(self, triple: str, producer: Producer, attributes: Iterable[str]) -> None:
        self._machine: Machine | None = None
        nvidia = triple.startswith("nvptx")
        self._unknown = nvidia and not producer.name
        if nvidia and producer.name == "clang" and producer.version <= LATEST:
            self._machine = _machine(producer.version, " ".join(attributes))

    def apply(self, instruction: Instruction) -> Instruction:
        """Return an instruction with the ordering and scope that are left of those written.

        Its text says what is left. If nobody knows what compiles the module, it notes that the ordering is assumed.
        """
        attrs = instruction.attrs
        if instruction.opcode not in ATOMICS or "ordering" not in attrs:
            return instruction
        if self._unknown and attrs["ordering"] in STRONGER:
            return replace(instruction, attrs={**attrs, "assumed": True})
        if self._machine is None:
            return instruction
        value = instruction.operands[1].type if instruction.opcode == "cmpxchg" else instruction.type
        operation = attrs.get("operation", "")
        ordering, scope = left_of(
            self._machine, operation or instruction.opcode, str(value), attrs["ordering"], attrs.get("scope", "")
        )
        if ordering == attrs["ordering"]:
            text = instruction.text
        else:
            text = f"{instruction.text} ; {ordering} in the PTX of LLVM {self._machine.version}"
        return replace(instruction, attrs={**attrs, "ordering": ordering, "scope": scope}, text=text)


def left_of(machine: Machine, what: str, ty: str, ordering: str, scope: str) -> tuple[str, str]:
    """Return the ordering and the `syncscope` that an atomic instruction has in PTX, never more than is written.

    Args:
        what: The operation of an `atomicrmw`, or another opcode.
        ty: The type of the value in memory.
    """
    kind = _kind(machine, what, ty.partition(" addrspace")[0])
    if scope_of(scope) == "system" and any(rule.covers(machine, kind) for rule in UNSCOPED):
        scope = "device"
    rule = next((rule for rule in RULES if rule.covers(machine, kind)), None)
    if rule is None or ordering not in STRONGER:
        return ordering, scope
    return dict(rule.left).get(ordering, "monotonic"), scope


def _kind(machine: Machine, what: str, ty: str) -> str:
    """Return `native` or `emulated` for an update, `narrow cmpxchg` for less than 32 bits, else the opcode."""
    if what == "cmpxchg" and ty in ("i8", "i16"):
        return "narrow cmpxchg"
    if what in ("cmpxchg", "load", "store", "fence"):
        return what
    return "native" if any(one.includes(what, ty, machine) for one in NATIVE) else "emulated"


def _machine(version: int, attributes: str) -> Machine:
    """Return the machine that attributes of functions name, or else a recent one, whose atomics are ordered most."""
    architectures = map(int, re.findall(r'"target-cpu"="sm_(\d+)', attributes))
    features = map(int, re.findall(r"\+ptx(\d+)", attributes))
    return Machine(version, max(architectures, default=90), max(features, default=78))
