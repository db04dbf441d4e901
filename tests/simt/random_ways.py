"""Random kernels of many blocks, of which some go alike and others do not: branches and loops by what is loaded, by
thread and by block, global memory at strides and in vectors, and shared memory that all blocks touch alike. In some
one block looks outside.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.simt.engines import BARRIER, VALUE
from tests.simt.lines import Lines

__all__ = ["made"]

LARGEST = 62  # of what is loaded, but for one that a thread looks outside by
TARGETS = ("nvidia:sm_90", "nvidia:sm_90", "amd:gfx942", "apple:apple-m4")
TILE = "getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64"


def made(seed: int) -> tuple[str, dict[str, Any]]:
    """The lines of a kernel, and how `engines.run` launches it: what blocks load comes again after one to three, or is
    the same for the threads of the first ones.
    """
    rng = random.Random(seed)
    grid, block = rng.choice((5, 8, 12)), rng.choice((32, 40, 64))
    size = 1 << (grid * block - 1).bit_length()
    different = 1 if rng.random() < 0.2 else block * rng.choice((1, 2, 3))
    values = np.resize(np.array([rng.randint(0, LARGEST) for _ in range(different)], np.int32), size)
    if rng.random() < 0.3:
        values[: block * rng.randrange(1, grid)] = rng.randint(0, LARGEST)
    if rng.random() < 0.2:
        values[rng.randrange(grid * block)] = LARGEST + 1
    how = {"grid": grid, "block": block, "size": size, "values": values, "initialised": True}
    how["target"] = rng.choice(TARGETS)
    return _Lines(rng=rng, size=size).all(), how


@dataclass(eq=False, kw_only=True)
class _Lines(Lines):
    size: int

    def all(self) -> str:
        self.lines += [VALUE, "  %t64 = zext i32 %t to i64"]
        for _ in range(self.rng.randint(1, 5)):
            match self.rng.choice(("shared", "exchanged", "met", "far", "loaded", "more", "more", "more")):
                case "shared":
                    self._store_shared()
                case "exchanged":
                    self._store_shared()
                    self._load_shared()
                    self._line(BARRIER)
                case "met":
                    self._loop(1, meets=True)
                case "far":
                    at = self._new(f"mul i64 {self._new('zext i32 %v to i64')}, {-(-self.size // (LARGEST + 1))}")
                    at = self._new(f"select i1 {self._new(f'icmp ult i64 {at}, {self.size}')}, i64 %i, i64 {at}")
                    self._new(f"load i32, ptr {self._new(f'getelementptr i32, ptr %a, i64 {at}')}")
                case "loaded":
                    self.values.append(self._load())
                case "more":
                    self._something(0)
        return "\n".join(self.lines)

    def _load(self) -> str:
        step, first = self.rng.choice((1, 1, 1, 2, 3, 8)), self.rng.choice((0, 0, 1, 5))
        at = self._new(f"mul i64 {self.rng.choice(('%i', '%t64'))}, {step}")
        at = self._new(f"{self.rng.choice(('add', 'xor', 'sub'))} i64 {at}, {first}")
        many = self.rng.choice((1, 1, 2, 4))
        align = self.rng.choice((4, 4 * many))
        at = self._new(f"and i64 {at}, {self.size - many}" if align > 4 else f"urem i64 {at}, {self.size - many + 1}")
        place, ty = self._new(f"getelementptr i32, ptr %a, i64 {at}"), f"<{many} x i32>"
        loaded = self._new(f"load {ty}, ptr {place}, align {align}")
        return self._new(f"extractelement {ty} {loaded}, i32 {self.rng.randrange(many)}")

    def _store(self) -> None:
        place = self._new("getelementptr i32, ptr %o, i64 %i")
        self._line(f"store i32 {self.rng.choice(self.values)}, ptr {place}")

    def _store_shared(self) -> None:
        at = self._new(f"and i64 {self._new(f'mul i64 %t64, {self.rng.choice((1, 3, 5, 17))}')}, 63")
        self._line(f"store i32 {self.rng.choice(self.values)}, ptr addrspace(3) {self._new(f'{TILE} {at}')}")
        self._line(BARRIER)

    def _load_shared(self) -> None:
        at = self._new(f"and i64 {self._new(f'xor i64 %t64, {self.rng.choice((1, 2, 9, 32, 63))}')}, 63")
        self._new(f"load i32, ptr addrspace(3) {self._new(f'{TILE} {at}')}")

    def _something(self, depth: int) -> None:
        what = self.rng.choice(("load", "load", "store", "branch", "branch", "loop")[: 6 if depth < 2 else 3])
        {"load": self._load, "store": self._store}.get(what, lambda: self._nested(what, depth + 1))()

    def _nested(self, what: str, depth: int) -> None:
        """Values that are made inside are not known behind it."""
        before = list(self.values)
        (self._branch if what == "branch" else self._loop)(depth)
        self.values = before

    def _branch(self, depth: int) -> None:
        what = self.rng.choice(("%t", *self.values, "%bx"))
        if what == "%t":
            taken = self._new(f"icmp ult i32 %t, {self.rng.choice((1, 7, 16, 32, 40))}")
        else:
            bit = self._new(f"and i32 {what}, {self.rng.choice((1, 2, 4, 32))}")
            taken = self._new(f"icmp eq i32 {bit}, 0")
        self.made += 1
        some, other, both = (f"{name}{self.made}" for name in ("some", "other", "both"))
        self._line(f"br i1 {taken}, label %{some}, label %{other}")
        for label, most in ((some, 2), (other, 1)):
            self._begin(label)
            for _ in range(self.rng.randint(0, most)):
                self._something(depth)
            self._line(f"br label %{both}")
        self._begin(both)

    def _loop(self, depth: int, *, meets: bool = False) -> None:
        """In one of 20 lanes go round so often that in Python those behind it have a turn before."""
        uneven, most = self.rng.random() < 0.5 and not meets, 600 if self.rng.random() < 0.05 and not meets else 3
        rounds = self._new(f"urem i32 {self.rng.choice(self.values)}, {most + 1}") if uneven else ""
        rounds = rounds or str(most if most > 3 else self.rng.randint(1, 3))
        self.made += 1
        number, before = self.made, self.label
        self._line(f"br label %loop{number}")
        self._begin(f"loop{number}")
        place = len(self.lines)
        for _ in range(self.rng.randint(0, 2)):
            self._something(depth)
        if meets:
            self._line(BARRIER)
        phi = f"  %n{number} = phi i32 [ 0, %{before} ], [ %more{number}, %{self.label} ]"
        self.lines.insert(place, phi)
        self._line(f"%more{number} = add i32 %n{number}, 1")
        on = self._new(f"icmp ule i32 %more{number}, {rounds}")
        self._line(f"br i1 {on}, label %loop{number}, label %end{number}")
        self._begin(f"end{number}")
