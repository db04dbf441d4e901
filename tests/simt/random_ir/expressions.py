"""Values of every type, computed from those that a place can use."""

import random
from dataclasses import dataclass, field

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


@dataclass
class Scope:
    """What can be used at a place: values by type, and the variables' values."""

    values: dict
    variables: list

    def copy(self):
        """A scope for an inner block."""
        values = {ty: list(names) for ty, names in self.values.items()}
        return Scope(values, list(self.variables))


@dataclass
class Expressions:
    """Writes instructions that compute."""

    rng: random.Random
    block: int
    exits: bool
    plain: bool = False
    lines: list = field(default_factory=list)
    declared: set = field(default_factory=set)
    count: int = 0
    label: str = "entry"
    budget: int = 30
    kinds: tuple = ("i32", "i32", "i64", "i1", "i8", "i16", "float")
    more: dict = field(default_factory=dict)  # makers beside `MAKERS`

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

    def volatile(self):
        """A word of a load or a store: rarely `volatile`, which changes nothing for a lane alone."""
        return "volatile " if self.rng.random() < 0.15 and not self.plain else ""

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
        make = self.rng.choice(MAKERS[ty] + self.more.get(ty, []))
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


MAKERS = {
    **{
        ty: [
            Expressions._integer,
            Expressions._integer,
            Expressions._resize,
            Expressions._select,
            Expressions._pure,
            Expressions._from_float,
        ]
        for ty in ("i8", "i16", "i32", "i64")
    },
    "i1": [Expressions._compare, Expressions._compare, Expressions._integer, Expressions._select],
    "float": [Expressions._floating, Expressions._floating, Expressions._to_float, Expressions._select],
}
