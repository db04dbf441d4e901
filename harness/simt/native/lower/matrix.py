"""Lowering of NVIDIA's products of TF32 and bfloat16 matrices: each lane computes its four elements of the sum.

The sum of a step is that of `harness.simt.ops.matrix`, in integers: what is left of a term once all are aligned to the
largest exponent, and cut, has less than 28 bits.
"""

from harness.simt.compile.graph import Op, Value
from harness.simt.declined import Declined, Reason
from harness.simt.ir.types import Int, Vector, leaves
from harness.simt.native.emit.body import Body
from harness.simt.native.emit.builder import Builder
from harness.simt.native.emit.ir_values import IrValue, splat
from harness.simt.native.emit.lane_values import LANE, WHO
from harness.simt.native.lower.exchanges import SNAPSHOT, exchanged_values
from harness.simt.native.lower.registry import forms
from harness.simt.ops.matrix import FRACTION, accumulation_on

__all__: list[str] = []

KEPT = {"tf32": (1, 0xFFFFE000), "bf16": (2, 0xFFFF0000)}  # elements of a register, and the bits of a float32 they have
LOWEST = -400  # an exponent that no product of such numbers has
LANES = 4  # that hold a row of A, or a column of B


@forms("product")
def product(body: Body, op: Op, how: str) -> None:
    """Emit A times B plus C: the four floats of the sum that a lane holds. A check fails if an operand is infinite or
    NaN.

    Args:
        how: `DEPTH.KIND`: the columns of A, and `tf32` or `bf16`.

    Raises:
        Declined: The operands are not the registers of such a product, or the target has none of this kind.
    """
    build = Builder(body)
    depth, kind = how.split(".")
    packed, _ = KEPT[kind]
    how_added = accumulation_on(body.program.target, packed)
    counts = int(depth) // (2 * packed), int(depth) // (4 * packed)
    a, b, c = op.operands[: counts[0]], op.operands[counts[0] : sum(counts)], op.operands[sum(counts) :]
    each = how_added.step // (LANES * packed)  # registers of a step
    if not each or len(c) != 4 or any(register.type != Int(32) for register in (*a, *b)):
        raise Declined(Reason.INTRINSIC, name=op.callee.removeprefix("@"))
    lane = build.and_(WHO, 31)
    first, place = (build.zext(build.and_(lane, bits), "i64") for bits in (28, 3))
    warp = build.and_(LANE, -32)
    groups = build.add(warp, first)
    columns = [build.add(warp, build.shl(place, 3))]
    columns.append(build.add(columns[0], LANES))
    rows = [[_four_lanes(body, register, groups) for register in a[half::2]] for half in range(2)]
    cols = [[_four_lanes(body, register, column) for register in b] for column in columns]
    results = []
    for number, register in enumerate(c):
        total = build.value(register)
        a_registers, b_registers = rows[number // 2], cols[number % 2]
        for start in range(0, len(a_registers), each):
            some = slice(start, start + each)
            terms = _floats(build, a_registers[some], kind), _floats(build, b_registers[some], kind)
            total = _summed(build, terms, total, len(a_registers[some]) * LANES * packed, how_added.bits)
        results.append(total)
    assert len(leaves(op.type)) == len(results)
    build.define(op, *results)


def _four_lanes(body: Body, operand: Value, start: IrValue) -> IrValue:
    """Emit a vector of the values of an operand, an i32, in four neighbouring lanes, as they were at the wait.

    Args:
        start: The number of the first of these lanes in its cluster, an i64.
    """
    build = Builder(body)
    if (number := exchanged_values(body, operand)) is not None:
        ty, place = build.lane_storage(number, 0, start, SNAPSHOT)
        return build.load(place, f"<{LANES} x {ty}>", align=1)
    return build.broadcast(f"<{LANES} x i32>", build.value(operand))


def _floats(build: Builder, registers: list[IrValue], kind: str) -> IrValue:
    """Emit the elements of one or two registers as a vector of floats, in an order that is the same for A and B.

    Args:
        registers: For each of them, its value in four lanes, as `_four_lanes` emits it.
        kind: `tf32` (a register has one element) or `bf16` (two: the low halves of all registers come first).

    Raises:
        Declined: There are more than two registers.
    """
    packed, mask = KEPT[kind]
    count, joined = LANES, registers[0]
    for register in registers[1:]:
        if count > LANES:
            raise Declined(Reason.ELEMENTS, count=count, limit=LANES)
        count += LANES
        joined = build.shuffle_vector(joined, register, range(count))
    words = Vector(count, Int(32))
    high = build.and_(joined, splat(words, mask))
    if packed == 2:
        low = build.shl(joined, splat(words, 16))
        count *= 2
        high = build.shuffle_vector(low, high, range(count))
    return build.bitcast(high, f"<{count} x float>")


def _summed(build: Builder, terms: tuple[IrValue, IrValue], total: IrValue, count: int, bits: int) -> IrValue:
    """Emit a call that adds a step of products to a sum; a check fails if a number is infinite or NaN.

    Declares the function, which the module has once for each `count` and `bits`.

    Args:
        terms: The elements of A and B.
        count: The number of products.
        bits: The bits kept below those of a float's fraction; see `ops.matrix`.
    """
    body = build.body
    step = f"step{count}.{bits}"
    body.declared.add(_STEP.format(name=step, n=count, keep=FRACTION + bits, lowest=LOWEST))
    for name in ("smax", "add"):
        body.declared.add(f"declare i32 @llvm.vector.reduce.{name}.v{count}i32(<{count} x i32>)")
    body.declared.add("declare i32 @llvm.smax.i32(i32, i32)")
    both = build.call("{float, i1}", step, *terms, IrValue("float", total.name))
    build.fail_if(build.extract_value(both, 1, "i1"))
    return build.extract_value(both, 0, "float")


_STEP = """define internal {{float, i1}} @{name}(<{n} x float> %a, <{n} x float> %b, float %c) noinline {{
  %a.wide = fpext <{n} x float> %a to <{n} x double>
  %b.wide = fpext <{n} x float> %b to <{n} x double>
  %c.wide = fpext float %c to double
  %a.bits = bitcast <{n} x double> %a.wide to <{n} x i64>
  %b.bits = bitcast <{n} x double> %b.wide to <{n} x i64>
  %c.bits = bitcast double %c.wide to i64
  %one = insertelement <{n} x i64> poison, i64 52, i32 0
  %down = shufflevector <{n} x i64> %one, <{n} x i64> poison, <{n} x i32> zeroinitializer
  %low = insertelement <{n} x i64> poison, i64 2047, i32 0
  %mask = shufflevector <{n} x i64> %low, <{n} x i64> poison, <{n} x i32> zeroinitializer
  %a.shifted = lshr <{n} x i64> %a.bits, %down
  %b.shifted = lshr <{n} x i64> %b.bits, %down
  %a.masked = and <{n} x i64> %a.shifted, %mask
  %b.masked = and <{n} x i64> %b.shifted, %mask
  %a.place = trunc <{n} x i64> %a.masked to <{n} x i32>
  %b.place = trunc <{n} x i64> %b.masked to <{n} x i32>
  %c.shifted = lshr i64 %c.bits, 52
  %c.masked = and i64 %c.shifted, 2047
  %c.place = trunc i64 %c.masked to i32
  %a.most = call i32 @llvm.vector.reduce.smax.v{n}i32(<{n} x i32> %a.place)
  %b.most = call i32 @llvm.vector.reduce.smax.v{n}i32(<{n} x i32> %b.place)
  %ab.most = call i32 @llvm.smax.i32(i32 %a.most, i32 %b.most)
  %most = call i32 @llvm.smax.i32(i32 %ab.most, i32 %c.place)
  %endless = icmp eq i32 %most, 2047
  br i1 %endless, label %bad, label %good
good:
  %places = add <{n} x i32> %a.place, %b.place
  %high.2 = call i32 @llvm.vector.reduce.smax.v{n}i32(<{n} x i32> %places)
  %high.1 = sub i32 %high.2, 2046
  %own = sub i32 %c.place, 1023
  %high.own = call i32 @llvm.smax.i32(i32 %high.1, i32 %own)
  %highest = call i32 @llvm.smax.i32(i32 %high.own, i32 {lowest})
  %shift = sub i32 {keep}, %highest
  %up.32 = add i32 %shift, 1023
  %up.64 = zext i32 %up.32 to i64
  %up.bits = shl i64 %up.64, 52
  %up = bitcast i64 %up.bits to double
  %back.32 = sub i32 1023, %shift
  %back.64 = zext i32 %back.32 to i64
  %back.bits = shl i64 %back.64, 52
  %back = bitcast i64 %back.bits to double
  %up.1 = insertelement <{n} x double> poison, double %up, i32 0
  %ups = shufflevector <{n} x double> %up.1, <{n} x double> poison, <{n} x i32> zeroinitializer
  %products = fmul <{n} x double> %a.wide, %b.wide
  %scaled = fmul <{n} x double> %products, %ups
  %cut = fptosi <{n} x double> %scaled to <{n} x i32>
  %sum = call i32 @llvm.vector.reduce.add.v{n}i32(<{n} x i32> %cut)
  %c.scaled = fmul double %c.wide, %up
  %c.cut = fptosi double %c.scaled to i32
  %whole = add i32 %sum, %c.cut
  %whole.wide = sitofp i32 %whole to double
  %exact = fmul double %whole.wide, %back
  %near = fptrunc double %exact to float
  %near.wide = fpext float %near to double
  %near.raw = bitcast double %near.wide to i64
  %exact.raw = bitcast double %exact to i64
  %near.size = and i64 %near.raw, 9223372036854775807
  %exact.size = and i64 %exact.raw, 9223372036854775807
  %over = icmp ugt i64 %near.size, %exact.size
  %near.bits = bitcast float %near to i32
  %less = sub i32 %near.bits, 1
  %bits = select i1 %over, i32 %less, i32 %near.bits
  %result = bitcast i32 %bits to float
  %told = insertvalue {{float, i1}} poison, float %result, 0
  %all = insertvalue {{float, i1}} %told, i1 false, 1
  ret {{float, i1}} %all
bad:
  ret {{float, i1}} {{float 0.0, i1 true}}
}}"""
