"""Calls of intrinsics that both engines have one definition of, and instructions with flags that may make poison."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from harness.simt.compile.prelude import intrinsic_name, load_module
from harness.simt.compile.registry import all_intrinsics
from harness.simt.ops.elementary import FUNCTIONS
from tests.simt.oracles import modules  # noqa: F401 - they declare
from tests.simt.oracles.declared import ORACLES
from tests.simt.random_ir.expressions import BITS, Expressions

__all__ = ["makers", "signatures"]

FILES = ("nvvm_float", "nvvm_integer", "nvvm_to_float", "nvvm_to_integer", "ptx", "rounding")
IMMEDIATE = ("llvm.nvvm.idp2a",)  # LLVM takes an operand as a constant alone
FLOATS = ("half", "float", "double")
BITS_OF_NAN = ("llvm.nvvm.d2i.lo", "llvm.nvvm.d2i.hi")  # sign and payload of a NaN are left open
TOKENS = ("llvm.nvvm.mbarrier",)  # the scalar reference has tokens of its own
TWO = ("pow", "atan2", "div")


@cache
def signatures() -> dict[str, list[tuple[str, tuple[str, ...]]]]:
    """Functions of the prelude that have an oracle: by what they return, their names and what they take."""
    known = {*BITS, *FLOATS}
    found: dict[str, list[tuple[str, tuple[str, ...]]]] = {ty: [] for ty in known}
    for file in FILES:
        module = load_module(file)
        for name in module.function_names:
            head, intrinsic = module.function(name, body=False), intrinsic_name(name)
            takes = tuple(str(param.type) for param in head.params)
            usable = known.issuperset((str(head.returns), *takes)) and intrinsic in ORACLES
            if usable and not intrinsic.startswith((*IMMEDIATE, *BITS_OF_NAN, *TOKENS)):
                found[str(head.returns)].append((name.strip('@"'), takes))
    return found


@cache
def _approximate() -> list[tuple[str, int]]:
    """Names of approximate functions of floats, and how many operands they have."""
    names = []
    for name, intrinsic in all_intrinsics().items():
        word, _, function = intrinsic.compiled.partition(".")
        if word == "approximate" and name.startswith(("llvm.nvvm.", "llvm.")) and ".amdgcn." not in name:
            suffix = "f" if name.startswith("llvm.nvvm.") else "f32"
            names.append((f"{name}.{suffix}", 2 if function.removeprefix("ftz.") in TWO else 1))
    assert len(names) > len(FUNCTIONS)
    return sorted(names)


def _number(e: Expressions, scope, ty: str) -> str:
    """A value of a type that is no NaN."""
    if ty not in FLOATS:
        return e.any(scope, ty)
    value = e.any(scope, "float")
    missing = e.new(f"fcmp uno float {value}, 0.0")
    value = e.new(f"select i1 {missing}, float 1.5, float {value}")
    if ty == "float":
        return value
    return e.new(f"{'fpext' if ty == 'double' else 'fptrunc'} float {value} to {ty}")


def _call(e: Expressions, name: str, returns: str, values: list[tuple[str, str]]) -> str:
    e.declared.add(f'declare {returns} @"{name}"({", ".join(ty for ty, _ in values)})')
    return e.new(f'call {returns} @"{name}"({", ".join(f"{ty} {value}" for ty, value in values)})')


def prelude(e: Expressions, scope, ty: str) -> str:
    """A call of a function of the prelude."""
    returns = e.rng.choice(FLOATS) if ty == "float" else ty
    choices = signatures()[returns] or signatures()["i32"]
    name, takes = e.rng.choice(choices)
    result = _call(
        e, name, returns if signatures()[returns] else "i32", [(each, _number(e, scope, each)) for each in takes]
    )
    if returns == ty and signatures()[returns]:
        return result
    if ty == "float":
        return e.new(f"{'fptrunc' if returns == 'double' else 'fpext'} {returns} {result} to float")
    return e.new(f"trunc i32 {result} to {ty}")


def approximate(e: Expressions, scope, ty: str) -> str:
    """A call of a function that hardware approximates, rarely of doubles or halves."""
    name, count = e.rng.choice(_approximate())
    kind = "float"
    if not name.startswith("llvm.nvvm.") and e.rng.random() < 0.3:
        kind = e.rng.choice(("half", "double"))
        name = f"{name.removesuffix('f32')}{'f16' if kind == 'half' else 'f64'}"
    result = _call(e, name, kind, [(kind, _number(e, scope, kind)) for _ in range(count)])
    if kind == "float":
        return result
    return e.new(f"{'fptrunc' if kind == 'double' else 'fpext'} {kind} {result} to float")


def _masked(e: Expressions, scope, ty: str, bits: int, safe: bool) -> str:
    value = e.any(scope, ty)
    return e.new(f"and {ty} {value}, {(1 << bits) - 1}") if safe or e.rng.random() < 0.7 else value


def _flagged(e: Expressions, scope, ty: str, safe: bool) -> str:
    """An instruction with flags; if it is safe, on operands for which it makes no poison."""
    rng, bits = e.rng, BITS[ty]
    half = bits // 2 - 1
    a, b = _masked(e, scope, ty, half, safe), _masked(e, scope, ty, half, safe)
    flags = rng.choice(("nuw", "nsw", "nuw nsw"))
    match rng.choice(("add", "mul", "shl", "sub", "exact", "disjoint", "nneg", "trunc")):
        case "add" | "mul" as opcode:
            return e.new(f"{opcode} {flags} {ty} {a}, {b}")
        case "sub":
            return e.new(f"sub {'nsw' if safe else flags} {ty} {a}, {b}")
        case "shl":
            count = e.new(f"and {ty} {b}, {half}")
            return e.new(f"shl {flags} {ty} {a}, {count}")
        case "exact":
            whole = e.new(f"shl {ty} {a}, 1") if safe or rng.random() < 0.7 else a
            opcode, by = rng.choice((("lshr", 1), ("ashr", 1), ("udiv", 2), ("sdiv", 2)))
            return e.new(f"{opcode} exact {ty} {whole}, {by}")
        case "disjoint":
            high = e.new(f"shl {ty} {a}, {half}")
            return e.new(f"or disjoint {ty} {high}, {b}")
        case "nneg" if bits < 64:
            wide = e.new(f"zext nneg {ty} {a} to i64")
            return e.new(f"trunc {'' if not safe and rng.random() < 0.5 else flags} i64 {wide} to {ty}")
        case _ if bits > 8:
            small = e.new(f"and {ty} {a}, 127") if safe or rng.random() < 0.7 else a
            return e.new(f"sext i8 {e.new(f'trunc {flags} {ty} {small} to i8')} to {ty}")
    return e.new(f"add {flags} {ty} {a}, {b}")


def _promised(e: Expressions, scope, ty: str, safe: bool) -> str:
    """A float operation that promises that nothing is a NaN or infinite."""
    a, b = e.any(scope, ty), e.any(scope, ty)
    if safe or e.rng.random() < 0.7:
        a, b = (_finite(e, value) for value in (a, b))
    flags = e.rng.choice(("nnan", "ninf", "nnan ninf"))
    if e.rng.random() < 0.3:
        name, count = e.rng.choice([one for one in _approximate() if "sin" in one[0] or "atan" in one[0]])
        values = [("float", a), ("float", b)][:count]
        if "asin" not in name or not safe:
            e.declared.add(f'declare float @"{name}"({", ".join("float" for _ in values)})')
            arguments = ", ".join(f"float {value}" for _, value in values)
            return e.new(f'call {flags} float @"{name}"({arguments})') if "sinh" not in name else a
    return e.new(f"{e.rng.choice(('fadd', 'fsub', 'fmul'))} {flags} float {a}, {b}")


def _finite(e: Expressions, value: str) -> str:
    """The same number if its size is less than 100, else another one."""
    low = e.new(f"fcmp ogt float {value}, -100.0")
    high = e.new(f"fcmp olt float {value}, 100.0")
    return e.new(f"select i1 {e.new(f'and i1 {low}, {high}')}, float {value}, float 1.5")


def makers(safe: bool) -> dict[str, list[Callable[[Expressions, object, str], str]]]:
    """What makes values of each type.

    Args:
        safe: Whether no instruction makes poison.
    """
    integers = [prelude, prelude, lambda e, scope, ty: _flagged(e, scope, ty, safe)]
    floats = [prelude, approximate, approximate, lambda e, scope, ty: _promised(e, scope, ty, safe)]
    return {**dict.fromkeys(("i8", "i16", "i32", "i64"), integers), "float": floats}
