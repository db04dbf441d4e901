"""Name the conditions under which a result is poison, by opcode and flag; each engine has its own tests of them.

`ops.poison` implements each kind of rule for the interpreter, `native.sanitize.poison` for the compiled engine.
See: https://llvm.org/docs/LangRef.html#poison-values
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from harness.simt.ir.module import Instruction

__all__ = ["FLOAT_PROMISES", "FORBIDDEN", "Kind", "PoisonRule", "float_promises", "forbidden_value", "rules_of"]

Kind: TypeAlias = Literal["width", "lowest", "range", "overflow", "undone", "common", "signs", "negative"]


@dataclass(frozen=True, slots=True)
class PoisonRule:
    """A condition under which a result is poison.

    Attributes:
        kind: `width`: a shift amount is the width or more. `lowest`: the least number is divided by -1. `range`: a
            float does not fit the integer. `overflow`: the exact result does not fit. `undone`: the inverse opcode does
            not give the first operand back. `common`: the operands have a common bit. `signs`: exactly one of two
            operands is negative. `negative`: the operand is negative.
        how: For `overflow` and `range` the signedness, `s` or `u`; for `undone` the inverse opcode.
    """

    kind: Kind
    how: str = ""


# By (opcode, flag); a rule with an empty flag always applies.
RULES: dict[tuple[str, str], PoisonRule] = {
    **{(opcode, ""): PoisonRule("width") for opcode in ("shl", "lshr", "ashr")},
    **{(opcode, ""): PoisonRule("lowest") for opcode in ("sdiv", "srem")},
    ("fptosi", ""): PoisonRule("range", "s"),
    ("fptoui", ""): PoisonRule("range", "u"),
    **{(opcode, "nsw"): PoisonRule("overflow", "s") for opcode in ("add", "sub", "mul")},
    **{(opcode, "nuw"): PoisonRule("overflow", "u") for opcode in ("add", "sub", "mul")},
    ("shl", "nsw"): PoisonRule("undone", "ashr"),
    ("shl", "nuw"): PoisonRule("undone", "lshr"),
    ("lshr", "exact"): PoisonRule("undone", "shl"),
    ("ashr", "exact"): PoisonRule("undone", "shl"),
    ("sdiv", "exact"): PoisonRule("undone", "mul"),
    ("udiv", "exact"): PoisonRule("undone", "mul"),
    ("trunc", "nsw"): PoisonRule("undone", "sext"),
    ("trunc", "nuw"): PoisonRule("undone", "zext"),
    ("or", "disjoint"): PoisonRule("common"),
    ("icmp", "samesign"): PoisonRule("signs"),
    ("zext", "nneg"): PoisonRule("negative"),
    ("uitofp", "nneg"): PoisonRule("negative"),
}
# The values that flags of float instructions and calls rule out, for operands and results.
FLOAT_PROMISES = {"nnan": "a NaN", "ninf": "an infinity"}
BOTH = "fast"
# By intrinsic: (name of the last operand, a flag; whether it rules out the least number as first operand, or 0).
FORBIDDEN = {
    "llvm.abs": ("is_int_min_poison", True),
    "llvm.ctlz": ("is_zero_poison", False),
    "llvm.cttz": ("is_zero_poison", False),
}


def rules_of(op: Instruction) -> Iterator[tuple[str, PoisonRule]]:
    """Yield (flag, rule) for each rule of `RULES` for an instruction; the flag is empty if the rule always applies.

    For fast-math flags see `float_promises`.
    """
    for flag in ("", *sorted(op.flags)):
        rule = RULES.get((op.opcode, flag))
        if rule is not None:
            yield flag, rule


def float_promises(flags: frozenset[str]) -> list[str]:
    """Return which of `nnan` and `ninf` a set of flags implies; `fast` implies both."""
    return [flag for flag in FLOAT_PROMISES if flags & {flag, BOTH}]


def forbidden_value(name: str, bits: int) -> int:
    """Return the first operand that an intrinsic of `FORBIDDEN` rules out if its last operand is true.

    It is the least (negative) integer, or 0. KeyError for other intrinsics.
    """
    _, least = FORBIDDEN[name]
    return -(1 << bits - 1) if least else 0
