"""Kernels of sizes, counts, addresses and types at their edges, each with what an exact model says of its bounds.

A kernel has a few statements. Each runs in one thread, in all of them, or never, and touches `%o` or `%in` (256 bytes
each), a variable of its own, or an address of its own making. The model computes in whole numbers and knows nothing of
how the simulator keeps memory: an access is out of bounds, within them, or nobody's to say.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tests.simt.random_ir import signatures

__all__ = ["BYTES", "KINDS", "Extreme", "Kind", "made"]

BYTES = 256  # of each buffer
WORD = 1 << 64
GLOBALS = """
@tile = internal addrspace(3) global [32 x float] undef, align 4
@table = internal addrspace(4) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 4
@cells = internal addrspace(1) global [16 x i32] zeroinitializer, align 4
"""
NAMED = {"tile": (3, 128), "table": (4, 16), "cells": (1, 64)}
SMALL = (0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 65, 127, 128, 255, 256, 257, 511, 512, 513, 4095, 4096)
LARGE = tuple(
    (1 << power) + step for power in (16, 31, 32, 38, 39, 40, 41, 55, 56, 57, 61, 62, 63) for step in (-1, 0, 1)
) + tuple(WORD - step for step in (1, 2, 3, 4, 8, 16, 64, 128, 256, 257, 1 << 20, 1 << 32, 1 << 40))
# By type: its bytes with padding; None where targets may differ, or refuse it.
TYPES = {
    "i8": 1,
    "i16": 2,
    "i32": 4,
    "i64": 8,
    "float": 4,
    "double": 8,
    "half": 2,
    "ptr": 8,
    "i128": 16,
    "i1": 1,
    "[4 x i32]": 16,
    "[0 x i32]": 0,
    "{ i8, i32 }": 8,
    "<{ i8, i32 }>": 5,
    "<4 x float>": 16,
    "{}": 0,
    "[1000 x i8]": 1000,
    "[1000000 x i64]": 8_000_000,
    "[1000000 x [1000000 x i64]]": 8 * 10**12,
    f"[{1 << 61} x i64]": 1 << 64,
    f"[{1 << 40} x i8]": 1 << 40,
    f"[{1 << 38} x i8]": 1 << 38,
    "[65536 x [65536 x {}]]": 0,
}
ODD = (
    *("i7", "i24", "i48", "i65", "i100", "i129", "i256", "i4096", "i4097", "i65536", "i8388607", "bfloat", "fp128"),
    *("<3 x i32>", "<5 x i16>", "<64 x i8>", "<1 x i64>", "<3 x i1>", "<9 x i7>", "<256 x i32>", "<70000 x i8>"),
    *("<vscale x 4 x i32>", "x86_fp80", "[3 x <3 x i32>]", "{ i1, [3 x i24], half }", "[2 x { i8, [0 x i64] }]"),
    *("[70000 x i8]", "[1000000000 x {}]", "<2147483647 x i8>", "{ [100000 x i32], i8 }"),
)
FLOAT_BITS = {"half": 16, "float": 32, "double": 64}
NEVER, ONE, ALL = "never", "one", "all"


@dataclass
class Extreme:
    """A kernel `k` over `%o` and `%in`, of `BYTES` each, and the numbers `%n` and `%m`.

    Attributes:
        is_wrong: Whether something that runs is out of bounds; None where the model does not say.
        can_refuse: Whether it may be refused by name instead.
    """

    target: str
    text: str
    numbers: tuple[int, int]
    is_wrong: bool | None
    can_refuse: bool


@dataclass
class _Body:
    """The statements of a kernel as they are made.

    Attributes:
        guard: Who runs the statement in hand.
        wrong: What the model says of each that runs.
        has_nvvm: Whether there is an operation of NVIDIA's alone.
    """

    random: random.Random
    numbers: list[int] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    entry: list[str] = field(default_factory=list)
    declared: set[str] = field(default_factory=set)
    wrong: list[bool | None] = field(default_factory=list)
    can_refuse: bool = False
    has_nvvm: bool = False
    guard: str = ALL
    count: int = 0

    def name(self) -> str:
        """Return a name that nothing has."""
        self.count += 1
        return f"%x{self.count}"

    def let(self, expression: str) -> str:
        """Give the result of an instruction a name."""
        name = self.name()
        self.lines.append(f"  {name} = {expression}")
        return name

    def number(self, bits: int = 64) -> int:
        """Choose a number without a sign: mostly a small one, else at an edge."""
        return self.random.choice(SMALL if self.random.random() < 0.55 else LARGE) & ((1 << bits) - 1)

    def operand(self, value: int, bits: int) -> str:
        """Write a number as a constant, or as what the launch gives."""
        if bits == 64 and self.random.random() < 0.5 and (value in self.numbers or len(self.numbers) < 2):
            return self.operand_of(value)
        if bits != 64 and self.random.random() < 0.3 and (value in self.numbers or len(self.numbers) < 2):
            return self.let(f"{'trunc' if bits < 64 else 'zext'} i64 {self.operand_of(value)} to i{bits}")
        return str(signed(value, bits)) if bits > 1 else ("true" if value else "false")

    def operand_of(self, value: int) -> str:
        """Have the launch give a number."""
        if value not in self.numbers:
            self.numbers.append(value)
        return "%n" if self.numbers[0] == value else "%m"

    def tell(self, is_wrong: bool | None) -> None:
        """Note what the model says of the statement."""
        if self.guard != NEVER:
            self.wrong.append(is_wrong)

    def size(self) -> tuple[str, int]:
        """Choose a type, with its bytes."""
        return self.random.choice(list(TYPES.items()))


def signed(value: int, bits: int = 64) -> int:
    """Wrap into the signed range."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def is_outside(offset: int, width: int, size: int) -> bool | None:
    """Tell whether an access leaves a buffer; None where the distance leads to where another may be."""
    offset = signed(offset)
    return None if abs(offset) >= 1 << 38 else not 0 <= offset <= size - width


def local_variable(body: _Body) -> None:
    """A byte of a local variable: `alloca` counts without a sign."""
    ty, size = body.size()
    bits = body.random.choice((8, 16, 32, 64, 64))
    count, offset = body.number(bits), body.number()
    whole = size * count
    if whole > 1 << 16:
        body.can_refuse = True
    pointer = body.name()
    body.entry.append(f"  {pointer} = alloca {ty}, i{bits} {signed(count, bits)}, align 8")
    place = body.let(f"getelementptr i8, ptr {pointer}, i64 {body.operand(offset, 64)}")
    body.lines.append(f"  store i8 65, ptr {place}, align 1")
    value = body.let(f"load i8, ptr {place}, align 1")
    body.let(f"add i8 {value}, 1")
    body.tell(is_outside(offset, 1, whole) if whole < 1 << 38 else None)


def block_copy(body: _Body) -> None:
    """`memcpy`, `memmove` and `memset`: a length has no sign either."""
    bits = body.random.choice((8, 32, 64, 64))
    length, to, of = (body.number(bits), *(body.random.choice((0, 0, 8, body.number())) for _ in range(2)))
    kind = body.random.choice(("memcpy", "memmove", "memset"))
    target = body.let(f"getelementptr i8, ptr %o, i64 {body.operand(to, 64)}")
    align = body.random.choice(("", "", "align 1 ", "align 4 ", f"align {1 << 32} "))
    given = f"i{bits} {body.operand(length, bits)}, i1 false"
    places = [to]
    if kind == "memset":
        body.declared.add(f"declare void @llvm.memset.p0.i{bits}(ptr, i8, i{bits}, i1)")
        body.lines.append(f"  call void @llvm.memset.p0.i{bits}(ptr {align}{target}, i8 7, {given})")
    else:
        source = body.let(f"getelementptr i8, ptr %in, i64 {body.operand(of, 64)}")
        body.declared.add(f"declare void @llvm.{kind}.p0.p0.i{bits}(ptr, ptr, i{bits}, i1)")
        body.lines.append(f"  call void @llvm.{kind}.p0.p0.i{bits}(ptr {align}{target}, ptr {source}, {given})")
        places.append(of)
    told = [is_outside(place, length, BYTES) if length < 1 << 63 else True for place in places]
    if not length:
        body.tell(None)  # nothing is touched; whether the address has to be aligned all the same is open
    else:
        body.tell(True if True in told else None if None in told or align.strip() not in ("", "align 1") else False)


def constant_address(body: _Body) -> None:
    """A load, a store or an update at a number."""
    bits = body.random.choice((8, 16, 32, 64, 64, 64, 128))
    value = body.number(bits)
    space = body.random.choice(("", "", "", " addrspace(1)", " addrspace(3)", " addrspace(4)", " addrspace(5)"))
    pointer = f"ptr{space} inttoptr (i{bits} {signed(value, bits)} to ptr{space})"
    match body.random.randrange(4):
        case 0:
            body.lines.append(f"  store float 1.0, {pointer}, align 4")
        case 1:
            body.let(f"load i32, {pointer}, align 4")
        case 2:
            body.let(f"atomicrmw add {pointer}, i32 1 monotonic, align 4")
        case _:
            body.let(f"cmpxchg {pointer}, i32 0, i32 1 monotonic monotonic, align 4")
    body.tell(True if value < 1 << 38 and not space else None)


def address_arithmetic(body: _Body) -> None:
    """Bytes where `getelementptr` leads: indices have a sign, and products and sums wrap."""
    ty, size = ("i8", 1) if body.random.random() < 0.4 else body.size()
    bits = body.random.choice((8, 16, 32, 64, 64, 128))
    index = body.number(bits)
    flags = body.random.choice(("", "", "inbounds ", "nuw ", "nusw "))
    inner = body.random.choice(("", "", f", i64 {body.random.choice((0, 1, -1, (1 << 62), -(1 << 63)))}"))
    step, ty_text = size * signed(index, bits), ty
    if inner:
        ty_text = f"[2 x {ty}]"
        step = 2 * size * signed(index, bits) + size * int(inner.rpartition(" ")[2])
    name = f"i{bits} {body.operand(index, bits)}"
    start = body.random.choice((0, 0, 128, 255))
    base = body.let(f"getelementptr i8, ptr %in, i64 {start}") if start else "%in"
    place = body.let(f"getelementptr {flags}{ty_text}, ptr {base}, {name}{inner}")
    width = body.random.choice((1, 4, 8))
    value = body.let(f"load i{8 * width}, ptr {place}, align 1")
    body.let(f"xor i{8 * width} {value}, 1")
    body.tell(None if flags and signed(step) != step else is_outside(start + step, width, BYTES))


def wide_value(body: _Body) -> None:
    """A value of some type from one buffer to the other."""
    body.can_refuse = True
    ty = body.random.choice((*ODD, *TYPES))
    align = body.random.choice((1, 1, 1, 4, 16, 256, 1 << 31, 1 << 32))
    offset = body.random.choice((0, 0, 1, 128, 250, 255))
    place = body.let(f"getelementptr i8, ptr %in, i64 {offset}")
    value = body.let(f"load {ty}, ptr {place}, align {align}")
    body.lines.append(f"  store {ty} {value}, ptr %o, align {align}")
    body.tell(True if offset + TYPES.get(ty, 0) > BYTES else None)


def update(body: _Body) -> None:
    """An atomic operation on a type, at an offset."""
    body.can_refuse = True
    ty = body.random.choice(
        ("i8", "i16", "i32", "i32", "i64", "i128", "float", "double", "half", "bfloat", "ptr", "i24")
    )
    names = ("fadd", "fmax", "xchg") if ty in ("float", "double", "half", "bfloat") else ("add", "nand", "umin", "xchg")
    name, offset = body.random.choice((*names, "uinc_wrap", "usub_sat")), body.random.choice((0, 4, 8, body.number()))
    order = body.random.choice(("monotonic", "acquire", "seq_cst", 'syncscope("agent") acq_rel', "unordered"))
    place = body.let(f"getelementptr i8, ptr %o, i64 {body.operand(offset, 64)}")
    value = {"float": "1.0", "double": "1.0", "half": "1.0", "bfloat": "1.0", "ptr": "null"}.get(ty, "1")
    if body.random.random() < 0.3:
        body.let(f"cmpxchg ptr {place}, {ty} {value}, {ty} {value} {order} monotonic")
    else:
        body.let(f"atomicrmw {name} ptr {place}, {ty} {value} {order}")
    size = {"i8": 1, "i16": 2, "i32": 4, "float": 4, "half": 2, "bfloat": 2, "i128": 16, "i24": 3}.get(ty, 8)
    body.tell(True if is_outside(offset, size, BYTES) else None)


def constant_expression(body: _Body) -> None:
    """A byte of a variable of the module, whose address the compiler computes."""
    name = body.random.choice(list(NAMED))
    space, size = NAMED[name]
    ty, width = body.size()
    first, second = (signed(body.number()) for _ in range(2))
    flags = body.random.choice(("", "", "inbounds "))
    at = f"getelementptr {flags}([2 x {ty}], ptr addrspace({space}) @{name}, i64 {first}, i64 {second})"
    offset = width * (2 * first + second)
    match body.random.randrange(4):
        case 0:
            at = f"inttoptr (i64 ptrtoint (ptr addrspace({space}) {at} to i64) to ptr addrspace({space}))"
        case 1:
            number = signed(body.number())
            offset += number
            at = (
                f"inttoptr (i64 add (i64 ptrtoint (ptr addrspace({space}) {at} to i64), i64 {number}) "
                f"to ptr addrspace({space}))"
            )
        case 2:
            at = f"addrspacecast (ptr addrspace({space}) {at} to ptr)"
            space = 0
    where = f"ptr addrspace({space}) {at}" if space else f"ptr {at}"
    body.let(f"load i8, {where}, align 1")
    outside = is_outside(offset, 1, size)
    # Nobody has written to shared memory, and addresses there have 32 bits as numbers.
    is_open = outside is None or name == "tile" or flags or (NAMED[name][0] == 3 and outside)
    body.tell(None if is_open else outside)


def own_global(body: _Body) -> None:
    """A variable of the module of some size, which is used or not."""
    body.can_refuse = True
    ty, size = body.size()
    space = body.random.choice((1, 3, 4))
    name = f"@own{body.count}.{len(body.declared)}"
    zero = "zeroinitializer" if space == 4 or body.random.random() < 0.5 else "undef"
    kind = "constant" if space == 4 else "global"
    align = body.random.choice((1, 4, 16, 1 << 20))
    body.declared.add(f"{name} = internal addrspace({space}) {kind} {ty} {zero}, align {align}")
    offset = body.number()
    place = body.let(f"getelementptr i8, ptr addrspace({space}) {name}, i64 {body.operand(offset, 64)}")
    body.let(f"load i8, ptr addrspace({space}) {place}, align 1")
    body.tell(True if is_outside(offset, 1, size) else None)


def element(body: _Body) -> None:
    """An element of a vector, by a number that may be none of it."""
    length, bits = body.random.choice((1, 2, 3, 4, 16)), body.random.choice((8, 32, 64, 128))
    index = body.operand(body.random.choice((0, 1, 2, body.number(bits))), bits)
    vector = body.let(f"insertelement <{length} x i32> zeroinitializer, i32 7, i{bits} {index}")
    value = body.let(f"extractelement <{length} x i32> {vector}, i{bits} {index}")
    condition = body.let(f"icmp eq i32 {value}, 7")
    body.let(f"select i1 {condition}, i32 1, i32 2")
    body.tell(None)


def integer(body: _Body) -> None:
    """Arithmetic of some width on edges."""
    bits = body.random.choice((1, 7, 8, 16, 24, 32, 33, 63, 64, 65, 100, 128, 200, 256))
    left = body.let(f"trunc i64 %m to i{bits}") if bits < 64 else f"{signed(body.number(), bits)}"
    if bits > 64:
        left = body.let(f"zext i64 %n to i{bits}")
    right = signed(body.number() << body.random.choice((0, 0, bits // 2)), bits) if bits > 1 else 0
    name = body.random.choice(("add", "mul", "shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem", "sub nsw", "xor"))
    if right == 0 and name[1:] in ("div", "rem"):
        name = "or"
    text = str(right) if bits > 1 else "false"
    value = body.let(f"{name} i{bits} {left}, {text}")
    function = body.random.choice(
        ("ctpop", "bitreverse", "bswap", "ctlz", "abs", "fshl", "uadd.sat", "smul.with.overflow")
    )
    if function == "bswap" and bits % 16:
        function = "ctpop"
    more = {"ctlz": ", i1 false", "abs": ", i1 false", "fshl": f", i{bits} {value}, i{bits} {text}"}
    more |= dict.fromkeys(("uadd.sat", "smul.with.overflow"), f", i{bits} {text}")
    result = f"{{ i{bits}, i1 }}" if function == "smul.with.overflow" else f"i{bits}"
    types = more.get(function, "").replace(f" {value}", "").replace(f" {text}", "").replace(" false", "")
    body.declared.add(f"declare {result} @llvm.{function}.i{bits}(i{bits}{types})")
    body.let(f"call {result} @llvm.{function}.i{bits}(i{bits} {value}{more.get(function, '')})")
    body.can_refuse = True
    body.tell(None)


def one_definition(body: _Body) -> None:
    """A call of an intrinsic that both engines have one definition of, on numbers at the edges.

    Its result is stored, or leads to a byte of `%in`. A NaN is replaced, as its sign and payload are left open.
    """
    functions = signatures()
    returns = body.random.choice([ty for ty, named in functions.items() if named])
    name, takes = body.random.choice(functions[returns])
    given = ", ".join(f"{ty} {_scalar(body, ty)}" for ty in takes)
    body.declared.add(f'declare {returns} @"{name}"({", ".join(takes)})')
    value = body.let(f'call {returns} @"{name}"({given})')
    bits = FLOAT_BITS.get(returns) or int(returns[1:])
    if returns in FLOAT_BITS:
        missing = body.let(f"fcmp uno {returns} {value}, 0.0")
        value = body.let(
            f"bitcast {returns} {body.let(f'select i1 {missing}, {returns} 1.5, {returns} {value}')} to i{bits}"
        )
    if bits != 64:
        value = body.let(f"zext i{bits} {value} to i64")
    if body.random.random() < 0.5:
        place = body.let("getelementptr i32, ptr %o, i64 %i")
        body.lines.append(f"  store i32 {body.let(f'trunc i64 {value} to i32')}, ptr {place}, align 4")
        body.tell(None)  # another statement may write there
    else:
        offset = body.let(f"and i64 {value}, {BYTES - 1}")
        body.let(f"load i8, ptr {body.let(f'getelementptr i8, ptr %in, i64 {offset}')}, align 1")
        body.tell(False)


def _scalar(body: _Body, ty: str) -> str:
    """A number at an edge, or a float with its bits."""
    bits = FLOAT_BITS.get(ty) or int(ty[1:])
    value = body.operand(body.number(bits), bits)
    return body.let(f"bitcast i{bits} {value} to {ty}") if ty in FLOAT_BITS else value


def call(body: _Body) -> None:
    """A call of a number, of null, with a large struct, or without an end."""
    body.can_refuse = True
    match body.random.randrange(4):
        case 0:
            value = signed(body.number())
            body.lines.append(f"  call void inttoptr (i64 {value} to ptr)(i32 1)")
        case 1:
            place = body.let(f"getelementptr ptr, ptr %in, i64 {body.operand(body.number(), 64)}")
            function = body.let(f"load ptr, ptr {place}, align 1")
            body.lines.append(f"  call void {function}(ptr %o)")
        case 2:
            ty, _ = body.size()
            name = f"@taken{body.count}"
            body.declared.add(
                f"define internal i8 {name}(ptr byval({ty}) %a) noinline {{\n  store i8 1, ptr %a\n"
                "  %v = load i8, ptr %a\n  ret i8 %v\n}"
            )
            body.let(f"call i8 {name}(ptr byval({ty}) %in)")
        case _:
            body.declared.add(
                "define internal i64 @deep(i64 %d) noinline {\n  %z = icmp eq i64 %d, 0\n"
                "  br i1 %z, label %e, label %m\n"
                "m:\n  %f = sub i64 %d, 1\n  %r = call i64 @deep(i64 %f)\n  %s = add i64 %r, 1\n  ret i64 %s\n"
                "e:\n  ret i64 0\n}"
            )
            body.let(f"call i64 @deep(i64 {body.operand(body.number(), 64)})")
    body.tell(None)


def hardware(body: _Body) -> None:
    """Counts, lanes and lengths that an operation of the GPU takes."""
    body.can_refuse = body.has_nvvm = True
    first, second, third = (signed(body.number(32), 32) for _ in range(3))
    choices = (
        ("void", "llvm.nvvm.barrier.cta.sync.aligned.count", f"i32 {first}, i32 {second}"),
        ("void", "llvm.nvvm.barrier.cta.sync.aligned.all", f"i32 {first}"),
        ("void", "llvm.nvvm.barrier.cta.arrive.aligned.count", f"i32 {first}, i32 {second}"),
        ("i32", "llvm.nvvm.shfl.sync.idx.i32", f"i32 {first}, i32 5, i32 {second}, i32 {third}"),
        ("i32", "llvm.nvvm.shfl.sync.up.i32", f"i32 -1, i32 5, i32 {second}, i32 {third}"),
        ("i32", "llvm.nvvm.vote.ballot.sync", f"i32 {first}, i1 true"),
        ("void", "llvm.nvvm.nanosleep", f"i32 {first}"),
        ("void", "llvm.nvvm.mbarrier.init.shared", f"ptr addrspace(3) @tile, i32 {first}"),
        ("void", "llvm.nvvm.bar.warp.sync", f"i32 {first}"),
        ("ptr", "malloc", f"i64 {signed(body.number())}"),
        ("void", "free", f"ptr inttoptr (i64 {signed(body.number())} to ptr)"),
        ("void", "llvm.lifetime.start.p0", "ptr %in"),
        ("i32", "llvm.nvvm.prmt", f"i32 {first}, i32 {second}, i32 {third}"),
        ("i32", "llvm.nvvm.redux.sync.add", f"i32 5, i32 {first}"),
    )
    returns, name, given = body.random.choice(choices)
    types = ", ".join(one.rpartition(" ")[0].split(" inttoptr")[0] for one in given.split(", "))
    body.declared.add(f"declare {returns} @{name}({types})")
    text = f"call {returns} @{name}({given})"
    if returns == "void":
        body.lines.append(f"  {text}")
    else:
        body.let(text)
    body.tell(None)


def fields(body: _Body) -> None:
    """Parts of structs and arrays in registers, one of which is as the launch has it."""
    body.can_refuse = True
    count = body.random.choice((1, 2, 3, 100, 2047, 4095, 4096, 1 << 31))
    ty = body.random.choice((f"[{count} x i64]", f"{{ i8, [{count} x i64] }}", f"[2 x [{count} x i64]]"))
    at = body.random.choice((0, count // 2, count - 1))
    path = {"[2": f"1, {at}", "{ ": f"1, {at}"}.get(ty[:2], str(at))
    whole = body.let(f"insertvalue {ty} {body.random.choice(('undef', 'zeroinitializer'))}, i64 %m, {path}")
    value = body.let(f"extractvalue {ty} {whole}, {path}")
    condition = body.let(f"icmp eq i64 {value}, {signed(body.number())}")
    body.let(f"select i1 {condition}, {ty} {whole}, {ty} zeroinitializer")
    body.tell(None)


Kind = Callable[[_Body], None]
KINDS: tuple[Kind, ...] = (
    *(local_variable, block_copy, constant_address, address_arithmetic, wide_value, update, constant_expression),
    *(own_global, element, integer, one_definition, fields, call, hardware),
)
TARGETS = ("nvidia:sm_90", "nvidia:sm_90", "amd:gfx942", "apple:apple-m4")


def _statements(body: _Body, kinds: Sequence[Kind]) -> Iterator[str]:
    """The blocks of the kernel, one for each statement."""
    for number in range(body.random.choice((1, 1, 1, 2, 3))):
        body.guard = body.random.choice((NEVER, ONE, ONE, ALL))
        body.lines = []
        body.random.choice(kinds)(body)
        condition = {NEVER: "icmp ugt i32 %t, 100000", ONE: "icmp eq i64 %i, 3", ALL: "icmp ult i32 %t, 100000"}
        yield (
            f"  %c{number} = {condition[body.guard]}\n  br i1 %c{number}, label %do{number}, label %past{number}\n"
            f"do{number}:\n" + "\n".join(body.lines) + f"\n  br label %past{number}\npast{number}:"
        )


def made(seed: int, kinds: Sequence[Kind] = KINDS) -> Extreme:
    """Make the kernel of a seed, of statements of some kinds."""
    body = _Body(random.Random(seed))
    statements = "\n".join(_statements(body, kinds))
    target = TARGETS[0] if body.has_nvvm else body.random.choice(TARGETS)
    first, second, *_ = (*body.numbers, 0, 0)
    lines = "\n".join(body.entry)
    # The index is read NVIDIA's way on every target: elsewhere the module does not say whose it is.
    triple = 'target triple = "nvptx64-nvidia-cuda"' if target.startswith("nvidia") else ""
    text = f"""{triple}
{GLOBALS}declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
{chr(10).join(sorted(body.declared))}
define ptx_kernel void @k(ptr %o, ptr %in, i64 %n, i64 %m, ptr %end) {{
{lines}
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %b64 = mul i32 %b, 32
  %g = add i32 %b64, %t
  %i = zext i32 %g to i64
{statements}
  %q = getelementptr i64, ptr %end, i64 %i
  store i64 %i, ptr %q, align 8
  ret void
}}
"""
    # What a target lacks is reported wherever it stands; of Apple's that is much of what is made here.
    is_open = None in body.wrong or target.startswith("apple")
    is_wrong = True if True in body.wrong else None if is_open else False
    return Extreme(target, text, (signed(first), signed(second)), is_wrong, body.can_refuse)
