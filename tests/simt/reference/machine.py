"""The machine: lanes with a program counter each, which run until they end or wait."""

import struct
from dataclasses import dataclass, field

from harness.simt.ir import module
from harness.simt.ir.types import Array, Float, Int, Pointer, Struct, Vector, field_offset, size_of
from tests.simt.reference.arithmetic import UPDATE, compute, intrinsic, signed
from tests.simt.reference.memory import FORMAT, Address, Memory, NotModelledError, replaced
from tests.simt.reference.warp import exchange

__all__ = ["Reference", "StuckError"]

WARP = 32
STEP_LIMIT = 2_000_000


class StuckError(Exception):
    """All lanes wait for one another."""


@dataclass
class Frame:
    """One call: where it is, and its values by name."""

    function: module.Function
    values: dict
    label: str
    before: str | None = None
    index: int = 0
    result: str | None = None


@dataclass
class Lane:
    """One thread.

    Attributes:
        waits: (kind, instruction, arguments) while it waits, else None.
        copies: Those that it has yet to wait for: (group, target, source, bytes, bytes that are read).
        groups: How many groups of copies it has closed.
    """

    thread: int
    block: int
    frames: list = field(default_factory=list)
    waits: tuple | None = None
    ended: bool = False
    copies: list = field(default_factory=list)
    groups: int = 0


class Reference(Memory):
    """Runs a kernel of a decoded module on a grid of one dimension."""

    def __init__(self, module, kernel, grid, block):
        super().__init__()
        self.module, self.grid, self.block = module, grid, block
        self.kernel = module.function(f"@{kernel}")
        self.steps = 0
        self._blocks = {}
        self.shared, self.phases = {}, {}

    def run(self, args):
        """Runs all blocks, one after another.

        Args:
            args: A `bytearray` or an `Address` for a pointer, an int or a float for a scalar, a tuple for a struct.
        """
        for number in range(self.grid):
            self.shared, self.phases = {}, {}
            lanes = [Lane(t, number) for t in range(self.block)]
            for lane in lanes:
                values = {
                    param.name: self._argument(param, arg) for param, arg in zip(self.kernel.params, args, strict=True)
                }
                lane.frames.append(self._frame(self.kernel, values))
            self._run_block(lanes)

    def _argument(self, param, given):
        """A struct is each lane's own."""
        if param.copied:
            place = Address(bytearray(b"\xa5" * size_of(param.indirect)), 0)
            self.write(place, param.indirect, given)
            return place
        return Address(given, 0) if isinstance(given, bytearray) else given

    def _frame(self, function, values, result=None):
        return Frame(function, values, function.blocks[0].label, result=result)

    def _run_block(self, lanes):
        while True:
            for lane in lanes:
                while not lane.ended and lane.waits is None:
                    self._step(lane)
            if all(lane.ended for lane in lanes):
                return
            if not self._release(lanes):
                waiting = sum(not lane.ended for lane in lanes)
                raise StuckError(f"{waiting} lanes wait in block {lanes[0].block}")

    def _release(self, lanes):
        """Lets groups that are complete go on; says whether there were any."""
        live = [lane for lane in lanes if not lane.ended]
        if all(lane.waits[0] == "block" for lane in live):
            for lane in live:
                lane.waits = None
            return True
        complete = False
        for first in range(0, len(lanes), WARP):
            warp = lanes[first : first + WARP]
            for lane in warp:
                if lane.ended or lane.waits is None or lane.waits[0] != "warp":
                    continue
                mask, where = lane.waits[2][0], lane.waits[1]
                members = {number: lane for number, lane in enumerate(warp) if mask >> number & 1 and not lane.ended}
                if all(
                    member.waits is not None and member.waits[1] is where and member.waits[2][0] == mask
                    for member in members.values()
                ):
                    exchange(members)
                    complete = True
        for lane in live:
            if lane.waits is not None and lane.waits[0] == "phase":  # it looks again
                lane.waits, complete = None, True
        return complete

    # Values.

    def _value(self, lane, operand):
        match operand:
            case module.Local(name):
                return lane.frames[-1].values[name]
            case module.Const(Int(bits), value):
                return value & (1 << bits) - 1
            case module.Const(Float(name), value):
                form = FORMAT[name]
                size = struct.calcsize(form)
                raw = (value & (1 << 8 * size) - 1).to_bytes(size, "little")
                return struct.unpack(form, raw)[0]
            case module.Zero(Float()):
                return 0.0
            case module.Zero(Int()):
                return 0
            case module.Zero(Vector(length, element)):
                return (self._value(lane, module.Zero(element)),) * length
            case module.Aggregate(_, elements):
                return tuple(self._value(lane, element) for element in elements)
            case module.Zero(Struct(fields)):
                return tuple(self._value(lane, module.Zero(ty)) for ty in fields)
            case module.Zero(Array(length, element)):
                return (self._value(lane, module.Zero(element)),) * length
            case module.GlobalRef(name) if self.module.defines(name):
                return name
            case module.GlobalRef(name):
                return self._global(lane, self.module.globals[name])
            case module.Undef(Int() | Float()):
                return self._value(lane, module.Zero(operand.type))
            case module.Undef(Struct(fields)):
                return tuple(self._value(lane, module.Undef(ty)) for ty in fields)
            case module.Undef(Array(length, element) | Vector(length, element)):
                return (self._value(lane, module.Undef(element)),) * length
            case module.Expr(_, "getelementptr"):
                return self._op_getelementptr(lane, operand)
        raise NotModelledError(f"operand {operand}")

    def _global(self, lane, variable):
        if variable.name not in self.shared:
            place = self.shared[variable.name] = bytearray(b"\xa5" * size_of(variable.type))
            if isinstance(variable.initializer, module.Aggregate):
                self.write(Address(place, 0), variable.type, self._value(lane, variable.initializer))
        return Address(self.shared[variable.name], 0)

    def _block_of(self, function, label):
        key = function.name, label
        if key not in self._blocks:
            for block in function.blocks:
                self._blocks[function.name, block.label] = block
        return self._blocks[key]

    # Control flow.

    def _step(self, lane):
        self.steps += 1
        if self.steps > STEP_LIMIT:
            raise StuckError("too many steps")
        frame = lane.frames[-1]
        block = self._block_of(frame.function, frame.label)
        op = block.instructions[frame.index]
        if op.opcode == "phi":
            self._phis(lane, frame, block)
            return
        frame.index += 1
        handler = getattr(self, f"_op_{op.opcode}", None)
        if handler is not None:
            result = handler(lane, op)
        else:
            result = compute(op, [self._value(lane, operand) for operand in op.operands])
        if op.name is not None and result is not None:
            frame.values[op.name] = result

    def _phis(self, lane, frame, block):
        """All phis of a block read before any is written."""
        values = {}
        for op in block.instructions:
            if op.opcode != "phi":
                break
            place = op.attrs["labels"].index(frame.before)
            values[op.name] = self._value(lane, op.operands[place])
            frame.index += 1
        frame.values.update(values)

    def _go(self, lane, label):
        frame = lane.frames[-1]
        frame.before, frame.label, frame.index = frame.label, label, 0

    def _op_br(self, lane, op):
        labels = op.attrs["labels"]
        if op.operands:
            taken = self._value(lane, op.operands[0])
            self._go(lane, labels[0] if taken else labels[1])
        else:
            self._go(lane, labels[0])

    def _op_switch(self, lane, op):
        bits = op.operands[0].type.bits
        value = self._value(lane, op.operands[0])
        cases = [case & (1 << bits) - 1 for case in op.attrs["cases"]]
        which = cases.index(value) + 1 if value in cases else 0
        self._go(lane, op.attrs["labels"][which])

    def _op_ret(self, lane, op):
        value = self._value(lane, op.operands[0]) if op.operands else None
        done = lane.frames.pop()
        if not lane.frames:
            lane.ended = True
        elif done.result is not None:
            lane.frames[-1].values[done.result] = value

    # Memory.

    def _op_alloca(self, lane, op):
        return Address(bytearray(b"\xa5" * size_of(op.attrs["source_type"])), 0)

    def _op_getelementptr(self, lane, op):
        pointer, *indices = (
            (operand, self._value(lane, operand))
            if isinstance(operand.type, Pointer)
            else (operand, signed(self._value(lane, operand), operand.type.bits))
            for operand in op.operands
        )
        at, ty = pointer[1].offset, op.attrs["source_type"]
        for number, (_, index) in enumerate(indices):
            if number == 0:
                at += index * size_of(ty)
            elif isinstance(ty, Struct):
                at += field_offset(ty, index)
                ty = ty.fields[index]
            elif isinstance(ty, Array):
                ty = ty.element
                at += index * size_of(ty)
        return Address(pointer[1].buffer, at)

    def _op_addrspacecast(self, lane, op):
        return self._value(lane, op.operands[0])

    def _op_load(self, lane, op):
        return self.read(self._value(lane, op.operands[0]), op.type)

    def _op_store(self, lane, op):
        value, pointer = op.operands
        self.write(self._value(lane, pointer), value.type, self._value(lane, value))

    def _op_atomicrmw(self, lane, op):
        pointer, operand = op.operands
        address, bits = self._value(lane, pointer), op.type.bits
        old = self.read(address, op.type)
        update = UPDATE[op.attrs["operation"]]
        new = update(old, self._value(lane, operand), bits) & (1 << bits) - 1
        self.write(address, op.type, new)
        return old

    def _op_cmpxchg(self, lane, op):
        pointer, expected, new = (self._value(lane, operand) for operand in op.operands)
        ty = op.operands[1].type
        old = self.read(pointer, ty)
        if old == expected:
            self.write(pointer, ty, new)
        return old, int(old == expected)

    # Calls.

    def _op_call(self, lane, op):
        callee = op.attrs["callee"]
        name = self._value(lane, callee) if isinstance(callee, module.Local) else callee.name
        values = [self._value(lane, operand) for operand in op.operands]
        if self.module.defines(name):
            function = self.module.function(name)
            values = [self._own(value, param) for value, param in zip(values, function.params, strict=True)]
            named = dict(zip((p.name for p in function.params), values, strict=True))
            lane.frames.append(self._frame(function, named, op.name))
            return None
        name = name[1:]
        if name.startswith("llvm.nvvm.read.ptx.sreg."):
            return self._special(lane, name.rpartition("sreg.")[2])
        if name.startswith("llvm.nvvm.barrier"):
            lane.waits = ("block", op, ())
            return None
        if name.startswith("llvm.nvvm.redux"):
            values.reverse()  # its mask comes last
        if name.startswith(
            ("llvm.nvvm.shfl", "llvm.nvvm.vote", "llvm.nvvm.bar.warp", "llvm.nvvm.redux", "llvm.nvvm.match")
        ):
            lane.waits = ("warp", op, tuple(values))
            return None
        if name.startswith("llvm.nvvm.cp.async."):
            self._copy(lane, name.removeprefix("llvm.nvvm.cp.async."), values)
            return None
        if name.startswith("llvm.nvvm.mbarrier."):
            return self._phase(lane, op, name.removeprefix("llvm.nvvm.mbarrier."), values)
        if name.startswith(("llvm.memcpy", "llvm.memmove")):
            target, source, size, _ = values
            self.put(target, bytes(source.buffer[source.offset : source.offset + size]))
            return None
        if name.startswith("llvm.memset"):
            target, octet, size, _ = values
            self.put(target, bytes([octet]) * size)
            return None
        return intrinsic(name, op, values)

    def _phase(self, lane, op, name, values):
        """A barrier in memory is its number of members, the arrivals so far and its phase, which is a token too."""
        place = values[0].buffer, values[0].offset
        if name.startswith("init"):
            self.phases[id(place[0]), place[1]] = [values[1], 0, 0]
            return None
        bar = self.phases[id(place[0]), place[1]]
        if name.startswith("test.wait"):
            if bar[2] != values[1]:
                return 1
            lane.waits = ("phase", op, ())
            return 0
        token = bar[2]
        bar[1] += 1
        if bar[1] == bar[0]:
            bar[1:] = [0, token + 1]
        return token

    def _own(self, value, param):
        """An argument: of a struct that is passed by value the callee's copy."""
        if not param.copied:
            return value
        return Address(bytearray(value.buffer[value.offset : value.offset + size_of(param.indirect)]), 0)

    def _op_extractvalue(self, lane, op):
        value = self._value(lane, op.operands[0])
        for index in op.attrs["indices"]:
            value = value[index]
        return value

    def _op_insertvalue(self, lane, op):
        whole, value = (self._value(lane, operand) for operand in op.operands)
        return replaced(whole, op.attrs["indices"], value)

    def _copy(self, lane, name, values):
        """A copy is made when its lane waits for it: later than that is too late, and earlier need not be."""
        if name.startswith("ca"):
            size = int(name.split(".")[3])
            given = values[2] if name.endswith(".s") else size
            lane.copies.append((lane.groups, values[0], values[1], size, given))
        elif name == "commit.group":
            lane.groups += 1
        else:
            done = lane.groups - values[0] if values else lane.groups + 1
            for group, target, source, size, given in lane.copies:
                if group < done:
                    octets = bytes(source.buffer[source.offset : source.offset + given])
                    target.buffer[target.offset : target.offset + size] = octets.ljust(size, b"\0")
            lane.copies = [copy for copy in lane.copies if copy[0] >= done]

    def _op_extractelement(self, lane, op):
        vector, index = (self._value(lane, operand) for operand in op.operands)
        return vector[index]

    def _op_insertelement(self, lane, op):
        vector, value, index = (self._value(lane, operand) for operand in op.operands)
        return (*vector[:index], value, *vector[index + 1 :])

    def _op_shufflevector(self, lane, op):
        left, right, order = (self._value(lane, operand) for operand in op.operands)
        return tuple((left + right)[number] for number in order)

    def _special(self, lane, name):
        return {
            "tid.x": lane.thread,
            "ntid.x": self.block,
            "ctaid.x": lane.block,
            "nctaid.x": self.grid,
            "laneid": lane.thread % WARP,
        }[name]
