"""Operations on doubles: on NumPy arrays they compute, on terms they write LLVM IR that gives the same bits.

A function of doubles is written in Python, with operators and the functions of this module. Called with NumPy arrays,
it computes. Called with terms, it writes the same operations as LLVM IR, see `define_function`. It uses only operations
whose rounding IEEE 754 specifies, and 64-bit integers, so both give the same bits on every processor. No instruction
has fast-math flags, so LLVM fuses no product with a sum.

A function branches by `select`, lane by lane; `where_rare` skips code that hardly any lane needs.
"""

from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any, TypeAlias

import numpy as np

__all__ = [
    "Number",
    "absolute",
    "bits_of_double",
    "clamp",
    "copy_sign",
    "define_function",
    "double_of_bits",
    "look_up",
    "round_to_even",
    "select",
    "square_root",
    "to_double",
    "where_rare",
]

# An array of doubles, integers or booleans, a `Term`, or a Python constant.
Number: TypeAlias = Any

INTRINSICS = {"fabs": 1, "sqrt": 1, "rint": 1, "copysign": 2}
COMPARISONS = {"<": ("olt", "slt"), "<=": ("ole", "sle"), ">": ("ogt", "sgt"), ">=": ("oge", "sge")}
COMPARISONS |= {"==": ("oeq", "eq"), "!=": ("une", "ne")}


class FunctionText:
    """Collects the LLVM IR of one function, line by line."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.tables: dict[str, tuple[int, ...]] = {}
        self.block = "entry"
        self._count = 0

    def label(self) -> str:
        """Return a new name for a block or a value, without `%`."""
        self._count += 1
        return f"x{self._count}"

    def start(self, block: str) -> None:
        """Append the label of a basic block and make it the current `block`; later instructions go into it."""
        self.lines.append(f"{block}:")
        self.block = block

    def add(self, instruction: str, ty: str) -> "Term":
        """Append an instruction whose result has type `ty`, and return the result."""
        name = f"%{self.label()}"
        self.lines.append(f"  {name} = {instruction}")
        return Term(self, ty, name)

    def term(self, value: Number, ty: str) -> "Term":
        """Return a constant as a term of type `ty`, without an instruction; a term is returned unchanged."""
        if isinstance(value, Term):
            return value
        if ty == "double":
            return Term(self, ty, f"0x{int(np.float64(value).view(np.uint64)):016X}")
        return Term(self, ty, str(int(value)))


class Term:
    """A value in the text of a function: a double, an integer of 64 bits or a truth.

    Attributes:
        name: A name with `%`, or a constant.
    """

    __slots__ = ("name", "text", "type")
    __hash__ = None  # type: ignore[assignment] # `==` is an instruction

    def __init__(self, text: FunctionText, ty: str, name: str) -> None:
        self.text, self.type, self.name = text, ty, name

    def _binary(self, of_doubles: str, of_integers: str, other: Number, swapped: bool = False) -> "Term":
        first, second = self, self.text.term(other, self.type)
        if swapped:
            first, second = second, first
        opcode = of_doubles if self.type == "double" else of_integers
        return self.text.add(f"{opcode} {self.type} {first.name}, {second.name}", self.type)

    def _compare(self, sign: str, other: Number) -> "Term":
        of_doubles, of_integers = COMPARISONS[sign]
        opcode = f"fcmp {of_doubles}" if self.type == "double" else f"icmp {of_integers}"
        second = self.text.term(other, self.type)
        return self.text.add(f"{opcode} {self.type} {self.name}, {second.name}", "i1")

    def __add__(self, other: Number) -> "Term":
        return self._binary("fadd", "add", other)

    def __radd__(self, other: Number) -> "Term":
        return self._binary("fadd", "add", other, swapped=True)

    def __sub__(self, other: Number) -> "Term":
        return self._binary("fsub", "sub", other)

    def __rsub__(self, other: Number) -> "Term":
        return self._binary("fsub", "sub", other, swapped=True)

    def __mul__(self, other: Number) -> "Term":
        return self._binary("fmul", "mul", other)

    def __rmul__(self, other: Number) -> "Term":
        return self._binary("fmul", "mul", other, swapped=True)

    def __truediv__(self, other: Number) -> "Term":
        return self._binary("fdiv", "", other)

    def __rtruediv__(self, other: Number) -> "Term":
        return self._binary("fdiv", "", other, swapped=True)

    def __neg__(self) -> "Term":
        if self.type == "double":
            return self.text.add(f"fneg double {self.name}", "double")
        return self._binary("", "sub", 0, swapped=True)

    def __and__(self, other: Number) -> "Term":
        return self._binary("", "and", other)

    def __or__(self, other: Number) -> "Term":
        return self._binary("", "or", other)

    def __invert__(self) -> "Term":
        return self.text.add(f"xor {self.type} {self.name}, -1", self.type)

    def __lshift__(self, other: Number) -> "Term":
        return self._binary("", "shl", other)

    def __rshift__(self, other: Number) -> "Term":
        return self._binary("", "ashr", other)

    def __lt__(self, other: Number) -> "Term":
        return self._compare("<", other)

    def __le__(self, other: Number) -> "Term":
        return self._compare("<=", other)

    def __gt__(self, other: Number) -> "Term":
        return self._compare(">", other)

    def __ge__(self, other: Number) -> "Term":
        return self._compare(">=", other)

    def __eq__(self, other: object) -> "Term":  # type: ignore[override] # an instruction, not an answer
        return self._compare("==", other)

    def __ne__(self, other: object) -> "Term":  # type: ignore[override] # the same
        return self._compare("!=", other)


def _call(name: str, *values: Number) -> Term:
    (text,) = {value.text for value in values if isinstance(value, Term)}
    arguments = ", ".join(f"double {text.term(value, 'double').name}" for value in values)
    return text.add(f"call double @llvm.{name}.f64({arguments})", "double")


def absolute(value: Number) -> Number:
    """Return the absolute value of a double."""
    return _call("fabs", value) if isinstance(value, Term) else np.abs(value)


def copy_sign(size: Number, sign: Number) -> Number:
    """Return a double with the magnitude of `size` and the sign of `sign`."""
    return _call("copysign", size, sign) if isinstance(sign, Term) else np.copysign(size, sign)


def square_root(value: Number) -> Number:
    """Return the square root of a double, rounded once."""
    return _call("sqrt", value) if isinstance(value, Term) else np.sqrt(value)


def round_to_even(value: Number) -> Number:
    """Return a double rounded to an integer, ties to even."""
    return _call("rint", value) if isinstance(value, Term) else np.rint(value)


def bits_of_double(value: Number) -> Number:
    """Return the bits of a double as a signed 64-bit integer."""
    if isinstance(value, Term):
        return value.text.add(f"bitcast double {value.name} to i64", "i64")
    return int(np.float64(value).view(np.int64)) if isinstance(value, float) else value.view(np.int64)


def double_of_bits(bits: Number) -> Number:
    """Return the double that has the bits of a 64-bit integer."""
    if isinstance(bits, Term):
        return bits.text.add(f"bitcast i64 {bits.name} to double", "double")
    return float(np.int64(bits).view(np.float64)) if isinstance(bits, int) else bits.view(np.float64)


def to_double(value: Number) -> Number:
    """Convert an array or a term of signed 64-bit integers, no Python constant, to the nearest doubles."""
    if isinstance(value, Term):
        return value.text.add(f"sitofp i64 {value.name} to double", "double")
    return value.astype(np.float64)


def select(condition: Number, if_true: Number, otherwise: Number) -> Number:
    """Return `if_true` in the lanes where the condition holds, and `otherwise` in the others; doubles or integers.

    Both values are computed. Two constants of a term's condition are taken as doubles.
    """
    if not isinstance(condition, Term):
        return np.where(condition, if_true, otherwise)
    text = condition.text
    ty = next((value.type for value in (if_true, otherwise) if isinstance(value, Term)), "double")
    names = [f"{ty} {text.term(value, ty).name}" for value in (if_true, otherwise)]
    return text.add(f"select i1 {condition.name}, {', '.join(names)}", ty)


def clamp(value: Number, low: float, high: float) -> Number:
    """Return a number limited to [low, high]; a NaN stays a NaN."""
    if isinstance(value, Term):
        return select(value < low, low, select(value > high, high, value))
    return np.minimum(np.maximum(value, low), high)


def look_up(name: str, table: tuple[int, ...], index: Number) -> Number:
    """Return `table[index]`, a 64-bit integer; the index must be in range, and LLVM IR does not check that.

    In LLVM IR the table becomes a constant `@name` of the function's module.
    """
    if not isinstance(index, Term):
        return np.array(table, np.int64)[index]
    text = index.text
    text.tables[name] = table
    place = text.add(f"getelementptr [{len(table)} x i64], ptr @{name}, i64 0, i64 {index.name}", "ptr")
    return text.add(f"load i64, ptr {place.name}", "i64")


def where_rare(condition: Number, function: Callable[[Number], Sequence[Number]], value: Number, usual: Any) -> Any:
    """Return `function(value)` in the lanes where a rare condition holds, and the results `usual` in the others.

    The result is a tuple. With arrays, if no lane needs it, the function is not called, and `usual` itself is returned.
    With terms, the function is always called, once, and a branch skips its code.

    Args:
        function: Returns as many results as `usual` has. It sees only lanes for which the condition holds.
    """
    if isinstance(condition, Term):
        return _branch(condition, function, value, usual)
    if not np.any(condition):
        return usual
    results = tuple(np.array(result) for result in usual)
    for result, part in zip(results, function(value[condition]), strict=True):
        result[condition] = part
    return results


def _branch(condition: Term, function: Callable[[Number], Sequence[Number]], value: Term, usual: Any) -> Any:
    text, before = condition.text, condition.text.block
    rare, after = text.label(), text.label()
    text.lines.append(f"  br i1 {condition.name}, label %{rare}, label %{after}")
    text.start(rare)
    results = function(value)
    last = text.block
    text.lines.append(f"  br label %{after}")
    text.start(after)
    return tuple(
        text.add(f"phi {each.type} [ {each.name}, %{before} ], [ {part.name}, %{last} ]", each.type)
        for each, part in zip(usual, results, strict=True)
    )


def define_function(name: str, function: Callable[..., Number]) -> list[str]:
    """Return the LLVM IR of a Python function of doubles, as sections: declarations, tables, then its definition.

    All intrinsics that terms may need are declared, used or not; the definition is `internal`. The function is called
    once.

    Args:
        name: The name of the function, without `@`.
    """
    text = FunctionText()
    count = len(signature(function).parameters)
    text.start("entry")
    result = function(*(Term(text, "double", f"%a{number}") for number in range(count)))
    params = ", ".join(f"double %a{number}" for number in range(count))
    sections = [f"declare double @llvm.{each}.f64({', '.join(['double'] * many)})" for each, many in INTRINSICS.items()]
    for table, values in text.tables.items():
        words = ", ".join(f"i64 {value}" for value in values)
        sections.append(f"@{table} = internal unnamed_addr constant [{len(values)} x i64] [{words}]")
    head = f"define internal double @{name}({params}) nounwind willreturn memory(none) {{"
    return [*sections, "\n".join([head, *text.lines, f"  ret double {result.name}", "}"])]
