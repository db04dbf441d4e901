"""Lowerings of arithmetic, comparisons, conversions and casts, with checks of poison, traps and bits of NaNs."""

from harness.simt.compile.graph import Op, Ref, Value
from harness.simt.declined import Declined, Reason
from harness.simt.ir.types import Float, Int, Pointer, Vector, bits_of, element_of
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_types import DESCRIPTOR, NARROW, in_memory, suffix, text
from harness.simt.native.emit.ir_values import IrValue, constant, zero
from harness.simt.native.emit.narrow_floats import narrowed, octets, of_bits, of_octets, wide, widened
from harness.simt.native.lower.registry import lowers
from harness.simt.native.sanitize.poison import check_floats, check_operands, check_result

__all__ = ["check_bits"]

CARRIED = ("zext", "trunc", "bitcast", "insertelement", "shufflevector")  # bits, as they are


@lowers("add", "sub", "mul")
def wrapping(body: Body, op: Op) -> None:
    build = Builder(body)
    lhs, rhs = map(build.value, op.operands)
    result = build.binary(op.opcode, lhs, rhs)
    check_result(build, op, (lhs, rhs), result)
    build.define(op, result)


@lowers("and", "or", "xor")
def bitwise(body: Body, op: Op) -> None:
    build = Builder(body)
    lhs, rhs = map(build.value, op.operands)
    check_operands(build, op, (lhs, rhs))
    build.define(op, build.binary(op.opcode, lhs, rhs))


@lowers("shl", "lshr", "ashr")
def shift(body: Body, op: Op) -> None:
    build = Builder(body)
    lhs, rhs = map(build.value, op.operands)
    if bits_of(op.type) == 1:
        raise Declined(Reason.SHIFT)
    check_operands(build, op, (lhs, rhs))
    result = build.binary(op.opcode, lhs, rhs)
    check_result(build, op, (lhs, rhs), result)
    build.define(op, result)


@lowers("sdiv", "udiv", "srem", "urem")
def divide(body: Body, op: Op) -> None:
    build = Builder(body)
    lhs, rhs = map(build.value, op.operands)
    if bits_of(op.type) == 1:
        raise Declined(Reason.DIVISION)
    build.fail_if_any(op.type, build.icmp_unsigned("==", rhs, zero(rhs.type)))
    check_operands(build, op, (lhs, rhs))
    result = build.binary(op.opcode, lhs, rhs)
    check_result(build, op, (lhs, rhs), result)
    build.define(op, result)


def check_bits(body: Body, operand: Value) -> None:
    """Emit a check that a float, or any of a vector of them, is no NaN: LLVM leaves open the bits of a computed NaN.

    Emits nothing if the operand is loaded or comes from a bitcast, or is an element of such a vector.
    """
    build = Builder(body)
    maker = body.definitions.get(operand.number) if isinstance(operand, Ref) else None
    while maker is not None and maker.opcode == "extractelement":  # the bits of an element stay
        vector = maker.operands[0]
        maker = body.definitions.get(vector.number) if isinstance(vector, Ref) else None
    if maker is not None and maker.opcode in ("load", "bitcast"):
        return
    number = widened(build, operand.type, build.value(operand))
    build.fail_if_any(operand.type, build.fcmp_unordered("uno", number, number))


@lowers("fadd", "fsub", "fmul", "fdiv", "fneg")
def floating(body: Body, op: Op) -> None:
    build = Builder(body)
    names = [build.value(operand) for operand in op.operands]
    ty = op.type if op.opcode == "fneg" else wide(op.type)
    operands = names if ty == op.type else [widened(build, op.type, name) for name in names]
    # Without flags: each is rounded by itself.
    result = build.binary(op.opcode, operands[0], operands[1]) if len(operands) > 1 else build.fneg(operands[0])
    result = result if ty == op.type else narrowed(build, op.type, result)
    check_floats(build, op, [(op.type, name) for name in (*names, result)])
    build.define(op, result)


@lowers("icmp", "fcmp")
def compare(body: Body, op: Op) -> None:
    build = Builder(body)
    lhs, rhs = map(build.value, op.operands)
    ty = op.operands[0].type
    check_operands(build, op, (lhs, rhs))
    if op.opcode == "fcmp":
        check_floats(build, op, [(ty, lhs), (ty, rhs)])
        lhs, rhs = widened(build, ty, lhs), widened(build, ty, rhs)
    build.define(op, build.compare(op.opcode, op.attrs["predicate"], lhs, rhs))


@lowers("zext", "sext", "trunc", "sitofp", "uitofp", "fpext", "fptrunc")
def convert(body: Body, op: Op) -> None:
    build = Builder(body)
    (operand,) = op.operands
    if element_of(operand.type) == DESCRIPTOR:
        raise Declined(Reason.OPERAND, opcode=op.opcode, type=operand.type)
    if {element_of(operand.type), element_of(op.type)} & set(NARROW):
        _convert_narrow_float(body, op, op.opcode)
        return
    value = build.value(operand)
    check_operands(build, op, (value,))
    result = build.cast(op.opcode, value, text(op.type))
    check_result(build, op, (value,), result)
    build.define(op, result)


def _convert_narrow_float(body: Body, op: Op, opcode: str) -> None:
    """Emit a conversion from or to half or bfloat, also from integers, that rounds once.

    A check fails for a signalling NaN if a float is converted from or to half.

    Raises:
        Declined: The operand is no float of 32 bits, and the result is a bfloat or the opcode is `fptrunc`: it would be
            rounded twice.
    """
    build = Builder(body)
    (operand,) = op.operands
    source, target = operand.type, op.type
    exact = element_of(target) != Float("bfloat") and opcode != "fptrunc"
    if not exact and element_of(source) != Float("float"):
        raise Declined(Reason.CONVERSION_FROM, opcode=opcode, type=source, other=target)
    name = build.value(operand)
    if Float("half") in (element_of(source), element_of(target)) and isinstance(element_of(source), Float):
        truths = text(of_bits(source, 1))  # this host would quiet a NaN that signals
        signals = build.intrinsic(truths, f"llvm.is.fpclass.{suffix(source)}", name, constant("i32", 1))
        build.fail_if_any(source, signals)
    name = widened(build, source, name)
    if element_of(target) in NARROW:
        if opcode != "fptrunc":
            check_operands(build, op, (name,))
            name = build.cast(opcode, name, text(wide(target)))
        build.define(op, narrowed(build, target, name))
    elif element_of(target) == Float("double"):
        build.define(op, build.fpext(name, text(target)))
    else:
        build.define(op, name)


@lowers("fptosi", "fptoui")
def to_integer(body: Body, op: Op) -> None:
    build = Builder(body)
    (operand,) = op.operands
    if isinstance(op.type, Vector) or bits_of(op.type) == 1:
        raise Declined(Reason.CONVERSION_TO, opcode=op.opcode, type=op.type)
    value = build.value(operand)
    check_operands(build, op, (value,))
    wider = widened(build, operand.type, value)
    build.define(op, build.cast(op.opcode, wider, text(op.type)))


@lowers("ptrtoint", "inttoptr", "ptrtoaddr")
def renamed(body: Body, op: Op) -> None:
    build = Builder(body)
    (operand,) = op.operands
    small = any(map(body.program.target.is_small, (operand.type, op.type)))
    if small and _is_only_address(body, op):
        build.define(op, IrValue(text(op.type), "poison"))
        return
    if small or {text(operand.type), text(op.type)} not in ({"i64"}, {text(DESCRIPTOR)}):
        raise Declined(Reason.CONVERSION, opcode=op.opcode, type=operand.type, other=op.type)
    build.define(op, build.value(operand))


def _is_only_address(body: Body, op: Op) -> bool:
    """Return True if an instruction is a `ptrtoint` whose result is only truncated, and the truncated value only used
    as the address of inline assembly (`@asm:address`); also if nothing uses them.
    """
    if op.opcode != "ptrtoint" or op.result in body.moved:
        return False
    cut = body.users.get(op.result or 0, [])
    takers = [taker for user in cut for taker in body.users.get(user.result or 0, [])]
    only_truncated = all(user.opcode == "trunc" and user.result not in body.moved for user in cut)
    return only_truncated and all(taker.opcode == "call" and taker.callee == "@asm:address" for taker in takers)


def _decides(body: Body, op: Op) -> bool:
    """Return True if a result is used otherwise than by stores: by a phi, a condition or another instruction.

    An instruction of `CARRIED` is not such a use: the uses of its result count instead. An index chooses an element, so
    it is.
    """
    if op.result is None or op.result in body.moved:
        return True
    return any(
        _decides(body, user) if _is_carried(op.result, user) else user.opcode != "store"
        for user in body.users.get(op.result, [])
    )


def _is_carried(value: int, user: Op) -> bool:
    """Return True if an instruction copies the bits of a value into its result; the index of an element is not copied.

    Args:
        value: The number of an operand.
    """
    index = user.operands[2] if user.opcode == "insertelement" else None
    return user.opcode in CARRIED and not (isinstance(index, Ref) and index.number == value)


@lowers("bitcast")
def cast(body: Body, op: Op) -> None:
    build = Builder(body)
    (operand,) = op.operands
    source, target = operand.type, op.type
    if source == target or (text(source) == text(target) and element_of(source) == element_of(target)):
        build.define(op, build.raw(operand))
        return
    ends = element_of(source), element_of(target)
    if Int(1) in ends or any(isinstance(end, Pointer) for end in ends):
        raise Declined(Reason.BITCAST, type=source, other=target)
    name = build.value(operand)
    if isinstance(ends[0], Float) and ends[0] != ends[1] and _decides(body, op):
        check_bits(body, operand)
    if ends[0] == Float("bfloat"):
        name = octets(build, source, name)
    if ends[1] == Float("bfloat"):
        name = build.bitcast(name, in_memory(target))
        build.define(op, of_octets(build, target, name))
        return
    build.define(op, build.bitcast(name, text(target)))
