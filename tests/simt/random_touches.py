"""Random kernels that touch all kinds of memory, by all kinds of addresses and types, most of them rightly: in many
only the threads that load a large number look elsewhere, so that a few blocks of a grid are wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from harness import simt
from harness.simt.run.launch import launch
from tests.simt.lines import Lines
from tests.simt.snippets import kernel

__all__ = ["Touches", "made"]

SLOT = 16  # bytes that are a thread's own in each memory
LARGEST = 30  # of what is loaded, but for one that a thread looks elsewhere by
TARGETS = ("nvidia:sm_90", "nvidia:sm_90", "amd:gfx942", "amd:gfx1100", "apple:apple-m4")
GLOBALS = """@tile = internal addrspace(3) global [1024 x i8] undef, align 16
@other = internal addrspace(3) global [1024 x i8] undef, align 16
@named = internal addrspace(1) global [65536 x i8] {}, align 16
"""
# By type its bytes, and the integer of as many bits, or of which it is the low ones.
TYPES = {
    "i1": (1, "i1"), "i8": (1, "i8"), "i16": (2, "i16"), "i32": (4, "i32"), "i64": (8, "i64"), "float": (4, "i32"),
    "half": (2, "i16"), "bfloat": (2, "i16"), "<2 x i32>": (8, "i64"), "<4 x i8>": (4, "i32"), "<2 x half>": (4, "i32"),
    "<2 x float>": (8, "i64"), "double": (8, "i64"), "<4 x i16>": (8, "i64"), "<8 x i8>": (8, "i64"),
}  # fmt: skip
WHOLE = ("i32", "i32", "i32", "float", "i8", "i16", "i64", "<2 x i32>", *TYPES)
BARRIERS = {
    "nvidia": ("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",),
    "amd": ('fence syncscope("workgroup") release', "call void @llvm.amdgcn.s.barrier()",
            'fence syncscope("workgroup") acquire'),
    "apple": ("call void @air.wg.barrier(i32 3, i32 1)",),
}  # fmt: skip
NARROW = {
    "nvidia": "call void @llvm.nvvm.bar.warp.sync(i32 -1)",
    "apple": "call void @air.simdgroup.barrier(i32 3, i32 1)",
}
# What lanes of a warp make of a value together.
LANES = {
    "nvidia": (
        "call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 {value}, i32 1, i32 31)",
        "call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 {value}, i32 4, i32 31)",
        "call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 {value}, i32 {other}, i32 31)",
        "call i32 @llvm.nvvm.redux.sync.add(i32 {value}, i32 -1)",
        "call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 {value})",
    ),
    "amd": (
        "call i32 @llvm.amdgcn.ds.bpermute(i32 {other}, i32 {value})",
        "call i32 @llvm.amdgcn.readfirstlane.i32(i32 {value})",
        "call i32 @llvm.amdgcn.ds.swizzle(i32 {value}, i32 1055)",
        "call i32 @llvm.amdgcn.update.dpp.i32(i32 {other}, i32 {value}, i32 273, i32 15, i32 15, i1 false)",
        "call i32 @llvm.amdgcn.update.dpp.i32(i32 {other}, i32 {value}, i32 78, i32 10, i32 15, i1 true)",
        "call i32 @llvm.amdgcn.mbcnt.lo(i32 {value}, i32 {other})",
    ),
    "apple": (
        "call i32 @air.simd_shuffle_xor.s.i32(i32 {value}, i16 1)",
        "call i32 @air.simd_shuffle_down.s.i32(i32 {value}, i16 4)",
        "call i32 @air.simd_broadcast_first.s.i32(i32 {value})",
    ),
}  # fmt: skip
UPDATES = ("add", "sub", "and", "or", "xor", "max", "umin", "xchg")
ORDERS = ("monotonic", "monotonic", "acquire", "release", "acq_rel")


@dataclass(frozen=True)
class Touches:
    """A kernel with what it is launched on.

    Attributes:
        given: Lists of numbers for launches one after another.
        initialised: Whether its output is.
    """

    text: str
    target: str
    grid: int
    block: int
    cluster: int
    given: tuple[np.ndarray, ...]
    initialised: bool

    def run(
        self, number: int, observers: list[simt.Observer], options: simt.Options, module: simt.Module | None = None
    ) -> tuple[simt.LaunchResult, list[np.ndarray]]:
        """One launch, and what it leaves."""
        octets = SLOT * len(self.given[number])
        left = [np.full(octets, 3, np.uint8), np.arange(octets).astype(np.uint8)]
        outputs = [simt.Buffer(left[0], initialised=self.initialised), left[1]]
        result = launch(
            module or simt.decode(self.text),
            target=self.target,
            grid=self.grid,
            block=self.block,
            cluster=self.cluster,
            args=[simt.Buffer(self.given[number].copy(), writable=False), outputs[0], (5, outputs[1])],
            observers=observers,
            options=options,
        )
        return result, left


def made(seed: int) -> Touches:
    """The kernel of a seed."""
    rng = random.Random(seed)
    target = rng.choice(TARGETS)
    grid, block = rng.choice((1, 3, 8)), rng.choice((32, 64, 64, 64, 40)) if rng.random() < 0.3 else 64
    cluster = 1
    if target.startswith("nvidia") and rng.random() < 0.25:
        grid, cluster = rng.choice((2, 4, 8)), 2
    size = 1 << (grid * block - 1).bit_length()
    given = []
    for _ in range(2):
        values = np.array([rng.randint(0, LARGEST) for _ in range(size)], np.int32)
        if rng.random() < 0.3:  # blocks go alike
            values = np.resize(values[:block], size)
        if rng.random() < 0.6:
            values[rng.randrange(grid * block)] = LARGEST + 1
        given.append(values)
    vendor = target.partition(":")[0]
    lines = _Lines(rng=rng, vendor=vendor, size=size, block=block, cluster=cluster)
    body = "\n".join(lines.all())
    globals_ = GLOBALS.format(rng.choice(("undef", "zeroinitializer")))
    text = kernel(body, "ptr %a, ptr %o, {i32, ptr} %s", globals_, target)
    return Touches(text, target, grid, block, cluster, tuple(given), rng.random() < 0.9)


@dataclass(eq=False, kw_only=True)
class _Lines(Lines):
    """Writes them.

    Attributes:
        written: (memory, byte of the slot, type) of what a thread stored to its own slots.
        apart: How many branches, by which threads may have parted, lie around the next line.
    """

    vendor: str
    size: int
    block: int
    cluster: int
    written: list[tuple[str, int, str]] = field(default_factory=list)
    apart: int = 0

    def all(self) -> list[str]:
        self.lines += ["  %l = alloca [64 x i8], align 16", "  %t64 = zext i32 %t to i64"]
        self.lines += ["  %at.v = getelementptr i32, ptr %a, i64 %i", "  %v = load i32, ptr %at.v"]
        self.lines += ["  %m = extractvalue {i32, ptr} %s, 1", f"  %large = icmp sgt i32 %v, {LARGEST}"]
        for _ in range(self.rng.randint(2, 7)):
            self._something()
        return self.lines

    def _one_of(self, *choices: Any) -> Any:
        return self.rng.choice(choices)

    def _rarely(self, once_in: int) -> bool:
        return self.rng.randrange(once_in) == 0

    # What is touched, and where.

    def _base(self, memory: str) -> tuple[str, str]:
        """(its address, the address's type)."""
        if memory in ("tile", "other"):
            if self._rarely(4):
                return self._new(f"addrspacecast ptr addrspace(3) @{memory} to ptr"), "ptr"
            return f"@{memory}", "ptr addrspace(3)"
        if memory == "named":
            if self._rarely(3):
                return self._new("addrspacecast ptr addrspace(1) @named to ptr"), "ptr"
            return "@named", "ptr addrspace(1)"
        base = f"%{memory}"
        match self.rng.randrange(8):
            case 0:  # in halves
                whole = self._new(f"ptrtoint ptr {base} to i64")
                low = self._new(f"zext i32 {self._new(f'trunc i64 {whole} to i32')} to i64")
                high = self._new(f"and i64 {whole}, -4294967296")
                return self._new(f"inttoptr i64 {self._new(f'or i64 {low}, {high}')} to ptr"), "ptr"
            case 1:
                other = {"o": "m", "m": "o"}.get(memory, memory)
                always = self._new("icmp slt i32 %t, 9999")
                return self._new(f"select i1 {always}, ptr {base}, ptr %{other}"), "ptr"
            case 2 if memory in ("o", "m"):
                far = self._new(f"addrspacecast ptr {base} to ptr addrspace(1)")
                return far, "ptr addrspace(1)"
        return base, "ptr"

    def _slot(self, memory: str, how: str) -> str:
        """Whose place in it is touched: a thread's own, or another's."""
        own = "%t64" if memory in ("tile", "other") else "%i"
        many = 64 if memory in ("tile", "other") else self.size
        if memory == "l":
            return "0"
        match how:
            case "own":
                return own
            case "other":
                return self._new(f"xor i64 {own}, {self._one_of(1, 2, 16)}") if self.block != 40 else own
            case "first":
                return "0"
            case "far":
                return self._new(f"and i64 {self._new('zext i32 %v to i64')}, {many - 1}")
        # The others' by those that loaded a large number.
        elsewhere = self._one_of(self._new(f"xor i64 {own}, 1"), str(many), "0", self._new(f"sub i64 {own}, {many}"))
        return self._new(f"select i1 %large, i64 {elsewhere}, i64 {own}")

    def _place(self, memory: str, how: str, octet: int) -> tuple[str, str]:
        base, ty = self._base(memory)
        slot = self._slot(memory, how)
        if slot == "0" and octet == 0 and self._rarely(2):
            return base, ty
        if self._rarely(3):
            at = self._new(f"getelementptr [{SLOT} x i8], {ty} {base}, i64 {slot}")
            return (self._new(f"getelementptr inbounds i8, {ty} {at}, i64 {octet}"), ty) if octet else (at, ty)
        offset = self._new(f"add i64 {self._new(f'mul i64 {slot}, {SLOT}')}, {octet}")
        return self._new(f"getelementptr i8, {ty} {base}, i64 {offset}"), ty

    def _octet(self, ty: str) -> int:
        """Where in a slot a value of a type lies."""
        size = TYPES[ty][0]
        return size * self.rng.randint(0, (SLOT - size) // size)

    # Values.

    def _as(self, ty: str) -> str:
        """One of the values as another type."""
        value, integer = self._one_of(*self.values), TYPES[ty][1]
        if integer == "i1":
            return self._new(f"icmp slt i32 {value}, {self._one_of(3, 20)}")
        if integer == "i64":
            other = self._new(f"shl i64 {self._new(f'zext i32 {self._one_of(*self.values)} to i64')}, 32")
            value = self._new(f"or i64 {other}, {self._new(f'zext i32 {value} to i64')}")
        elif integer != "i32":
            value = self._new(f"trunc i32 {value} to {integer}")
        if ty in ("float", "half", "double") and self._rarely(2):
            return self._new(f"sitofp {integer} {value} to {ty}")
        return value if ty == integer else self._new(f"bitcast {integer} {value} to {ty}")

    def _known(self, value: str, ty: str) -> None:
        """What is made of a loaded value."""
        integer = TYPES[ty][1]
        if ty == "float" and self._rarely(3):
            value = self._new(f"{self._one_of('fadd', 'fsub', 'fmul', 'fdiv')} float {value}, {self._as('float')}")
        if ty != integer:
            value = self._new(f"bitcast {ty} {value} to {integer}")
        if integer == "i64":
            value = self._new(f"trunc i64 {self._new(f'lshr i64 {value}, {self._one_of(0, 8, 32)}')} to i32")
        elif integer != "i32":
            value = self._new(f"{self._one_of('zext', 'sext')} {integer} {value} to i32")
        if self._rarely(4):
            value = self._new(
                f"{self._one_of('add', 'shl', 'mul', 'xor', 'lshr')} i32 {value}, {self._one_of(*self.values)}"
            )
        self.values.append(value)

    # What a thread does.

    def _memory(self) -> str:
        return self._one_of("o", "o", "m", "named", "tile", "other", "l", "l")

    def _something(self) -> None:
        choices: list[Callable[[], None]] = [
            *(self._put,) * 4, *(self._get,) * 4, self._update, self._copy, self._lanes, self._strong,
        ]  # fmt: skip
        if self.apart < 2:
            choices += [self._branch, self._branch, self._loop]
        if not self.apart:
            choices += [self._exchange] * 4 + [self._barrier]
            choices += [self._between] * 4 if self.cluster > 1 else []
            choices += [self._begun] if self.vendor == "nvidia" else []
        self._one_of(*choices)()

    def _put(self, memory: str = "") -> tuple[str, int, str]:
        memory, ty = memory or self._memory(), self._one_of(*WHOLE)
        octet = self._octet(ty)
        value = self._as(ty)
        at, space = self._place(memory, self._one_of(*["own"] * 15, "wrong"), octet)
        align = self._one_of(1, TYPES[ty][0])
        self._line(f"store {ty} {value}, {space} {at}, align {align}")
        if not self.apart:
            self.written.append((memory, octet, ty))
        return memory, octet, ty

    def _get(self) -> None:
        if self.written and not self._rarely(5):
            memory, octet, ty = self._one_of(*self.written)
        else:
            memory, ty = self._one_of("o", "m", "m", "named", "l"), self._one_of(*WHOLE)
            octet = self._octet(ty)
        self._load(memory, self._one_of(*["own"] * 15, "wrong"), octet, ty)

    def _load(self, memory: str, how: str, octet: int, ty: str) -> None:
        at, space = self._place(memory, how, octet)
        align = self._one_of(1, TYPES[ty][0])
        self._known(self._new(f"load {ty}, {space} {at}, align {align}"), ty)

    def _strong(self) -> None:
        """Volatile and atomic accesses."""
        memory, how = self._one_of("o", "m", "named", "tile", "l"), self._one_of(*["own"] * 6, "wrong", "first")
        at, space = self._place(memory, how, 4)
        words = self._one_of("volatile", "atomic")
        order, align = (" monotonic", 4) if words == "atomic" else ("", 4)
        if self._rarely(2):
            self._line(f"store {words} i32 {self._one_of(*self.values)}, {space} {at}{order}, align {align}")
        else:
            self.values.append(self._new(f"load {words} i32, {space} {at}{order}, align {align}"))

    def _update(self) -> None:
        memory, how = self._one_of("o", "m", "named", "tile"), self._one_of("own", "first", "first", "far", "wrong")
        at, space = self._place(memory, how, 8)
        value, order = self._one_of(*self.values), self._one_of(*ORDERS)
        if self._rarely(6):
            pair = self._new(
                f"cmpxchg {space} {at}, i32 3, i32 {value} {self._one_of('monotonic', 'acq_rel')} monotonic"
            )
            self.values.append(self._new(f"extractvalue {{i32, i1}} {pair}, 0"))
            return
        old = self._new(f"atomicrmw {self._one_of(*UPDATES)} {space} {at}, i32 {value} {order}")
        if self._rarely(3):
            self.values.append(old)

    def _copy(self) -> None:
        """Bytes of a slot to another, or the same byte to some."""
        length = self._one_of(0, 1, 4, 8, 15, 16)
        to, space = self._place(self._memory(), self._one_of("own", "own", "own", "wrong"), 0)
        word = "p" + (space[-2] if space[-1] == ")" else "0")
        if self._rarely(6):
            self._line(f"call void @llvm.memset.{word}.i64({space} {to}, i8 {self._as('i8')}, i64 {length}, i1 false)")
            return
        at, other = self._place(self._one_of("o", "m", "named", "l"), "own", 0)
        more = "p" + (other[-2] if other[-1] == ")" else "0")
        kind = self._one_of("memcpy", "memmove")
        self._line(f"call void @llvm.{kind}.{word}.{more}.i64({space} {to}, {other} {at}, i64 {length}, i1 false)")

    def _lanes(self) -> None:
        value, other = self._one_of(*self.values), self._one_of(*self.values)
        self.values.append(self._new(self._one_of(*LANES[self.vendor]).format(value=value, other=other)))

    def _barrier(self) -> None:
        if self.vendor in NARROW and self._rarely(4):
            self._line(NARROW[self.vendor])
            return
        for line in BARRIERS[self.vendor]:
            self._line(line)

    def _exchange(self) -> None:
        """Threads of a block take what others put."""
        memory, octet, ty = self._put(self._one_of("tile", "tile", "other", "o", "named"))
        if not self._rarely(12):
            self._barrier()
        self._load(memory, self._one_of("other", "other", "own", "far", "wrong"), octet, ty)
        if not self._rarely(12):
            self._barrier()

    def _between(self) -> None:
        """Threads of a cluster's block take what those of the other put, or put something there."""
        memory, octet, ty = self._put(self._one_of("tile", "other"))
        self._meet()
        rank = self._new("call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()")
        rank = self._one_of(*[self._new(f"xor i32 {rank}, 1")] * 4, "0", rank)
        slot = self._slot(memory, self._one_of(*["own"] * 4, "other", "wrong"))
        offset = self._new(f"add i64 {self._new(f'mul i64 {slot}, {SLOT}')}, {octet}")
        mine = self._new(f"getelementptr i8, ptr addrspace(3) @{memory}, i64 {offset}")
        space, mapped = "ptr addrspace(7)", "llvm.nvvm.mapa.shared.cluster"
        at = self._new(f"call {space} @{mapped}(ptr addrspace(3) {mine}, i32 {rank})")
        if self._rarely(4):
            self._line(f"store {ty} {self._as(ty)}, {space} {at}, align {TYPES[ty][0]}")
        else:
            self._known(self._new(f"load {ty}, {space} {at}, align {TYPES[ty][0]}"), ty)
        self._meet()

    def _meet(self) -> None:
        if not self._rarely(12):
            for name in ("arrive", "wait"):
                self._line(f"call void @llvm.nvvm.barrier.cluster.{name}.aligned()")

    def _begun(self) -> None:
        """An asynchronous copy that is waited for, or not."""
        memory = self._one_of("tile", "other")
        to = self._new(f"getelementptr [{SLOT} x i8], ptr addrspace(3) @{memory}, i64 {self._slot(memory, 'own')}")
        at, space = self._place(self._one_of("o", "m"), self._one_of(*["own"] * 6, "wrong"), 0)
        if space == "ptr":
            at = self._new(f"addrspacecast ptr {at} to ptr addrspace(1)")
        size = self._one_of(4, 8, 16)
        self._line(
            f"call void @llvm.nvvm.cp.async.ca.shared.global.{size}(ptr addrspace(3) {to}, ptr addrspace(1) {at})"
        )
        if not self._rarely(6):
            self._line("call void @llvm.nvvm.cp.async.wait.all()")
            self.written.append((memory, 0, "i32"))

    def _within(self, many: int) -> None:
        """Values that are made inside are not known behind it, nor is what was written sure to be."""
        before = list(self.values), len(self.written)
        self.apart += 1
        for _ in range(many):
            self._something()
        self.apart -= 1
        self.values = before[0]
        del self.written[before[1] :]

    def _branch(self) -> None:
        taken = self._one_of(
            partial(self._new, f"icmp ult i32 %t, {self._one_of(1, 7, 16, 32)}"),
            partial(self._new, f"icmp eq i32 %bx, {self._one_of(0, 1)}"),
            partial(self._new, f"icmp slt i32 {self._one_of(*self.values)}, {self._one_of(4, 15, LARGEST)}"),
            lambda: "%large",
        )()
        self.made += 1
        some, other, both = (f"{name}{self.made}" for name in ("some", "other", "both"))
        self._line(f"br i1 {taken}, label %{some}, label %{other}")
        for label, most in ((some, 2), (other, 1)):
            self._begin(label)
            self._within(self.rng.randint(0, most))
            if label == other and self._rarely(12):
                self._line("ret void")
            else:
                self._line(f"br label %{both}")
        self._begin(both)

    def _loop(self) -> None:
        rounds = self._one_of("2", "3", self._new(f"and i32 {self._one_of('%v', '%t')}, 3"))
        self.made += 1
        number, before = self.made, self.label
        self._line(f"br label %loop{number}")
        self._begin(f"loop{number}")
        place = len(self.lines)
        self._within(self.rng.randint(1, 2))
        self.lines.insert(place, f"  %n{number} = phi i32 [ 0, %{before} ], [ %more{number}, %{self.label} ]")
        self._line(f"%more{number} = add i32 %n{number}, 1")
        on = self._new(f"icmp ule i32 %more{number}, {rounds}")
        self._line(f"br i1 {on}, label %loop{number}, label %end{number}")
        self._begin(f"end{number}")
