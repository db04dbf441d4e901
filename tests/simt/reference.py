"""A reference interpreter: one lane at a time, one instruction at a time.

It reads the decoded `ir` and shares nothing else with the simulator: integers
are Python's, masked to their width, a float is a Python float rounded through
`struct`, a pointer is a buffer and an offset. Each lane has a program counter
of its own and runs until it ends or waits. Slow, and meant to be read.
See: https://llvm.org/docs/LangRef.html and, for warps, the PTX manual.
"""

import math
import struct
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from harness.simt.ir import module
from harness.simt.ir.types import Array, Float, Int, Pointer, Struct, Vector, field_offset, size_of

__all__ = ["NotModelledError", "Reference", "StuckError"]

WARP = 32
STEP_LIMIT = 2_000_000


class NotModelledError(Exception):
    """Something this interpreter does not do, or that a kernel must not."""


class StuckError(Exception):
    """All lanes wait for one another."""


class Address(NamedTuple):
    """A pointer: a buffer (a bytearray or a memoryview) and an offset in bytes."""

    buffer: object
    offset: int


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


def signed(value, bits):
    """The signed reading of an unsigned integer."""
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def single(value):
    """A Python float rounded to float32."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


def half(value):
    """A Python float rounded to float16."""
    try:
        return struct.unpack("<e", struct.pack("<e", value))[0]
    except OverflowError:
        return math.copysign(math.inf, value)


ROUND = {"float": single, "half": half, "double": float}
FORMAT = {"float": "<f", "half": "<e", "double": "<d"}
# Bits of the fraction, and the exponent of the smallest subnormal.
PRECISION = {"float": (23, -149), "half": (10, -24), "double": (52, -1074)}


def rounded(exact, name):
    """A `Fraction` rounded once to a format, ties to even."""
    if exact == 0:
        return 0.0
    fraction_bits, least = PRECISION[name]
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    step = Fraction(2) ** max(exponent - fraction_bits, least)
    units = round(exact / step)
    try:
        return ROUND[name](float(units * step))
    except OverflowError:
        return math.copysign(math.inf, exact)


def _trunc_div(a, b):
    quotient = abs(a) // abs(b)
    return -quotient if (a < 0) != (b < 0) else quotient


INTEGER = {
    "add": lambda a, b, n: a + b,
    "sub": lambda a, b, n: a - b,
    "mul": lambda a, b, n: a * b,
    "and": lambda a, b, n: a & b,
    "or": lambda a, b, n: a | b,
    "xor": lambda a, b, n: a ^ b,
    "shl": lambda a, b, n: a << b,
    "lshr": lambda a, b, n: a >> b,
    "ashr": lambda a, b, n: signed(a, n) >> b,
    "udiv": lambda a, b, n: a // b,
    "urem": lambda a, b, n: a % b,
    "sdiv": lambda a, b, n: _trunc_div(signed(a, n), signed(b, n)),
    "srem": lambda a, b, n: signed(a, n) - signed(b, n) * _trunc_div(signed(a, n), signed(b, n)),
}
ORDER = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
}


def _saturated(value, low, high):
    return min(max(value, low), high)


def _half_range(bits):
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


def _bit_length(value, bits):
    return bits - value.bit_length()


def _trailing(value, bits):
    return (value & -value).bit_length() - 1 if value else bits


PURE = {
    "llvm.smax": lambda n, a, b: max(signed(a, n), signed(b, n)),
    "llvm.smin": lambda n, a, b: min(signed(a, n), signed(b, n)),
    "llvm.umax": lambda n, a, b: max(a, b),
    "llvm.umin": lambda n, a, b: min(a, b),
    "llvm.abs": lambda n, a, _: abs(signed(a, n)),
    "llvm.ctpop": lambda n, a: a.bit_count(),
    "llvm.ctlz": lambda n, a, _: _bit_length(a, n),
    "llvm.cttz": lambda n, a, _: _trailing(a, n),
    "llvm.bitreverse": lambda n, a: int(f"{a:0{n}b}"[::-1], 2),
    "llvm.bswap": lambda n, a: int.from_bytes(a.to_bytes(n // 8, "little"), "big"),
    "llvm.fshl": lambda n, a, b, s: ((a << n | b) << s % n) >> n,
    "llvm.fshr": lambda n, a, b, s: (a << n | b) >> s % n,
    "llvm.uadd.sat": lambda n, a, b: min(a + b, (1 << n) - 1),
    "llvm.usub.sat": lambda n, a, b: max(a - b, 0),
    "llvm.sadd.sat": lambda n, a, b: _saturated(signed(a, n) + signed(b, n), *_half_range(n)),
    "llvm.ssub.sat": lambda n, a, b: _saturated(signed(a, n) - signed(b, n), *_half_range(n)),
}
UPDATE = {
    "add": lambda a, b, n: a + b,
    "sub": lambda a, b, n: a - b,
    "and": lambda a, b, n: a & b,
    "or": lambda a, b, n: a | b,
    "xor": lambda a, b, n: a ^ b,
    "xchg": lambda a, b, n: b,
    "max": lambda a, b, n: max(signed(a, n), signed(b, n)),
    "min": lambda a, b, n: min(signed(a, n), signed(b, n)),
    "umax": lambda a, b, n: max(a, b),
    "umin": lambda a, b, n: min(a, b),
}


def _parts(ty):
    """(type, offset) of each part of a struct or an array."""
    if isinstance(ty, Struct):
        return [(part, field_offset(ty, number)) for number, part in enumerate(ty.fields)]
    return [(ty.element, number * size_of(ty.element)) for number in range(ty.length)]


def _replaced(whole, indices, value):
    """A struct with another part in one place."""
    if not indices:
        return value
    first, *rest = indices
    return (*whole[:first], _replaced(whole[first], rest, value), *whole[first + 1 :])


class Reference:
    """Runs a kernel of a decoded module on a grid of one dimension."""

    def __init__(self, module, kernel, grid, block):
        self.module, self.grid, self.block = module, grid, block
        self.kernel = module.function(f"@{kernel}")
        self.steps = 0
        self._blocks = {}
        self.shared = {}

    def run(self, args):
        """Runs all blocks, one after another.

        Args:
            args: A `bytearray` for a pointer, an int or a float for a scalar.
        """
        for number in range(self.grid):
            self.shared = {}
            lanes = [Lane(t, number) for t in range(self.block)]
            for lane in lanes:
                values = {
                    param.name: Address(arg, 0) if isinstance(arg, bytearray) else arg
                    for param, arg in zip(self.kernel.params, args, strict=True)
                }
                lane.frames.append(self._frame(self.kernel, values))
            self._run_block(lanes)

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
        found = False
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
                    _exchange(members)
                    found = True
        return found

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
                size = size_of(self.module.globals[name].type)
                if name not in self.shared:
                    self.shared[name] = bytearray(b"\xa5" * size)
                return Address(self.shared[name], 0)
        raise NotModelledError(f"operand {operand}")

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
            result = self._pure(op, [self._value(lane, operand) for operand in op.operands])
        if op.name is not None and result is not None:
            frame.values[op.name] = result

    def _phis(self, lane, frame, block):
        """All phis of a block read before any is written."""
        found = {}
        for op in block.instructions:
            if op.opcode != "phi":
                break
            place = op.attrs["labels"].index(frame.before)
            found[op.name] = self._value(lane, op.operands[place])
            frame.index += 1
        frame.values.update(found)

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

    def _read(self, address, ty):
        if isinstance(ty, Struct | Array):
            return tuple(self._read(Address(address.buffer, address.offset + at), part) for part, at in _parts(ty))
        size = size_of(ty)
        raw = bytes(address.buffer[address.offset : address.offset + size])
        if address.offset < 0 or len(raw) != size:
            raise NotModelledError(f"{size} bytes at {address.offset}: out of bounds")
        if isinstance(ty, Float):
            return struct.unpack(FORMAT[ty.name], raw)[0]
        return int.from_bytes(raw, "little") & (1 << ty.bits) - 1

    def _write(self, address, ty, value):
        if isinstance(ty, Struct | Array):
            for (part, at), element in zip(_parts(ty), value, strict=True):
                self._write(Address(address.buffer, address.offset + at), part, element)
            return
        size = size_of(ty)
        end = address.offset + size
        if address.offset < 0 or end > len(address.buffer):
            raise NotModelledError(f"{size} bytes at {address.offset}: out of bounds")
        if isinstance(ty, Float):
            raw = struct.pack(FORMAT[ty.name], value)
        else:
            raw = value.to_bytes(size, "little")
        address.buffer[address.offset : end] = raw

    def _op_load(self, lane, op):
        return self._read(self._value(lane, op.operands[0]), op.type)

    def _op_store(self, lane, op):
        value, pointer = op.operands
        self._write(self._value(lane, pointer), value.type, self._value(lane, value))

    def _op_atomicrmw(self, lane, op):
        pointer, operand = op.operands
        address, bits = self._value(lane, pointer), op.type.bits
        old = self._read(address, op.type)
        update = UPDATE[op.attrs["operation"]]
        new = update(old, self._value(lane, operand), bits) & (1 << bits) - 1
        self._write(address, op.type, new)
        return old

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
        if name.startswith(("llvm.nvvm.shfl", "llvm.nvvm.vote", "llvm.nvvm.bar.warp")):
            lane.waits = ("warp", op, tuple(values))
            return None
        if name.startswith("llvm.nvvm.cp.async."):
            self._copy(lane, name.removeprefix("llvm.nvvm.cp.async."), values)
            return None
        if name.startswith("llvm.vector.extract"):
            vector, start = values
            return vector[start : start + op.type.length]
        if name.startswith("llvm.vector.insert"):
            vector, part, start = values
            return (*vector[:start], *part, *vector[start + len(part) :])
        if name.startswith("llvm.fma"):
            return _fma(*values, op.type.name)
        stem = name.rpartition(".")[0]
        if stem in PURE:
            bits = op.operands[0].type.bits
            return PURE[stem](bits, *values) & (1 << op.type.bits) - 1
        raise NotModelledError(f"intrinsic {name}")

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
        return _replaced(whole, op.attrs["indices"], value)

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

    # Arithmetic.

    def _pure(self, op, values):
        opcode = op.opcode
        source = op.operands[0].type
        if opcode in INTEGER and isinstance(op.type, Vector):
            bits = op.type.element.bits
            return tuple(INTEGER[opcode](*pair, bits) & (1 << bits) - 1 for pair in zip(*values, strict=True))
        if opcode in INTEGER:
            bits = op.type.bits
            return INTEGER[opcode](*values, bits) & (1 << bits) - 1
        if opcode == "icmp":
            predicate = op.attrs["predicate"]
            if predicate[0] == "s":
                values = [signed(value, source.bits) for value in values]
            return int(ORDER[predicate[-2:]](*values))
        if opcode == "select":
            return values[1] if values[0] else values[2]
        if opcode == "freeze":
            return values[0]
        if opcode in ("zext", "trunc"):
            return values[0] & (1 << op.type.bits) - 1
        if opcode == "sext":
            return signed(values[0], source.bits) & (1 << op.type.bits) - 1
        return self._floating(op, opcode, values, source)

    def _floating(self, op, opcode, values, source):
        match opcode:
            case "fadd" | "fsub" | "fmul" | "fdiv":
                return ROUND[op.type.name](_arithmetic(opcode, *values))
            case "fneg":
                return -values[0]
            case "fcmp":
                return int(_compare(op.attrs["predicate"], *values))
            case "fpext" | "fptrunc":
                return ROUND[op.type.name](values[0])
            case "sitofp":
                return rounded(Fraction(signed(values[0], source.bits)), op.type.name)
            case "uitofp":
                return rounded(Fraction(values[0]), op.type.name)
            case "fptosi" | "fptoui":
                return math.trunc(values[0]) & (1 << op.type.bits) - 1
            case "bitcast" if isinstance(op.type, Float):
                raw = values[0].to_bytes(size_of(op.type), "little")
                return struct.unpack(FORMAT[op.type.name], raw)[0]
            case "bitcast":
                return int.from_bytes(struct.pack(FORMAT[source.name], values[0]), "little")
        raise NotModelledError(f"instruction {opcode}")


def _arithmetic(opcode, a, b):
    """In float64, which rounding once more to 32 or 16 bits leaves right."""
    match opcode:
        case "fadd":
            return a + b
        case "fsub":
            return a - b
        case "fmul":
            return a * b
    if b == 0:
        if a == 0 or a != a:
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1, b)
    return a / b


def _fma(a, b, c, name):
    if not all(map(math.isfinite, (a, b, c))):
        return a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:  # the sign of an exact zero is the sum's of its parts
        return math.copysign(1, a) * math.copysign(1, b) * 0.0 + c if c == 0 else 0.0
    return rounded(exact, name)


def _compare(predicate, a, b):
    unordered = a != a or b != b
    if predicate in ("true", "false"):
        return predicate == "true"
    if predicate in ("ord", "uno"):
        return unordered == (predicate == "uno")
    if unordered:
        return predicate[0] == "u"
    return ORDER[predicate[1:]](a, b)


def _exchange(members):
    """Completes a shuffle or a vote of the lanes of one warp."""
    some = next(iter(members.values()))
    op = some.waits[1]
    name = op.attrs["callee"].name[1:]
    given = {number: lane.waits[2] for number, lane in members.items()}
    for number, lane in members.items():
        if name.startswith("llvm.nvvm.shfl"):
            mode = name.split(".")[4]
            value = _shuffle(mode, number, given)
        elif name.startswith("llvm.nvvm.vote"):
            value = _vote(name.split(".")[3], {n: one[1] for n, one in given.items()})
        else:
            value = None
        if op.name is not None:
            lane.frames[-1].values[op.name] = value
        lane.waits = None


def _shuffle(mode, number, given):
    """The rule of PTX, in its own words: j, maxLane, minLane and pval."""
    _, value, b, c = given[number]
    b, clamp, segment = b & 31, c & 31, c >> 8 & 31
    most = number & segment | clamp & ~segment
    match mode:
        case "up":
            source, inside = number - b, number - b >= most
        case "down":
            source, inside = number + b, number + b <= most
        case "bfly":
            source, inside = number ^ b, number ^ b <= most
        case "idx":
            source = number & segment | b & ~segment & 31
            inside = source <= most
    return given[source][1] if inside else value


def _vote(mode, bits):
    match mode:
        case "ballot":
            return sum(bit << number for number, bit in bits.items())
        case "any":
            return int(any(bits.values()))
        case "all":
            return int(all(bits.values()))
    raise NotModelledError(f"vote {mode}")
