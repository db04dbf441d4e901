"""Random kernels as LLVM IR text, made from a seed.

`structured` nests ifs, switches, loops and early exits as a compiler would, and
puts barriers and shuffles where all lanes come, and anywhere vectors, structs, calls of
all kinds and copies that are waited for later; `graph` joins blocks at random, irreducible loops included, with
fuel so that every lane ends. No kernel has a race, reads what nobody wrote, or depends
on anything that LLVM leaves open.
"""

import random
from dataclasses import dataclass, field

__all__ = ["Kernel", "graph", "structured"]

HEAD = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare float @llvm.fma.f32(float, float, float)
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.8.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
declare void @llvm.nvvm.cp.async.wait.all()
declare <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32>, i64)
declare <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32>, <2 x i32>, i64)
%record = type { i32, { i32, i64 }, i8, [2 x i16] }
@shared = internal addrspace(3) global [128 x i64] undef, align 8
@copied = internal addrspace(3) global [512 x i64] undef, align 16
"""
# Of %record: the place of each part, as `insertvalue` has it.
FIELDS = {"0": "i32", "1, 0": "i32", "1, 1": "i64", "2": "i8", "3, 0": "i16", "3, 1": "i16"}
SLOT_BYTES = 64
COUNTERS = 16
BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
BYTES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "float": 4}
INT_PREDICATES = ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"]
FLOAT_PREDICATES = [
    *("oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno"),
]
PURE = {
    "smax": 2,
    "smin": 2,
    "umax": 2,
    "umin": 2,
    "ctpop": 1,
    "ctlz": 1,
    "cttz": 1,
    "bitreverse": 1,
    "fshl": 3,
    "fshr": 3,
    "uadd.sat": 2,
    "usub.sat": 2,
    "sadd.sat": 2,
    "ssub.sat": 2,
}


@dataclass(frozen=True)
class Kernel:
    """A kernel `k(ints, floats, out, counters, count)` and its launch.

    Attributes:
        ints: One i64 for each thread; `floats` one float32.
        count: A uniform i32.
    """

    text: str
    grid: int
    block: int
    ints: tuple
    floats: tuple
    count: int


def _inputs(rng, threads):
    ints = [
        rng.choice(
            [0, 1, -1, 2, 7, -(1 << 31), (1 << 31) - 1, rng.getrandbits(63), -rng.getrandbits(40), rng.randrange(100)]
        )
        for _ in range(threads)
    ]
    floats = [
        rng.choice(
            [
                0.0,
                -0.0,
                1.0,
                -1.5,
                0.1,
                3.0e38,
                1e-40,
                float("inf"),
                float("nan"),
                *(rng.uniform(-9, 9) for _ in range(9)),
            ]
        )
        for _ in range(threads)
    ]
    return tuple(ints), tuple(floats)


@dataclass
class _Scope:
    """What can be used at a place: values by type, and the variables' values."""

    values: dict
    variables: list

    def copy(self):
        """A scope for an inner block."""
        values = {ty: list(names) for ty, names in self.values.items()}
        return _Scope(values, list(self.variables))


@dataclass
class _Writer:
    rng: random.Random
    block: int
    exits: bool
    lines: list = field(default_factory=list)
    declared: set = field(default_factory=set)
    count: int = 0
    label: str = "entry"
    budget: int = 30
    kinds: tuple = ("i32", "i32", "i64", "i1", "i8", "i16", "float")

    def emit(self, text):
        self.lines.append(f"  {text}")

    def new(self, text):
        self.count += 1
        name = f"%v{self.count}"
        self.emit(f"{name} = {text}")
        return name

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def start(self, label):
        self.lines.append(f"{label}:")
        self.label = label

    def jump(self, label):
        self.emit(f"br label %{label}")

    # Values.

    def constant(self, ty):
        if ty == "float":
            return self.rng.choice(["0.0", "1.0", "-2.5", "0.5", "3.0", "1.0e10"])
        if ty == "i1":
            return self.rng.choice(["true", "false"])
        half = 1 << BITS[ty] - 1
        return str(self.rng.choice([0, 1, 2, 3, -1, half - 1, -half, self.rng.randrange(-half, half)]))

    def any(self, scope, ty):
        """A value of a type that is there already, or a constant."""
        names = scope.values[ty] + [n for t, n in scope.variables if t == ty]
        if not names or self.rng.random() < 0.15:
            return self.constant(ty)
        return self.rng.choice(names[-3:] if self.rng.random() < 0.4 else names)

    def expression(self, scope, ty):
        """A new value of a type."""
        make = self.rng.choice(MAKERS[ty])
        name = make(self, scope, ty)
        scope.values[ty].append(name)
        return name

    def _integer(self, scope, ty):
        rng, bits = self.rng, BITS[ty]
        op = rng.choice(
            ["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "urem", "sdiv", "srem"]
        )
        a, b = self.any(scope, ty), self.any(scope, ty)
        if bits == 1 and op not in ("add", "sub", "mul", "and", "or", "xor"):
            op = "xor"
        if op in ("shl", "lshr", "ashr"):
            b = self.new(f"and {ty} {b}, {bits - 1}")
        elif op in ("udiv", "urem"):
            b = self.new(f"or {ty} {b}, 1")
        elif op in ("sdiv", "srem"):
            b = self.new(f"lshr {ty} {b}, 1")
            b = self.new(f"or {ty} {b}, 1")
            if rng.random() < 0.5:  # -1 would overflow with the least dividend
                b = self.new(f"or {ty} {b}, 2")
                b = self.new(f"sub {ty} 0, {b}")
        return self.new(f"{op} {ty} {a}, {b}")

    def _pure(self, scope, ty):
        name = self.rng.choice(sorted(PURE))
        arguments = [f"{ty} {self.any(scope, ty)}" for _ in range(PURE[name])]
        kinds = [ty] * PURE[name]
        if name in ("ctlz", "cttz"):
            arguments.append("i1 false")
            kinds.append("i1")
        self.declared.add(f"declare {ty} @llvm.{name}.{ty}({', '.join(kinds)})")
        return self.new(f"call {ty} @llvm.{name}.{ty}({', '.join(arguments)})")

    def _resize(self, scope, ty):
        other = self.rng.choice([t for t in BITS if t != ty])
        value = self.any(scope, other)
        if BITS[other] > BITS[ty]:
            return self.new(f"trunc {other} {value} to {ty}")
        return self.new(f"{self.rng.choice(['zext', 'sext'])} {other} {value} to {ty}")

    def _select(self, scope, ty):
        condition, a, b = (
            self.any(scope, "i1"),
            self.any(scope, ty),
            self.any(scope, ty),
        )
        return self.new(f"select i1 {condition}, {ty} {a}, {ty} {b}")

    def _compare(self, scope, _):
        if self.rng.random() < 0.25:
            predicate = self.rng.choice(FLOAT_PREDICATES)
            a, b = self.any(scope, "float"), self.any(scope, "float")
            return self.new(f"fcmp {predicate} float {a}, {b}")
        ty = self.rng.choice(list(BITS))
        predicate = self.rng.choice(INT_PREDICATES)
        return self.new(f"icmp {predicate} {ty} {self.any(scope, ty)}, {self.any(scope, ty)}")

    def _floating(self, scope, ty):
        op = self.rng.choice(["fadd", "fsub", "fmul", "fdiv", "fneg", "fma"])
        a, b = self.any(scope, ty), self.any(scope, ty)
        if op == "fneg":
            return self.new(f"fneg float {a}")
        if op == "fma":
            c = self.any(scope, ty)
            return self.new(f"call float @llvm.fma.f32(float {a}, float {b}, float {c})")
        return self.new(f"{op} float {a}, {b}")

    def _to_float(self, scope, _):
        ty = self.rng.choice(["i8", "i16", "i32", "i64"])
        op = self.rng.choice(["sitofp", "uitofp"])
        return self.new(f"{op} {ty} {self.any(scope, ty)} to float")

    def _from_float(self, scope, ty):
        """Only what fits the smallest type: anything else would be poison."""
        value = self.any(scope, "float")
        low = self.new(f"fcmp ogt float {value}, -100.0")
        high = self.new(f"fcmp olt float {value}, 100.0")
        both = self.new(f"and i1 {low}, {high}")
        safe = self.new(f"select i1 {both}, float {value}, float 1.5")
        return self.new(f"fptosi float {safe} to {ty}")

    # Statements.

    def body(self, scope, depth, uniform, count):
        """Some statements; the scope's variables hold their new values after."""
        for _ in range(count):
            if self.budget <= 0:
                break
            self.budget -= 1
            choices = [self._assign] * 4 + [self._store, self._local, self._helper, self._copies, self._vector]
            choices += [self._struct, self._by_value, self._pointer, self._recursion]
            if depth < 3:
                choices += [self._if, self._if, self._switch, self._loop, self._loop]
                choices += [self._early] if self.exits else []
            if uniform:
                choices += [
                    self._exchange,
                    self._exchange if self.exits else self._exchange_copied,
                    self._uniform_loop,
                    self._uniform_if,
                ]
                if not self.exits and self.block % 32 == 0:
                    choices += [self._shuffle] * 4 + [
                        self._vote,
                        self._halves,
                        self._halves,
                    ]
            self.rng.choice(choices)(scope, depth)

    def _assign(self, scope, _depth):
        place = self.rng.randrange(len(scope.variables))
        ty = scope.variables[place][0]
        for _ in range(self.rng.randrange(3)):
            self.expression(scope, self.rng.choice(self.kinds))
        self._keep(scope, ty, self.expression(scope, ty), place)

    def _keep(self, scope, ty, value, place=None):
        """Mixes a value into a variable, so that it shows in the output."""
        scope.values[ty].append(value)
        if place is None:
            places = [n for n, (one, _) in enumerate(scope.variables) if one == ty]
            place = self.rng.choice(places)
        if ty != "float":
            op = self.rng.choice(["add", "xor", "sub"])
            value = self.new(f"{op} {ty} {scope.variables[place][1]}, {value}")
        scope.variables[place] = (ty, value)

    def _store(self, scope, _depth):
        ty = self.rng.choice(["i8", "i16", "i32"])
        self.emit(f"store {ty} {self.any(scope, ty)}, ptr addrspace(1) %spare, align 4")

    def _local(self, scope, _depth):
        """Writes and reads a private array."""
        index = self.new(f"and i32 {self.any(scope, 'i32')}, 3")
        at = self.new(f"getelementptr [4 x i32], ptr %local, i32 0, i32 {index}")
        self.emit(f"store i32 {self.any(scope, 'i32')}, ptr {at}, align 4")
        index = self.new(f"and i32 {self.any(scope, 'i32')}, 3")
        at = self.new(f"getelementptr i32, ptr %local, i32 {index}")
        self._keep(scope, "i32", self.new(f"load i32, ptr {at}, align 4"))

    def _helper(self, scope, _depth):
        a, b = self.any(scope, "i32"), self.any(scope, "i32")
        self._keep(scope, "i32", self.new(f"call i32 @helper(i32 {a}, i32 {b})"))

    def _struct(self, scope, _depth):
        """A struct in registers, sometimes through memory as a whole."""
        record = "zeroinitializer"
        for place in (*FIELDS, *self.rng.sample(list(FIELDS), 2)):
            ty = FIELDS[place]
            record = self.new(f"insertvalue %record {record}, {ty} {self.any(scope, ty)}, {place}")
        if self.rng.random() < 0.5:
            self.emit(f"store %record {record}, ptr %place, align 8")
            record = self.new("load %record, ptr %place, align 8")
        for place in self.rng.sample(list(FIELDS), 2):
            self._keep(scope, FIELDS[place], self.new(f"extractvalue %record {record}, {place}"))

    def _by_value(self, scope, _depth):
        """The function changes its copy; the caller's struct stays."""
        record = "zeroinitializer"
        for place, ty in FIELDS.items():
            record = self.new(f"insertvalue %record {record}, {ty} {self.any(scope, ty)}, {place}")
        self.emit(f"store %record {record}, ptr %place, align 8")
        given = f"ptr byval(%record) align 8 %place, i32 {self.any(scope, 'i32')}"
        callee = "@change"
        if self.rng.random() < 0.3:
            callee = self.new(f"select i1 {self.any(scope, 'i1')}, ptr @change, ptr @keep")
        self._keep(scope, "i32", self.new(f"call i32 {callee}({given})"))
        which = self.rng.choice(["0", "1, i32 0"])
        at = self.new(f"getelementptr %record, ptr %place, i32 0, i32 {which}")
        self._keep(scope, "i32", self.new(f"load i32, ptr {at}, align 4"))

    def _pointer(self, scope, _depth):
        """Each lane may call another function."""
        a, b = self.any(scope, "i32"), self.any(scope, "i32")
        callee = self.new(f"select i1 {self.any(scope, 'i1')}, ptr @helper, ptr @recurse")
        if self.rng.random() < 0.5:
            callee = self.new(f"select i1 {self.any(scope, 'i1')}, ptr {callee}, ptr @helper")
        self._keep(scope, "i32", self.new(f"call i32 {callee}(i32 {a}, i32 {b})"))

    def _recursion(self, scope, _depth):
        a, b = self.any(scope, "i32"), self.any(scope, "i32")
        self._keep(scope, "i32", self.new(f"call i32 @recurse(i32 {a}, i32 {b})"))

    def _merge(self, scope, arms):
        """Phis for the variables that differ between (label, scope) arms."""
        for place, (ty, _) in enumerate(scope.variables):
            names = [arm.variables[place][1] for _, arm in arms]
            if len(set(names)) == 1:
                scope.variables[place] = (ty, names[0])
                continue
            ways = ", ".join(f"[{name}, %{label}]" for name, (label, _) in zip(names, arms, strict=True))
            scope.variables[place] = (ty, self.new(f"phi {ty} {ways}"))

    def _branches(self, scope, depth, condition, uniform=False):
        yes, no, end = self.fresh("yes"), self.fresh("no"), self.fresh("end")
        both = self.rng.random() < 0.6
        before = self.label
        self.emit(f"br i1 {condition}, label %{yes}, label %{no if both else end}")
        arms = []
        for label in (yes, no) if both else (yes,):
            self.start(label)
            inner = scope.copy()
            self.body(inner, depth + 1, uniform, self.rng.randrange(1, 4))
            arms.append((self.label, inner))
            self.jump(end)
        if not both:
            arms.append((before, scope.copy()))
        self.start(end)
        self._merge(scope, arms)

    def _if(self, scope, depth):
        self._branches(scope, depth, self.expression(scope, "i1"))

    def _uniform_if(self, scope, depth):
        odd = self.new(f"and i32 %{self.rng.choice(['ctaid', 'count'])}, 1")
        self._branches(scope, depth, self.new(f"icmp eq i32 {odd}, 0"), uniform=True)

    def _switch(self, scope, depth):
        ty = self.rng.choice(["i8", "i32", "i64"])
        value = self.new(f"and {ty} {self.any(scope, ty)}, 7")
        cases = self.rng.sample(range(8), self.rng.randrange(1, 5))
        labels = [self.fresh("case") for _ in cases]
        if len(labels) > 2:
            labels[-1] = labels[0]
        end = self.fresh("end")
        listed = " ".join(f"{ty} {case}, label %{label}" for case, label in zip(cases, labels, strict=True))
        before = self.label
        self.emit(f"switch {ty} {value}, label %{end} [{listed}]")
        arms = [(before, scope.copy())]
        for label in dict.fromkeys(labels):
            self.start(label)
            inner = scope.copy()
            self.body(inner, depth + 1, False, self.rng.randrange(1, 3))
            arms.append((self.label, inner))
            self.jump(end)
        self.start(end)
        self._merge(scope, arms)

    def _loop(self, scope, depth):
        """A loop whose lanes go round 0 to 5 times, or leave in the middle."""
        trips = self.new(f"urem i32 {self.any(scope, 'i32')}, 6")
        self._turns(scope, depth, trips, uniform=False)

    def _uniform_loop(self, scope, depth):
        trips = self.rng.choice(["%count", "2", "3"])
        self._turns(scope, depth + 1, trips, uniform=True)

    def _turns(self, scope, depth, trips, uniform):
        head, inside, step, end = map(self.fresh, ("head", "inside", "step", "end"))
        leave = not uniform and self.rng.random() < 0.4
        again = not uniform and self.rng.random() < 0.3
        before = self.label
        self.jump(head)
        self.start(head)
        where = len(self.lines)
        outer = [name for _, name in scope.variables]
        names = [self.fresh("%x") for _ in outer]
        counter, following = self.fresh("%i"), self.fresh("%n")
        scope.variables = [(ty, name) for (ty, _), name in zip(scope.variables, names, strict=True)]
        go = self.new(f"icmp slt i32 {counter}, {trips}")
        self.emit(f"br i1 {go}, label %{inside}, label %{end}")
        exits = [(head, scope.copy())]
        self.start(inside)
        inner = scope.copy()
        inner.values["i32"].append(counter)
        self.body(inner, depth + 1, uniform, self.rng.randrange(1, 4))
        steps = []
        if leave:
            condition, stay = self.expression(inner, "i1"), self.fresh("stay")
            exits.append((self.label, inner.copy()))
            self.emit(f"br i1 {condition}, label %{end}, label %{stay}")
            self.start(stay)
        if again:
            condition, stay = self.expression(inner, "i1"), self.fresh("stay")
            steps.append((self.label, inner.copy()))
            self.emit(f"br i1 {condition}, label %{step}, label %{stay}")
            self.start(stay)
            self.body(inner, depth + 1, False, 1)
        steps.append((self.label, inner.copy()))
        self.jump(step)
        self.start(step)
        self._merge(inner, steps)
        self.emit(f"{following} = add i32 {counter}, 1")
        self.jump(head)
        phis = [f"  {counter} = phi i32 [0, %{before}], [{following}, %{step}]"]
        phis += [
            f"  {name} = phi {ty} [{first}, %{before}], [{last}, %{step}]"
            for name, first, (ty, last) in zip(names, outer, inner.variables, strict=True)
        ]
        self.lines[where:where] = phis
        self.start(end)
        self._merge(scope, exits)

    def _early(self, scope, _depth):
        """Some lanes end here."""
        gone, stay = self.fresh("gone"), self.fresh("stay")
        first = self.expression(scope, "i1")
        second = self.new(f"icmp ugt i32 {self.any(scope, 'i32')}, 1000")
        both = self.new(f"and i1 {first}, {second}")
        self.emit(f"br i1 {both}, label %{gone}, label %{stay}")
        self.start(gone)
        self.finish(scope)
        self.start(stay)

    def _exchange(self, scope, _depth):
        """Through shared memory, between two barriers."""
        ty = self.rng.choice(["i32", "i64", "float", "i16"])
        barrier = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
        self.emit(f"store {ty} {self.any(scope, ty)}, ptr addrspace(3) %cell, align 8")
        self.emit(barrier)
        far = self.new(f"add i32 %tid, {self.rng.randrange(1, self.block + 1)}")
        far = self.new(f"urem i32 {far}, %ntid")
        at = self.new(f"getelementptr [128 x i64], ptr addrspace(3) @shared, i32 0, i32 {far}")
        self._keep(scope, ty, self.new(f"load {ty}, ptr addrspace(3) {at}, align 8"))
        self.emit(barrier)

    def _copies(self, scope, _depth):
        """Copies to places of the lane's own, a group each; some are waited for, read, then all are."""
        count = self.rng.randrange(1, 4)
        for number in range(count):
            size = self.rng.choice([4, 8])
            at = self.new(f"getelementptr i64, ptr addrspace(3) %own, i32 {number}")
            which = self.new(f"urem i32 {self.any(scope, 'i32')}, %ntid")
            source = self.new(f"getelementptr i64, ptr addrspace(1) %ints, i32 {which}")
            filled, given = self.rng.choice([("", ""), (".s", ", i32 ")])
            if filled:
                given += self.new(f"and i32 {self.any(scope, 'i32')}, {size - 1}")
            places = f"ptr addrspace(3) {at}, ptr addrspace(1) {source}{given}"
            self.emit(f"call void @llvm.nvvm.cp.async.ca.shared.global.{size}{filled}({places})")
            self.emit("call void @llvm.nvvm.cp.async.commit.group()")
        left = self.rng.randrange(count)
        self.emit(f"call void @llvm.nvvm.cp.async.wait.group(i32 {left})")
        for number in range(count - left):
            at = self.new(f"getelementptr i64, ptr addrspace(3) %own, i32 {number}")
            self._keep(scope, "i32", self.new(f"load i32, ptr addrspace(3) {at}, align 8"))
        self.emit("call void @llvm.nvvm.cp.async.wait.all()")

    def _vector(self, scope, _depth):
        """A vector is put together, changed as a whole, and taken apart."""
        rng, vector = self.rng, "zeroinitializer"
        for number in range(4):
            vector = self.new(f"insertelement <4 x i32> {vector}, i32 {self.any(scope, 'i32')}, i64 {number}")
        other = vector
        for _ in range(rng.randrange(1, 4)):
            match rng.randrange(4):
                case 0:
                    vector = self.new(f"{rng.choice(['add', 'sub', 'mul', 'xor'])} <4 x i32> {vector}, {other}")
                case 1:
                    order = ", ".join(f"i32 {rng.randrange(8)}" for _ in range(4))
                    vector = self.new(f"shufflevector <4 x i32> {vector}, <4 x i32> {other}, <4 x i32> <{order}>")
                case 2:
                    value = self.any(scope, "i32")
                    vector = self.new(f"insertelement <4 x i32> {vector}, i32 {value}, i64 {rng.randrange(4)}")
                case 3:
                    start, stop = rng.choice([0, 2]), rng.choice([0, 2])
                    name = "llvm.vector.extract.v2i32.v4i32"
                    part = self.new(f"call <2 x i32> @{name}(<4 x i32> {other}, i64 {start})")
                    name = "llvm.vector.insert.v4i32.v2i32"
                    vector = self.new(f"call <4 x i32> @{name}(<4 x i32> {vector}, <2 x i32> {part}, i64 {stop})")
        for number in rng.sample(range(4), 2):
            self._keep(scope, "i32", self.new(f"extractelement <4 x i32> {vector}, i64 {number}"))

    def _exchange_copied(self, scope, _depth):
        """Each lane waits for its own copy, and reads another's behind a barrier."""
        barrier = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
        places = "ptr addrspace(3) %own, ptr addrspace(1) %intp"
        self.emit(f"call void @llvm.nvvm.cp.async.ca.shared.global.8({places})")
        self.emit("call void @llvm.nvvm.cp.async.wait.all()")
        self.emit(barrier)
        far = self.new(f"add i32 %tid, {self.rng.randrange(1, self.block + 1)}")
        far = self.new(f"urem i32 {far}, %ntid")
        far = self.new(f"mul i32 {far}, 4")
        at = self.new(f"getelementptr i64, ptr addrspace(3) @copied, i32 {far}")
        self._keep(scope, "i64", self.new(f"load i64, ptr addrspace(3) {at}, align 8"))
        self.emit(barrier)

    def _shuffle(self, scope, _depth, mask=-1, width=32):
        mode = self.rng.choice(["up", "down", "bfly", "idx", "f32"])
        clamp = (32 - width << 8) | (0 if mode == "up" else 31)
        distance = self.rng.randrange(width)
        if mode == "f32":
            call = f"call float @llvm.nvvm.shfl.sync.bfly.f32(i32 {mask}, float"
            value = self.any(scope, "float")
            value = self.new(f"{call} {value}, i32 {distance}, i32 {clamp})")
            self._keep(scope, "float", value)
            return
        if mode == "idx" and self.rng.random() < 0.5:
            distance = self.new(f"and i32 {self.any(scope, 'i32')}, {width - 1}")
        call = f"call i32 @llvm.nvvm.shfl.sync.{mode}.i32(i32 {mask}, i32"
        value = self.any(scope, "i32")
        value = self.new(f"{call} {value}, i32 {distance}, i32 {clamp})")
        self._keep(scope, "i32", value)

    def _vote(self, scope, _depth, mask=-1):
        bit, kind = self.any(scope, "i1"), self.rng.choice(["ballot", "any", "all"])
        ty = "i32" if kind == "ballot" else "i1"
        call = f"call {ty} @llvm.nvvm.vote.{kind}.sync(i32 {mask}, i1 {bit})"
        self._keep(scope, ty, self.new(call))

    def _halves(self, scope, _depth):
        """Each half of a warp shuffles and votes for itself, at its own place."""
        low, high, end = map(self.fresh, ("low", "high", "end"))
        here = self.new("icmp ult i32 %lane, 16")
        self.emit(f"br i1 {here}, label %{low}, label %{high}")
        arms = []
        for label, mask in ((low, 0xFFFF), (high, -0x10000)):
            self.start(label)
            inner = scope.copy()
            for _ in range(self.rng.randrange(1, 4)):
                self.rng.choice([self._shuffle_half, self._vote_half])(inner, mask)
            if self.rng.random() < 0.5:
                self.emit(f"call void @llvm.nvvm.bar.warp.sync(i32 {mask})")
            self._assign(inner, 0)
            arms.append((self.label, inner))
            self.jump(end)
        self.start(end)
        self._merge(scope, arms)

    def _shuffle_half(self, scope, mask):
        self._shuffle(scope, 0, mask, self.rng.choice([16, 8, 4]))

    def _vote_half(self, scope, mask):
        self._vote(scope, 0, mask)

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


MAKERS = {
    **{
        ty: [_Writer._integer, _Writer._integer, _Writer._resize, _Writer._select, _Writer._pure, _Writer._from_float]
        for ty in ("i8", "i16", "i32", "i64")
    },
    "i1": [_Writer._compare, _Writer._compare, _Writer._integer, _Writer._select],
    "float": [_Writer._floating, _Writer._floating, _Writer._to_float, _Writer._select],
}

SIGNATURE = (
    "define ptx_kernel void @k(ptr addrspace(1) %ints, ptr addrspace(1) %floats, "
    "ptr addrspace(1) %out, ptr addrspace(1) %counters, i32 %count) {"
)
ENTRY = f"""entry:
  %local = alloca [4 x i32], align 4
  %place = alloca %record, align 8
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %first = mul i32 %ctaid, %ntid
  %id = add i32 %first, %tid
  %wide = sext i32 %id to i64
  %intp = getelementptr i64, ptr addrspace(1) %ints, i64 %wide
  %int = load i64, ptr addrspace(1) %intp, align 8
  %floatp = getelementptr float, ptr addrspace(1) %floats, i64 %wide
  %float = load float, ptr addrspace(1) %floatp, align 4
  %small = trunc i64 %int to i32
  %slotat = mul i64 %wide, {SLOT_BYTES}
  %slot = getelementptr i8, ptr addrspace(1) %out, i64 %slotat
  %spare = getelementptr i8, ptr addrspace(1) %slot, i64 {SLOT_BYTES - 8}
  %cell = getelementptr [128 x i64], ptr addrspace(3) @shared, i32 0, i32 %tid
  store i64 %int, ptr addrspace(3) %cell, align 8
  %fourth = mul i32 %tid, 4
  %own = getelementptr i64, ptr addrspace(3) @copied, i32 %fourth
"""
LOCALS = "\n".join(
    f"  %l{n} = getelementptr i32, ptr %local, i32 {n}\n  store i32 {n * 7}, ptr %l{n}, align 4" for n in range(4)
)


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


def structured(seed):
    """A kernel as a compiler would write it."""
    rng = random.Random(seed)
    block, grid = rng.choice([1, 5, 32, 32, 33, 64]), rng.choice([1, 1, 2, 3])
    writer = _Writer(rng, block, exits=rng.random() < 0.3)
    kinds = ["i32", "i64", "float", "i1", "i8", "i16", "i32"]
    scope = _Scope({ty: [] for ty in BYTES}, [])
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
    writer.emit("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)")
    writer.body(scope, 0, uniform=True, count=rng.randrange(4, 10))
    writer.finish(scope)
    body = "\n".join(writer.lines)
    declared = "\n".join(sorted(writer.declared))
    text = f"{HEAD}{declared}\n{_helper(rng)}{_others(rng)}{SIGNATURE}\n{ENTRY}{LOCALS}\n{body}\n}}\n"
    return Kernel(text, grid, block, *_inputs(rng, grid * block), rng.randrange(4))


def graph(seed):
    """Blocks joined at random; each counts who came by."""
    rng = random.Random(seed)
    block, grid = rng.choice([1, 17, 32, 40]), rng.choice([1, 2])
    count = rng.randrange(3, 12)
    names = [f"at{n}" for n in range(count)]
    ways, bodies = {name: [] for name in names}, {}
    ways["at0"].append(("entry", "%small", "%tid", str(rng.randrange(8, 30))))
    ends = []
    for number, name in enumerate(names):
        a, b = rng.randrange(1, 1 << 20) | 1, rng.randrange(1 << 20)
        lines = [
            f"%a{number}.1 = mul i32 %a{number}, {a}",
            f"%a{number}.2 = add i32 %a{number}.1, %b{number}",
            f"%b{number}.1 = xor i32 %b{number}, {b}",
            f"%r{number} = lshr i32 %a{number}.2, {rng.randrange(1, 9)}",
            f"%f{number}.1 = sub i32 %f{number}, 1",
            f"%p{number} = getelementptr i32, ptr addrspace(1) %counters, i64 {number}",
            f"atomicrmw add ptr addrspace(1) %p{number}, i32 1 monotonic, align 4",
            f"%o{number} = icmp sgt i32 %f{number}, 0",
            f"br i1 %o{number}, label %{name}.go, label %end",
        ]
        # Sometimes a phi takes another's value of the turn before.
        values = (
            rng.choice([f"%a{number}.2", f"%a{number}.2", f"%b{number}"]),
            rng.choice([f"%b{number}.1", f"%b{number}.1", f"%a{number}"]),
            f"%f{number}.1",
        )
        ends.append((name, *values))
        kind = rng.choice(["jump", "branch", "branch", "switch"])
        targets = [rng.choice(names) for _ in range(4)]
        lines.append("")
        if kind == "jump":
            targets = targets[:1]
            lines.append(f"br label %{targets[0]}")
        elif kind == "branch":
            targets = targets[:2]
            lines.append(f"%c{number} = trunc i32 %r{number} to i1")
            lines.append(f"br i1 %c{number}, label %{targets[0]}, label %{targets[1]}")
        else:
            lines.append(f"%c{number} = and i32 %r{number}, 3")
            listed = " ".join(f"i32 {n}, label %{target}" for n, target in enumerate(targets[1:]))
            lines.append(f"switch i32 %c{number}, label %{targets[0]} [{listed}]")
        for target in targets:
            ways[target].append((f"{name}.go", *values))
        bodies[name] = lines
    text = [HEAD, SIGNATURE, ENTRY + "  br label %at0"]
    for number, name in enumerate(names):
        text.append(f"{name}:")
        if not ways[name]:  # nobody comes here
            ways[name] = [(f"{name}.in", "0", "0", "0")]
            text[-1] = f"{name}.in:\n  br label %{name}\n{name}:"
        text += _phis("abf", number, ways[name])
        for line in bodies[name]:
            text.append(f"  {line}" if line else f"{name}.go:")
    text.append("end:")
    text += _phis("abf", count, ends)
    for place, letter in enumerate("abf"):
        text.append(
            f"  %q{place} = getelementptr i32, ptr addrspace(1) %slot, i64 {place}\n"
            f"  store i32 %{letter}{count}, ptr addrspace(1) %q{place}, align 4"
        )
    text.append("  ret void\n}\n")
    return Kernel("\n".join(text), grid, block, *_inputs(rng, grid * block), 1)


def _phis(letters, number, ways):
    for place, letter in enumerate(letters):
        listed = ", ".join(f"[{way[1 + place]}, %{way[0]}]" for way in ways)
        yield f"  %{letter}{number} = phi i32 {listed}"
