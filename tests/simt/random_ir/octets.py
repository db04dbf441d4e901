"""Kernels that move bytes, some of which nobody wrote, and a byte at a time what becomes of them.

Each lane has two arrays of its own. Values of all types are stored there, loaded, taken apart and put together, and at
the end every byte of the first array goes to the output.
"""

import random
from dataclasses import dataclass

import numpy as np

__all__ = ["LANES", "SIZE", "Octets", "octets"]

LANES, SIZE = 32, 32
# A type, the bytes of an element, and how many there are.
TYPES = {
    "i8": (1, 1),
    "i16": (2, 1),
    "i32": (4, 1),
    "i64": (8, 1),
    "<2 x i8>": (1, 2),
    "<3 x i8>": (1, 3),
    "<5 x i8>": (1, 5),
    "<8 x i8>": (1, 8),
    "<2 x i16>": (2, 2),
    "<3 x i16>": (2, 3),
    "<4 x i16>": (2, 4),
    "<2 x i32>": (4, 2),
    "<3 x i32>": (4, 3),
    "<2 x i64>": (8, 2),
}
SCALARS = [name for name, (_, count) in TYPES.items() if count == 1]
VECTORS = [name for name, (_, count) in TYPES.items() if count > 1]


@dataclass
class Value:
    """A value of each lane, as rows of bytes; which of them are defined."""

    name: str
    ty: str
    data: np.ndarray
    known: np.ndarray

    @property
    def element(self):
        return self.ty.strip("<>").rpartition(" ")[2]


@dataclass
class Octets:
    """A kernel `k(out, ints)` of `LANES` lanes; the bytes it leaves, and which of them are defined."""

    text: str
    ints: np.ndarray
    data: np.ndarray
    known: np.ndarray


class Writer:
    """Writes instructions, and runs them on all lanes."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines, self.declared, self.count = [], set(), 0
        drawn = np.random.default_rng(seed)
        self.ints = drawn.integers(-(1 << 63), (1 << 63) - 1, LANES)
        octets = self.ints.view(np.uint8).reshape(LANES, 8)
        self.lane = Value("%x", "i64", octets, np.ones((LANES, 8), bool))
        self.data = {name: np.zeros((LANES, SIZE), np.uint8) for name in "mn"}
        self.known = {name: np.zeros((LANES, SIZE), bool) for name in "mn"}

    def new(self, text):
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def index(self, most):
        """A number from 0 to before `most` of each lane: its name, and what it is."""
        shift = self.rng.randrange(40)
        name = self.new(f"lshr i64 %x, {shift}")
        name = self.new(f"urem i64 {name}, {most}")
        return name, (self.ints.view(np.uint64) >> np.uint64(shift)) % np.uint64(most)

    def place(self, size):
        """An array, a pointer into it, and the offset of each lane."""
        array = self.rng.choice("mn")
        if self.rng.random() < 0.6:
            offset = self.rng.randrange(SIZE - size + 1)
            return array, self.new(f"getelementptr i8, ptr %{array}, i64 {offset}"), np.full(LANES, offset)
        name, offsets = self.index(SIZE - size + 1)
        return array, self.new(f"getelementptr i8, ptr %{array}, i64 {name}"), offsets.astype(np.int64)

    def load(self, ty):
        """A value from memory."""
        width, count = TYPES[ty]
        array, pointer, offsets = self.place(width * count)
        columns = offsets[:, None] + np.arange(width * count)
        rows = np.arange(LANES)[:, None]
        name = self.new(f"load {ty}, ptr {pointer}, align 1")
        return Value(name, ty, self.data[array][rows, columns], self.known[array][rows, columns])

    def store(self, value):
        """A value to memory."""
        array, pointer, offsets = self.place(value.data.shape[1])
        columns, rows = offsets[:, None] + np.arange(value.data.shape[1]), np.arange(LANES)[:, None]
        self.lines.append(f"  store {value.ty} {value.name}, ptr {pointer}, align 1")
        self.data[array][rows, columns] = value.data
        self.known[array][rows, columns] = value.known

    def defined(self, ty):
        """A scalar of the lane's own number."""
        width, _ = TYPES[ty]
        start = self.rng.randrange(8 - width + 1)
        name = self.new(f"lshr i64 %x, {8 * start}")
        if width < 8:
            name = self.new(f"trunc i64 {name} to {ty}")
        part = slice(start, start + width)
        return Value(name, ty, self.lane.data[:, part], self.lane.known[:, part])

    # Statements.

    def keep(self):
        self.store(self.defined(self.rng.choice(SCALARS)))

    def move(self):
        self.store(self.load(self.rng.choice(list(TYPES))))

    def block(self):
        """A copy of a part of an array into the other, or one byte everywhere in a part."""
        size = self.rng.randrange(1, SIZE)
        to, source = self.rng.randrange(SIZE - size + 1), self.rng.randrange(SIZE - size + 1)
        one, other = self.rng.sample("mn", 2)
        target = self.new(f"getelementptr i8, ptr %{one}, i64 {to}")
        if self.rng.random() < 0.15:
            octet = self.rng.randrange(256)
            self.declared.add("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
            self.lines.append(f"  call void @llvm.memset.p0.i64(ptr {target}, i8 {octet}, i64 {size}, i1 false)")
            self.data[one][:, to : to + size], self.known[one][:, to : to + size] = octet, True
            return
        way = self.rng.choice(["memcpy", "memmove"])
        if way == "memmove" and self.rng.random() < 0.5:
            other = one
        self.declared.add(f"declare void @llvm.{way}.p0.p0.i64(ptr, ptr, i64, i1)")
        start = self.new(f"getelementptr i8, ptr %{other}, i64 {source}")
        self.lines.append(f"  call void @llvm.{way}.p0.p0.i64(ptr {target}, ptr {start}, i64 {size}, i1 false)")
        for kind in (self.data, self.known):
            kind[one][:, to : to + size] = kind[other][:, source : source + size].copy()

    def element(self):
        """An element is put into a vector or taken out of it, perhaps of each lane another."""
        vector = self.load(self.rng.choice(VECTORS))
        width, count = TYPES[vector.ty]
        if self.rng.random() < 0.5:
            place = self.rng.randrange(count)
            name, places = str(place), np.full(LANES, place)
        else:
            name, places = self.index(count)
        rows, columns = np.arange(LANES)[:, None], places.astype(np.int64)[:, None] * width + np.arange(width)
        if self.rng.random() < 0.5:
            name = self.new(f"extractelement {vector.ty} {vector.name}, i64 {name}")
            self.store(Value(name, vector.element, vector.data[rows, columns], vector.known[rows, columns]))
            return
        value = self.defined(vector.element) if self.rng.random() < 0.5 else self.load(vector.element)
        name = self.new(f"insertelement {vector.ty} {vector.name}, {value.ty} {value.name}, i64 {name}")
        data, known = vector.data.copy(), vector.known.copy()
        data[rows, columns], known[rows, columns] = value.data, value.known
        self.store(Value(name, vector.ty, data, known))

    def shuffle(self):
        """Elements of two vectors in another order; some are nobody's."""
        ty = self.rng.choice(VECTORS)
        left, right = self.load(ty), self.load(ty)
        width, count = TYPES[ty]
        wide = self.rng.choice([TYPES[other][1] for other in VECTORS if TYPES[other][0] == width])
        order = [self.rng.choice([*range(2 * count), *range(2 * count), None]) for _ in range(wide)]
        mask = ", ".join("i32 poison" if place is None else f"i32 {place}" for place in order)
        name = self.new(f"shufflevector {ty} {left.name}, {ty} {right.name}, <{wide} x i32> <{mask}>")
        columns = [0 if place is None else place * width + at for place in order for at in range(width)]
        known = np.concatenate([left.known, right.known], 1)[:, columns]
        known[:, [place is None for place in order for _ in range(width)]] = False
        data = np.concatenate([left.data, right.data], 1)[:, columns]
        self.store(Value(name, f"<{wide} x {left.element}>", data, known))

    def combine(self):
        """Whole bytes are shifted, masked, set, cut off or added."""
        value = self.load(self.rng.choice(["i16", "i32", "i64"]))
        ty, size = value.ty, value.data.shape[1]
        data, known = value.data.copy(), value.known.copy()
        kind = self.rng.choice(["shl", "lshr", "and", "or", "trunc", "zext"])
        if kind in ("shl", "lshr"):
            by = self.rng.randrange(size)
            name = self.new(f"{kind} {ty} {value.name}, {8 * by}")
            data, known = np.zeros_like(data), np.ones_like(known)
            here, there = (
                (slice(by, None), slice(0, size - by)) if kind == "shl" else (slice(0, size - by), slice(by, None))
            )
            data[:, here], known[:, here] = value.data[:, there], value.known[:, there]
        elif kind in ("and", "or"):
            mask = np.array([self.rng.choice([0, 255]) for _ in range(size)], np.uint8)
            number = int.from_bytes(mask.tobytes(), "little", signed=True)
            name = self.new(f"{kind} {ty} {value.name}, {number}")
            data = data & mask if kind == "and" else data | mask
            known |= mask == (0 if kind == "and" else 255)
        else:
            other = self.rng.choice([one for one in SCALARS if (TYPES[one][0] > size) == (kind == "zext")] or [ty])
            if other == ty or TYPES[other][0] == size:
                return
            name = self.new(f"{kind} {ty} {value.name} to {other}")
            more = max(0, TYPES[other][0] - size)
            data = np.pad(data, ((0, 0), (0, more)))[:, : TYPES[other][0]]
            known = np.pad(known, ((0, 0), (0, more)), constant_values=True)[:, : TYPES[other][0]]
            ty = other
        self.store(Value(name, ty, data, known))

    def choose(self):
        """Each lane takes one of two values."""
        ty = self.rng.choice(list(TYPES))
        left, right = self.load(ty), self.load(ty)
        bit, taken = self.index(2)
        bit = self.new(f"trunc i64 {bit} to i1")
        name = self.new(f"select i1 {bit}, {ty} {left.name}, {ty} {right.name}")
        taken = taken.astype(bool)[:, None]
        self.store(Value(name, ty, np.where(taken, left.data, right.data), np.where(taken, left.known, right.known)))

    def record(self):
        """A packed struct: parts of it are replaced, or move to another."""
        parts = [self.rng.choice(list(TYPES)) for _ in range(self.rng.randrange(2, 4))]
        size = sum(TYPES[part][0] * TYPES[part][1] for part in parts if "3" not in part and "5" not in part)
        parts = [part for part in parts if "3" not in part and "5" not in part]
        if not parts or size > SIZE:
            return
        ty = f"<{{ {', '.join(parts)} }}>"
        array, pointer, offsets = self.place(size)
        rows, columns = np.arange(LANES)[:, None], offsets[:, None] + np.arange(size)
        name = self.new(f"load {ty}, ptr {pointer}, align 1")
        data, known = self.data[array][rows, columns].copy(), self.known[array][rows, columns].copy()
        which = self.rng.randrange(len(parts))
        start = sum(TYPES[part][0] * TYPES[part][1] for part in parts[:which])
        value = self.load(parts[which])
        name = self.new(f"insertvalue {ty} {name}, {value.ty} {value.name}, {which}")
        data[:, start : start + value.data.shape[1]] = value.data
        known[:, start : start + value.data.shape[1]] = value.known
        self.store(Value(name, ty, data, known))


def octets(seed):
    """A kernel of some twenty statements."""
    writer = Writer(seed)
    statements = [writer.keep, writer.keep, writer.move, writer.move, writer.block, writer.element, writer.element]
    statements += [writer.shuffle, writer.combine, writer.combine, writer.choose, writer.record]
    for _ in range(writer.rng.randrange(8, 30)):
        writer.rng.choice(statements)()
    for place in range(SIZE):
        writer.lines += [
            f"  %from{place} = getelementptr i8, ptr %m, i64 {place}",
            f"  %octet{place} = load i8, ptr %from{place}, align 1",
            f"  %to{place} = getelementptr i8, ptr %row, i64 {place}",
            f"  store i8 %octet{place}, ptr %to{place}, align 1",
        ]
    declared = "\n".join(sorted(writer.declared))
    body = "\n".join(writer.lines)
    text = f"""target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
{declared}
define ptx_kernel void @k(ptr %out, ptr %ints) {{
  %m = alloca [{SIZE} x i8], align 16
  %n = alloca [{SIZE} x i8], align 16
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i64, ptr %ints, i32 %t
  %x = load i64, ptr %p, align 8
  %start = mul i32 %t, {SIZE}
  %row = getelementptr i8, ptr %out, i32 %start
{body}
  ret void
}}
"""
    return Octets(text, writer.ints, writer.data["m"], writer.known["m"])
