"""Random kernels that keep values in local variables: written in parts, overlapping, in branches and in loops."""

from __future__ import annotations

import random

__all__ = ["random_locals"]

SIZE = 16  # bytes of a variable
WIDTHS = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "float": 4, "<2 x i32>": 8, "<4 x i32>": 16, "<4 x float>": 16}


class _Writer:
    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.lines: list[str] = []
        self._count = 0
        self.sums = ["%v"]

    def name(self) -> str:
        self._count += 1
        return f"%x{self._count}"

    def put(self, instruction: str) -> str:
        name = self.name()
        self.lines.append(f"  {name} = {instruction}")
        return name

    def address(self, ty: str) -> str:
        """An address in a variable: mostly a constant, sometimes the lane's, rarely either of two."""
        variable = self.chance.choice(("%l", "%m", "%n"))
        offset = self.chance.randrange(0, SIZE - WIDTHS[ty] + 1, WIDTHS[ty])
        match self.chance.randrange(12):
            case 0 if WIDTHS[ty] <= 4:
                index = self.put("and i64 %i, 3")
                return self.put(f"getelementptr i32, ptr {variable}, i64 {index}")
            case 1:
                other = self.chance.choice(("%l", "%m", "%n"))
                variable = self.put(f"select i1 %odd, ptr {variable}, ptr {other}")
            case 2 | 3:
                variable = self.put(f"load ptr, ptr %p{self.chance.randrange(2)}")
        return self.put(f"getelementptr i8, ptr {variable}, i64 {offset}")

    def value(self, ty: str) -> str:
        """A value of a type that follows from a sum."""
        total = self.chance.choice(self.sums)
        match ty:
            case "i32":
                return total
            case "float":
                return self.put(f"sitofp i32 {self.put(f'and i32 {total}, 255')} to float")
            case "i8" | "i16":
                return self.put(f"trunc i32 {total} to {ty}")
            case "i64":
                return self.put(f"zext i32 {total} to i64")
        count, element = int(ty[1]), ty[5:-1]
        vector = "zeroinitializer"
        for place in range(count):
            vector = self.put(f"insertelement {ty} {vector}, {element} {self.value(element)}, i32 {place}")
        return vector

    def add(self, ty: str, value: str) -> None:
        """Add a value to the sums, as an i32."""
        match ty:
            case "float":
                value = self.put(f"bitcast float {value} to i32")
            case "i8" | "i16":
                value = self.put(f"zext {ty} {value} to i32")
            case "i64":
                value = self.put(f"trunc i64 {value} to i32")
            case "i32":
                pass
            case _:
                element = self.put(f"extractelement {ty} {value}, i32 {self.chance.randrange(int(ty[1]))}")
                self.add(ty[5:-1], element)
                return
        self.sums.append(self.put(f"add i32 {self.sums[-1]}, {value}"))

    def step(self) -> None:
        """An access, a pointer that is kept, or the begin of a life."""
        ty = self.chance.choice([*WIDTHS])
        match self.chance.randrange(20):
            case 0:
                variable = self.chance.choice(("%l", "%m", "%n"))
                self.lines.append(f"  call void @llvm.lifetime.start.p0(i64 16, ptr {variable})")
            case 1 | 2:
                variable = self.chance.choice(("%l", "%m", "%n"))
                self.lines.append(f"  store ptr {variable}, ptr %p{self.chance.randrange(2)}")
            case 3:
                self.lines.append("  call void @llvm.memcpy.p0.p0.i64(ptr %m, ptr %l, i64 16, i1 false)")
            case chosen if chosen < 12:
                volatile = "volatile " * (self.chance.randrange(15) == 0)
                value = self.value(ty)
                self.lines.append(f"  store {volatile}{ty} {value}, ptr {self.address(ty)}")
            case _:
                self.add(ty, self.put(f"load {ty}, ptr {self.address(ty)}"))

    def steps(self, most: int) -> None:
        for _ in range(self.chance.randrange(1, most)):
            self.step()


def random_locals(seed: int) -> str:
    """Return the lines of a kernel that stores what it loaded of three local variables to its element of `%o`."""
    writer = _Writer(seed)
    writer.lines += ["  %odd1 = and i32 %v, 1", "  %odd = icmp ne i32 %odd1, 0"]
    writer.lines += [f"  %{name} = alloca [16 x i8], align 16" for name in "lmn"]
    writer.lines += ["  %p0 = alloca ptr", "  %p1 = alloca ptr", "  store ptr %l, ptr %p0", "  store ptr %m, ptr %p1"]
    for name in "lmn":
        if writer.chance.randrange(10):
            writer.lines.append(f"  store <4 x i32> {writer.value('<4 x i32>')}, ptr %{name}")
    writer.steps(8)
    before = list(writer.sums)
    writer.lines += ["  br label %loop", "loop:", "  %round = phi i32 [ 0, %0 ], [ %next, %both ]"]
    writer.lines.append(f"  %sum = phi i32 [ {before[-1]}, %0 ], [ SUM, %both ]")
    writer.sums = [*before, "%sum"]
    writer.steps(6)
    inside = list(writer.sums)
    writer.lines += ["  br i1 %odd, label %one, label %other", "one:"]
    writer.steps(5)
    one, writer.sums = writer.sums[-1], inside
    writer.lines += ["  br label %both", "other:"]
    if writer.chance.randrange(2):
        writer.steps(5)
    other, writer.sums = writer.sums[-1], inside[:1]
    writer.lines += ["  br label %both", "both:", f"  %joined = phi i32 [ {one}, %one ], [ {other}, %other ]"]
    writer.sums = [*before, "%joined"]
    if writer.chance.randrange(2):
        writer.lines.append("  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)")
    writer.steps(8)
    writer.lines += ["  %next = add i32 %round, 1", "  %more = icmp ult i32 %next, 3"]
    writer.lines += ["  br i1 %more, label %loop, label %end", "end:"]
    last, writer.sums = writer.sums[-1], [*before, writer.sums[-1]]
    writer.steps(5)
    writer.lines.append(f"  %w = add i32 {writer.sums[-1]}, 0")
    return "\n".join(writer.lines).replace("SUM", last)
