"""Emit checks that no result is poison: overflow flags, shift widths, float ranges, `nnan` and `ninf`."""

from collections.abc import Sequence

from harness.simt.compile.graph import Op
from harness.simt.declined import Declined, Reason
from harness.simt.ir.types import Float, Type, bits_of
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_types import suffix, text
from harness.simt.native.emit.ir_values import IrValue, splat, zero
from harness.simt.native.emit.narrow_floats import of_bits, wide, widened
from harness.simt.ops.poison_rules import PoisonRule, float_promises, forbidden_value, rules_of

__all__ = ["check_floats", "check_forbidden", "check_operands", "check_result"]

INFINITE = "0x7FF0000000000000"
OF_OPERANDS = ("width", "lowest", "range", "common", "signs", "negative")  # what may trap must be known before


def check_operands(build: Builder, op: Op, values: Sequence[IrValue]) -> None:
    """Emit checks of an instruction's poison rules that depend on its operands (`values`) alone, before it runs."""
    for _, rule in rules_of(op.site.instruction):
        if rule.kind in OF_OPERANDS:
            _operands(build, op, rule, values)


def check_result(build: Builder, op: Op, values: Sequence[IrValue], result: IrValue) -> None:
    """Emit checks of an instruction's other poison rules: that it does not overflow, and loses no bits."""
    for flag, rule in rules_of(op.site.instruction):
        if rule.kind == "overflow":
            _overflow(build, op, rule.how, values, flag)
        elif rule.kind == "undone":
            _undone(build, op, rule.how, values, result)


def _operands(build: Builder, op: Op, rule: PoisonRule, values: Sequence[IrValue]) -> None:
    ty = op.operands[0].type
    bits, first = bits_of(ty), values[0]
    match rule.kind:
        case "width":
            build.fail_if_any(ty, build.icmp_unsigned(">=", values[1], splat(ty, bits)))
        case "lowest":
            least = build.icmp_unsigned("==", first, splat(ty, -(1 << bits - 1)))
            minus = build.icmp_unsigned("==", values[1], splat(ty, -1))
            build.fail_if_any(ty, build.and_(least, minus))
        case "common":
            both = build.and_(first, values[1])
            build.fail_if_any(ty, build.icmp_unsigned("!=", both, zero(both.type)))
        case "signs":
            other = build.xor(first, values[1])
            build.fail_if_any(ty, build.icmp_signed("<", other, zero(other.type)))
        case "negative":
            build.fail_if_any(ty, build.icmp_signed("<", first, zero(first.type)))
        case "range":
            _range(build, op, rule.how, first)


def _range(build: Builder, op: Op, sign: str, number: IrValue) -> None:
    """Emit a check that a float, cut toward zero, fits the result's integer type; it fails for a NaN.

    Args:
        sign: `s` for a signed integer, otherwise unsigned.
    """
    (operand,), bits = op.operands, bits_of(op.type)
    value, source = widened(build, operand.type, number), wide(operand.type)
    long = build.fpext(value, "double") if source == Float("float") else value
    integral = build.intrinsic("double", "llvm.trunc.f64", long)
    low, high = (-(2.0 ** (bits - 1)), 2.0 ** (bits - 1)) if sign == "s" else (0.0, 2.0**bits)
    for comparison, limit in ((">=", high), ("<", low)):  # a NaN is both
        build.fail_if(build.fcmp_unordered(comparison, integral, IrValue("double", repr(limit))))


def _overflow(build: Builder, op: Op, sign: str, values: Sequence[IrValue], flag: str) -> None:
    """Emit a check that an `add`, `sub` or `mul` of integers does not overflow.

    Args:
        sign: `s` for `nsw`, `u` for `nuw`.
        values: The two operands.
        flag: The flag's name, for the reason of `Declined`.

    Raises:
        Declined: The integers have one bit.
    """
    if bits_of(op.type) == 1:
        raise Declined(Reason.FLAG, opcode=op.opcode, flag=flag)
    truths = text(of_bits(op.type, 1))
    name = f"llvm.{sign}{op.opcode}.with.overflow.{suffix(op.type)}"
    both = build.intrinsic(f"{{{text(op.type)}, {truths}}}", name, *values)
    build.fail_if_any(op.type, build.extract_value(both, 1, truths))


def _undone(build: Builder, op: Op, back: str, values: Sequence[IrValue], result: IrValue) -> None:
    if back in ("sext", "zext"):
        again = build.cast(back, result, values[0].type)
    else:
        again = build.binary(back, result, values[1])
    build.fail_if_any(op.operands[0].type, build.icmp_unsigned("!=", again, values[0]))


def check_floats(build: Builder, op: Op, floats: Sequence[tuple[Type, IrValue]]) -> None:
    """Emit checks that no operand or result is a NaN (flag `nnan`) or infinite (`ninf`); nothing without flags.

    Args:
        floats: The operands and the result, each with its type.
    """
    for flag in float_promises(op.flags):
        for kind, value in floats:
            ty, wider = wide(kind), widened(build, kind, value)
            if flag == "nnan":
                build.fail_if_any(ty, build.fcmp_unordered("uno", wider, wider))
            else:
                size = build.intrinsic(wider.type, f"llvm.fabs.{suffix(ty)}", wider)
                build.fail_if_any(ty, build.fcmp_ordered("==", size, splat(ty, INFINITE)))


def check_forbidden(build: Builder, op: Op, intrinsic: str, value: IrValue) -> None:
    """Emit a check that an operand is not the one for which an intrinsic gives poison: 0, or the least for `llvm.abs`.

    The caller must know that the call's last operand, a flag, is true.

    Args:
        intrinsic: `llvm.abs`, `llvm.ctlz` or `llvm.cttz`.
        value: The first operand.
    """
    ty = op.type
    build.fail_if_any(ty, build.icmp_unsigned("==", value, splat(ty, forbidden_value(intrinsic, bits_of(ty)))))
