"""The rules of poison for the compiled engine: where one is broken nothing is proved. See `ops.poison_rules`."""

from collections.abc import Sequence

from harness.simt.compile.graph import Op
from harness.simt.declined import Declined, Reason
from harness.simt.ir.types import Float, Type, bits_of
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.ir_types import every, suffix, text
from harness.simt.native.emit.narrow_floats import of_bits, wide, widened
from harness.simt.ops.poison_rules import PoisonRule, float_promises, forbidden_value, rules_of

__all__ = ["check_floats", "check_forbidden", "check_operands", "check_result"]

INFINITE = "0x7FF0000000000000"
OF_OPERANDS = ("width", "lowest", "range", "common", "signs", "negative")  # what may trap must be known before


def check_operands(body: Body, op: Op, names: Sequence[str]) -> None:
    """Check the rules that follow from the operands alone, before the instruction runs."""
    for _, rule in rules_of(op.site.instruction):
        if rule.kind in OF_OPERANDS:
            _operands(body, op, rule, names)


def check_result(body: Body, op: Op, names: Sequence[str], result: str) -> None:
    """Check the rules that the result decides."""
    for flag, rule in rules_of(op.site.instruction):
        if rule.kind == "overflow":
            _overflow(body, op, rule.how, names, flag)
        elif rule.kind == "undone":
            _undone(body, op, rule.how, names, result)


def _operands(body: Body, op: Op, rule: PoisonRule, names: Sequence[str]) -> None:
    ty = op.operands[0].type
    kind, bits = text(ty), bits_of(ty)
    match rule.kind:
        case "width":
            body.never(ty, body.new(f"icmp uge {kind} {names[1]}, {every(ty, bits)}"))
        case "lowest":
            least = body.new(f"icmp eq {kind} {names[0]}, {every(ty, -(1 << bits - 1))}")
            minus = body.new(f"icmp eq {kind} {names[1]}, {every(ty, -1)}")
            body.never(ty, body.new(f"and {text(of_bits(ty, 1))} {least}, {minus}"))
        case "common" | "signs":
            both = body.new(f"{'and' if rule.kind == 'common' else 'xor'} {kind} {names[0]}, {names[1]}")
            body.never(ty, body.new(f"icmp {'ne' if rule.kind == 'common' else 'slt'} {kind} {both}, zeroinitializer"))
        case "negative":
            body.never(ty, body.new(f"icmp slt {kind} {names[0]}, zeroinitializer"))
        case "range":
            _range(body, op, rule.how, names[0])


def _range(body: Body, op: Op, sign: str, name: str) -> None:
    """Check that a float, cut toward zero, fits an integer."""
    (operand,), bits = op.operands, bits_of(op.type)
    value, source = widened(body, operand.type, name), wide(operand.type)
    long = body.new(f"fpext float {value} to double") if source == Float("float") else value
    integral = body.call("double", "llvm.trunc.f64", ("double", long))
    low, high = (-(2.0 ** (bits - 1)), 2.0 ** (bits - 1)) if sign == "s" else (0.0, 2.0**bits)
    for predicate, limit in (("uge", high), ("ult", low)):  # a NaN is both
        body.unless(body.new(f"fcmp {predicate} double {integral}, {limit!r}"))


def _overflow(body: Body, op: Op, sign: str, names: Sequence[str], flag: str) -> None:
    if bits_of(op.type) == 1:
        raise Declined(Reason.FLAG, opcode=op.opcode, flag=flag)
    ty, truths = text(op.type), text(of_bits(op.type, 1))
    name = f"llvm.{sign}{op.opcode}.with.overflow.{suffix(op.type)}"
    both = body.call(f"{{{ty}, {truths}}}", name, *((ty, value) for value in names))
    body.never(op.type, body.new(f"extractvalue {{{ty}, {truths}}} {both}, 1"))


def _undone(body: Body, op: Op, back: str, names: Sequence[str], result: str) -> None:
    source = op.operands[0].type
    kind = text(source)
    if back in ("sext", "zext"):
        again = body.new(f"{back} {text(op.type)} {result} to {kind}")
    else:
        again = body.new(f"{back} {kind} {result}, {names[1]}")
    body.never(source, body.new(f"icmp ne {kind} {again}, {names[0]}"))


def check_floats(body: Body, op: Op, floats: Sequence[tuple[Type, str]]) -> None:
    """Check what fast-math flags rule out of operands and a result."""
    for flag in float_promises(op.flags):
        for kind, value in floats:
            ty, name = wide(kind), widened(body, kind, value)
            if flag == "nnan":
                body.never(ty, body.new(f"fcmp uno {text(ty)} {name}, {name}"))
            else:
                size = body.call(text(ty), f"llvm.fabs.{suffix(ty)}", (text(ty), name))
                body.never(ty, body.new(f"fcmp oeq {text(ty)} {size}, {every(ty, INFINITE)}"))


def check_forbidden(body: Body, op: Op, intrinsic: str, name: str) -> None:
    """Check that the first operand of a call is not what the last one rules out."""
    ty = op.type
    body.never(ty, body.new(f"icmp eq {text(ty)} {name}, {every(ty, forbidden_value(intrinsic, bits_of(ty)))}"))
