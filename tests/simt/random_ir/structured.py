"""Kernels as a compiler would write them."""

import random

from tests.simt.random_ir.aggregates import drawn
from tests.simt.random_ir.control import Control
from tests.simt.random_ir.expressions import BYTES, Scope
from tests.simt.random_ir.kernel import COUNTERS, ENTRY, HEAD, SIGNATURE, Kernel, inputs
from tests.simt.random_ir.lanes import Lanes

TABLE = "@table = internal addrspace(4) constant [4 x ptr] [ptr @helper, ptr @recurse, ptr @helper, ptr @helper]\n"
LOCALS = """  %m0 = alloca %mixed, align 8
  %m1 = alloca %mixed, align 8
  %v = alloca [8 x i64], align 8
  %kept = alloca ptr, align 8
""" + "\n".join(
    f"  %l{n} = getelementptr i32, ptr %local, i32 {n}\n  store i32 {n * 7}, ptr %l{n}, align 4" for n in range(4)
)


class _Statements(Lanes, Control):
    """Writes any statements."""

    def body(self, scope, depth, uniform, count):
        """Some statements; the scope's variables hold their new values after."""
        for _ in range(count):
            if self.budget <= 0:
                break
            self.budget -= 1
            choices = [self._assign] * 4 + [self._store, self._local, self._helper, self._vector]
            choices += [self._struct, self._by_value, self._pointer_in_memory]
            choices += [] if self.plain else [self._copies, self._pointer, self._recursion]
            choices += [self._mixed, self._mixed, self._set, self._vector, self._atomic, self._aliased]
            choices += [self._given, self._view, self._bytes]
            choices += [self._further] * 8 if self.more else []
            if depth < 3:
                choices += [self._if, self._if, self._switch, self._loop, self._loop]
                choices += [self._early] if self.exits else []
            if uniform:
                choices += [
                    self._exchange,
                    self._exchange if self.exits or self.plain else self._exchange_copied,
                    self._uniform_loop,
                    self._uniform_if,
                    self._tally,
                ]
                if not self.exits and self.phased:
                    choices += [self._phases]
                if not self.exits and self.block % 32 == 0:
                    choices += [self._shuffle] * 3 + [self._vote, self._redux, self._match]
                    choices += [self._halves] if self.plain else [self._halves] * 2
            self.rng.choice(choices)(scope, depth)

    def finish(self, scope):
        """Stores the variables to the lane's slot, counts the lane, and ends it."""
        at = 0
        for ty, name in scope.variables:
            at = -(-at // BYTES[ty]) * BYTES[ty]
            place = self.new(f"getelementptr i8, ptr addrspace(1) %slot, i64 {at}")
            if ty == "i1":
                name, ty = self.new(f"zext i1 {name} to i8"), "i8"
            self.emit(f"store {ty} {name}, ptr addrspace(1) {place}, align {BYTES[ty]}")
            at += BYTES[ty]
        which = self.rng.randrange(COUNTERS)
        place = self.new(f"getelementptr i32, ptr addrspace(1) %counters, i64 {which}")
        value = next((n for t, n in scope.variables if t == "i32"), "1")
        # One operation for each place, so that the order does not matter.
        operation = ["add", "xor", "max", "umin", "umax", "min", "and", "or"][which % 8]
        place = f"ptr addrspace(1) {place}"
        self.emit(f"atomicrmw {operation} {place}, i32 {value} monotonic, align 4")
        self.emit("ret void")


def _helper(rng):
    """A function with a loop and a branch, called from anywhere."""
    a, b, c = (rng.randrange(1, 1 << 16) for _ in range(3))
    return f"""define internal i32 @helper(i32 %a, i32 %b) {{
  %trips = and i32 %b, 3
  %odd = and i32 %a, 1
  %c = icmp eq i32 %odd, 0
  br i1 %c, label %early, label %head
early:
  %e = mul i32 %a, {a}
  ret i32 %e
head:
  %i = phi i32 [0, %0], [%j, %head]
  %s = phi i32 [%a, %0], [%t, %head]
  %m = mul i32 %s, {b}
  %t = xor i32 %m, {c}
  %j = add i32 %i, 1
  %go = icmp ult i32 %i, %trips
  br i1 %go, label %head, label %done
done:
  %r = phi i32 [%t, %head]
  ret i32 %r
}}
"""


def _others(rng):
    """Functions that change a struct of their own, and one that calls itself up to eight deep, twice in each call."""
    a, b, c = (rng.randrange(1, 1 << 16) for _ in range(3))
    return f"""define internal i32 @change(ptr byval(%record) align 8 %r, i32 %x) {{
  %p = getelementptr %record, ptr %r, i32 0, i32 1, i32 0
  %v = load i32, ptr %p, align 8
  %s = xor i32 %v, %x
  store i32 %s, ptr %p, align 8
  %q = getelementptr %record, ptr %r, i32 0, i32 3, i32 1
  store i16 {a & 0x7FFF}, ptr %q, align 2
  %w = load %record, ptr %r, align 8
  %y = extractvalue %record %w, 1, 0
  %z = extractvalue %record %w, 3, 1
  %e = zext i16 %z to i32
  %t = mul i32 %y, %e
  ret i32 %t
}}
define internal i32 @keep(ptr byval(%record) align 8 %r, i32 %x) {{
  %v = load i32, ptr %r, align 8
  %s = add i32 %v, %x
  ret i32 %s
}}
define internal i32 @recurse(i32 %a, i32 %b) {{
  %own = alloca i32, align 4
  %left = and i32 %b, 7
  %end = icmp eq i32 %left, 0
  br i1 %end, label %stop, label %go
stop:
  %x = xor i32 %a, {b}
  ret i32 %x
go:
  store i32 %a, ptr %own, align 4
  %less = sub i32 %left, 1
  %m = mul i32 %a, {c}
  %r = call i32 @recurse(i32 %m, i32 %less)
  %odd = trunc i32 %r to i1
  br i1 %odd, label %twice, label %once
twice:
  %half = lshr i32 %left, 1
  %second = call i32 @recurse(i32 %r, i32 %half)
  br label %once
once:
  %s = phi i32 [ %r, %go ], [ %second, %twice ]
  %kept = load i32, ptr %own, align 4
  %t = add i32 %s, %kept
  ret i32 %t
}}
"""


def _begun(writer):
    """One thread begins the barrier in memory."""
    begins = writer.new("icmp eq i32 %tid, 0")
    writer.emit(f"br i1 {begins}, label %begin, label %begun")
    writer.start("begin")
    writer.emit(f"call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 {writer.block})")
    writer.jump("begun")
    writer.start("begun")
    writer.emit("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)")


def structured(seed, plain=False, more=None):
    """A kernel as a compiler would write it.

    Args:
        more: What makes values beside the usual instructions, by their type; see `calls.makers`.
        plain: Without what machine code of the host has no form for: calls that stand alone, copies that are waited
            for later, meetings of halves of warps, and volatile accesses; most are without phases, which it cannot
            count.
    """
    rng = random.Random(seed)
    block, grid = rng.choice([1, 5, 32, 32, 33, 64]), rng.choice([1, 1, 2, 3])
    writer = _Statements(rng, block, exits=rng.random() < 0.3 and not plain, plain=plain, more=more or {})
    kinds = ["i32", "i64", "float", "i1", "i8", "i16", "i32"]
    scope = Scope({ty: [] for ty in BYTES}, [])
    scope.values["i32"] = ["%tid", "%lane", "%id", "%count", "%small"]
    scope.values["i64"] = ["%int", "%wide"]
    scope.values["float"] = ["%float"]
    scope.variables = [
        ("i32", "%small"),
        ("i64", "%int"),
        ("float", "%float"),
        ("i1", "false"),
        ("i8", "1"),
        ("i16", "-1"),
        ("i32", "%tid"),
    ]
    writer.kinds = tuple(kinds)
    writer.mixed = drawn(rng)
    writer.phased = not plain or rng.random() < 0.25
    if writer.phased:
        _begun(writer)
    writer.body(scope, 0, uniform=True, count=rng.randrange(4, 10))
    writer.finish(scope)
    body = "\n".join(writer.lines)
    declared = "\n".join(sorted(writer.declared))
    head = f"{HEAD}%mixed = type {writer.mixed}\n{TABLE}{declared}\n{_helper(rng)}{_others(rng)}"
    text = f"{head}{SIGNATURE}\n{ENTRY}{LOCALS}\n{body}\n}}\n"
    given = tuple(rng.randrange(-(1 << bits - 1), 1 << bits - 1) for bits in (32, 32, 64, 8, 16, 16))
    return Kernel(text, grid, block, *inputs(rng, grid * block), rng.randrange(4), given)
