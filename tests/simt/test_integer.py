"""Integer instructions and intrinsics at their edges, against Python's integers."""

import operator

import numpy as np
import pytest

from harness import simt
from tests.simt.snippets import evaluate, kernel, undefined

WIDTHS = [1, 7, 8, 16, 24, 32, 33, 48, 64, 100, 128]


def wrap(value, bits):
    """The value in the signed range; one bit as 0 or 1."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 and bits > 1 else value


def unsigned(value, bits):
    """The same bits without a sign."""
    return value & (1 << bits) - 1


def signed(value, bits):
    """The same bits with a sign, one bit too."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


def edges(bits):
    """Pairs of the numbers where carries, signs and limits change."""
    low = -(1 << bits - 1)
    some = {wrap(v, bits) for v in (0, 1, -1, 2, -2, 3, 7, -7, 100, low, low + 1, -low - 1, -low - 2)}
    some = sorted(some)
    return [a for a in some for _ in some], [b for _ in some for b in some]


def truncated(a, b):
    """The quotient toward zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


PLAIN = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}


@pytest.mark.parametrize("bits", WIDTHS)
@pytest.mark.parametrize("opcode", PLAIN)
def test_arithmetic_wraps(opcode, bits):
    """Two's complement at every width."""
    left, right = edges(bits)
    ty = f"i{bits}"
    got = evaluate(f"%r = {opcode} {ty} %a, %b", ty, (ty, left), (ty, right))

    assert got.tolist() == [wrap(PLAIN[opcode](a, b), bits) for a, b in zip(left, right, strict=True)]


@pytest.mark.parametrize("bits", WIDTHS)
@pytest.mark.parametrize("opcode", ["sdiv", "srem", "udiv", "urem"])
def test_division_truncates(opcode, bits):
    """Toward zero, the remainder with the dividend's sign; NumPy's rounds down."""
    pairs = [(a, b) for a, b in zip(*edges(bits), strict=True) if b]
    if opcode[0] == "s":
        pairs = [(a, b) for a, b in pairs if not (signed(b, bits) == -1 and signed(a, bits) == -(1 << bits - 1))]
    left, right = map(list, zip(*pairs, strict=True)) if pairs else ([0], [1])
    ty, expected = f"i{bits}", []
    for a, b in zip(left, right, strict=True):
        if opcode[0] == "u":
            a, b = unsigned(a, bits), unsigned(b, bits)
            value = a // b if opcode == "udiv" else a % b
        else:
            a, b = signed(a, bits), signed(b, bits)
            quotient = truncated(a, b)
            value = quotient if opcode == "sdiv" else a - quotient * b
        expected.append(wrap(value, bits))

    assert evaluate(f"%r = {opcode} {ty} %a, %b", ty, (ty, left), (ty, right)).tolist() == expected


@pytest.mark.parametrize("divisor", [2, 8, 1 << 30, 3, -1, -8])
def test_division_by_a_constant_truncates(divisor):
    """A power of two is divided by shifting, which must still go toward zero."""
    left = [-9, -8, -7, -1, 0, 1, 7, 8, 9, 2**31 - 1, -(2**31) + 1]
    got = evaluate(f"%r = sdiv i32 %a, {divisor}", "i32", ("i32", left))

    assert got.tolist() == [truncated(a, divisor) for a in left]


@pytest.mark.parametrize("bits", [8, 32, 33, 64, 128])
@pytest.mark.parametrize("opcode", ["sdiv", "srem"])
def test_the_smallest_by_minus_one_is_undefined(opcode, bits):
    """The quotient does not fit: undefined, but the simulator goes on."""
    low, ty = -(1 << bits - 1), f"i{bits}"

    assert undefined(f"%r = {opcode} {ty} %a, %b", ty, (ty, [low, low + 1, low]), (ty, [-1, -1, 1])) == [
        True,
        False,
        False,
    ]


DIVISORS = {
    "i32": "%d = add i32 %t, 0",
    "i100": "%d = zext i32 %t to i100",
    "<2 x i32>": "%d = insertelement <2 x i32> <i32 1, i32 1>, i32 %t, i64 1",
    "<2 x i100>": "%w = zext i32 %t to i100\n%d = insertelement <2 x i100> <i100 1, i100 1>, i100 %w, i64 1",
}


@pytest.mark.parametrize("ty", DIVISORS)
@pytest.mark.parametrize("opcode", ["sdiv", "udiv", "srem", "urem"])
def test_division_by_zero_is_found(opcode, ty):
    """With the lane that does it, also where it is an element of a vector, or wider than NumPy's integers."""
    body = f"{DIVISORS[ty]}\n%r = {opcode} {ty} %d, %d\nstore i32 %t, ptr %o"
    result = simt.launch(kernel(body), target="nvidia:sm_90", grid=1, block=4, args=[np.zeros(1, np.int32)])

    assert [(finding.kind, finding.count, finding.who[0].thread) for finding in result.findings] == [
        ("division-by-zero", 1, (0, 0, 0))
    ]


def test_division_by_a_constant_zero_is_found():
    """Which no compiler leaves, but a kernel may be written by hand."""
    result = simt.launch(
        kernel("%r = udiv i32 %t, 0"), target="nvidia:sm_90", grid=1, block=4, args=[np.zeros(1, np.int32)]
    )

    assert [(finding.kind, finding.count) for finding in result.findings] == [("division-by-zero", 4)]


@pytest.mark.parametrize("bits", WIDTHS)
@pytest.mark.parametrize("opcode", ["shl", "lshr", "ashr"])
def test_shifts_below_the_width(opcode, bits):
    """Each amount that is allowed."""
    values = [wrap(v, bits) for v in (1, -1, 5, 1 << bits - 1, (1 << bits - 1) - 1)]
    amounts = sorted({0, 1, bits // 2, bits - 1} & set(range(bits)))
    left = [v for v in values for _ in amounts]
    right = [a for _ in values for a in amounts]
    ty, expected = f"i{bits}", []
    for v, n in zip(left, right, strict=True):
        shifted = {"shl": v << n, "lshr": unsigned(v, bits) >> n, "ashr": signed(v, bits) >> n}
        expected.append(wrap(shifted[opcode], bits))
    if bits == 7:
        right = [wrap(n, bits) for n in right]

    assert evaluate(f"%r = {opcode} {ty} %a, %b", ty, (ty, left), (ty, right)).tolist() == expected


@pytest.mark.parametrize("bits", [1, 8, 24, 32, 64, 128])
@pytest.mark.parametrize("opcode", ["shl", "lshr", "ashr"])
def test_a_shift_by_the_width_or_more_is_undefined(opcode, bits):
    """And one below is not."""
    ty = f"i{bits}"
    amounts = [bits - 1, bits & (1 << bits) - 1, wrap(-1, bits)] if bits > 1 else [0, 1, 1]

    got = undefined(f"%r = {opcode} {ty} %a, %b", ty, (ty, [1, 1, 1]), (ty, [wrap(a, bits) for a in amounts]))
    assert got == [False, True, True]


FLAGS = [
    ("add nsw i32 %a, %b", [2**31 - 1, 2**31 - 2, -(2**31)], [1, 1, -1], [True, False, True]),
    ("add nuw i32 %a, %b", [-1, -2, 5], [1, 1, -5], [True, False, True]),
    ("sub nsw i32 %a, %b", [-(2**31), 5, 0], [1, 9, -(2**31)], [True, False, True]),
    ("sub nuw i32 %a, %b", [0, 5, -1], [1, 5, 1], [True, False, False]),
    ("mul nsw i32 %a, %b", [1 << 16, 1 << 15, -(1 << 16)], [1 << 15, 1 << 15, 1 << 15], [True, False, False]),
    ("mul nuw i32 %a, %b", [1 << 16, 1 << 16, -1], [1 << 16, (1 << 16) - 1, 2], [True, False, True]),
    (
        "mul nsw i64 %a, %b",
        [1 << 32, 1 << 32, 3037000500],
        [1 << 31, (1 << 31) - 1, 3037000500],
        [True, False, True],
    ),
    ("add nsw i24 %a, %b", [(1 << 23) - 1, 1, 0], [1, 1, 0], [True, False, False]),
    ("shl nsw i32 %a, %b", [1, 1, -1], [31, 30, 31], [True, False, False]),
    ("shl nuw i32 %a, %b", [1, 3, 1], [31, 31, 0], [False, True, False]),
    ("sdiv exact i32 %a, %b", [7, 8, -8], [2, 2, 4], [True, False, False]),
    ("udiv exact i32 %a, %b", [7, 8, -8], [2, 2, 4], [True, False, False]),
    ("lshr exact i32 %a, %b", [7, 8, 8], [1, 3, 4], [True, False, True]),
    ("ashr exact i32 %a, %b", [-7, -8, 8], [1, 3, 4], [True, False, True]),
    ("or disjoint i32 %a, %b", [5, 4, 0], [4, 3, 0], [True, False, False]),
]


@pytest.mark.parametrize(("text", "left", "right", "expected"), FLAGS, ids=[row[0] for row in FLAGS])
def test_a_broken_promise_of_a_flag_is_undefined(text, left, right, expected):
    """`nsw`, `nuw`, `exact`, `disjoint`: the value goes on, but marked."""
    ty = text.split()[2]

    assert undefined(f"%r = {text}", ty, (ty, left), (ty, right)) == expected


def test_flags_of_conversions_and_comparisons():
    """`zext nneg`, `trunc nsw`, `trunc nuw`, `icmp samesign`."""
    assert undefined("%r = zext nneg i32 %a to i64", "i64", ("i32", [-1, 0, 5])) == [True, False, False]
    assert undefined("%r = trunc nsw i32 %a to i8", "i8", ("i32", [128, 127, -128])) == [True, False, False]
    assert undefined("%r = trunc nuw i32 %a to i8", "i8", ("i32", [256, 255, -1])) == [True, False, True]
    assert undefined("%r = icmp samesign ult i32 %a, %b", "i1", ("i32", [-1, 1]), ("i32", [1, 1])) == [
        True,
        False,
    ]


@pytest.mark.parametrize("bits", WIDTHS)
@pytest.mark.parametrize("predicate", ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"])
def test_comparisons(predicate, bits):
    """Signed and unsigned; of one bit, true is -1 when signed."""
    left, right = edges(bits)
    ty = f"i{bits}"
    name = {"eq": "eq", "ne": "ne"}.get(predicate, predicate[1:])
    view = unsigned if predicate[0] == "u" else signed
    expected = [int(getattr(operator, name)(view(a, bits), view(b, bits))) for a, b in zip(left, right, strict=True)]

    assert evaluate(f"%r = icmp {predicate} {ty} %a, %b", "i1", (ty, left), (ty, right)).tolist() == expected


def clamp(value, low, high):
    """The nearest value in a range."""
    return min(max(value, low), high)


def bit_count(value, bits):
    """The ones of the bits."""
    return unsigned(value, bits).bit_count()


UNARY = {
    "ctpop": bit_count,
    "ctlz": lambda a, n: n - unsigned(a, n).bit_length(),
    "cttz": lambda a, n: n if not unsigned(a, n) else (unsigned(a, n) & -unsigned(a, n)).bit_length() - 1,
    "abs": lambda a, n: abs(signed(a, n)),
    "bitreverse": lambda a, n: int(f"{unsigned(a, n):0{n}b}"[::-1], 2),
    "bswap": lambda a, n: int.from_bytes(unsigned(a, n).to_bytes(n // 8, "big"), "little"),
}


BYTES = [(name, n) for name in UNARY for n in (8, 16, 24, 32, 33, 48, 64, 128) if name != "bswap" or n % 16 == 0]


@pytest.mark.parametrize(("name", "bits"), BYTES)
def test_bits_of_one_value(name, bits):
    """Counts and reversals, at zero and at both ends too."""
    values = sorted(set(edges(bits)[0]))
    ty = f"i{bits}"
    extra = ", i1 false" if name in ("ctlz", "cttz", "abs") else ""
    got = evaluate(f"%r = call {ty} @llvm.{name}.{ty}({ty} %a{extra})", ty, (ty, values))

    assert got.tolist() == [wrap(UNARY[name](a, bits), bits) for a in values]


BINARY = {
    "smax": lambda a, b, n: max(signed(a, n), signed(b, n)),
    "smin": lambda a, b, n: min(signed(a, n), signed(b, n)),
    "umax": lambda a, b, n: max(unsigned(a, n), unsigned(b, n)),
    "umin": lambda a, b, n: min(unsigned(a, n), unsigned(b, n)),
    "sadd.sat": lambda a, b, n: clamp(signed(a, n) + signed(b, n), -(1 << n - 1), (1 << n - 1) - 1),
    "ssub.sat": lambda a, b, n: clamp(signed(a, n) - signed(b, n), -(1 << n - 1), (1 << n - 1) - 1),
    "uadd.sat": lambda a, b, n: clamp(unsigned(a, n) + unsigned(b, n), 0, (1 << n) - 1),
    "usub.sat": lambda a, b, n: clamp(unsigned(a, n) - unsigned(b, n), 0, (1 << n) - 1),
}


@pytest.mark.parametrize("bits", [8, 24, 32, 64, 128])
@pytest.mark.parametrize("name", BINARY)
def test_limits_of_two_values(name, bits):
    """Maxima, minima and saturating sums."""
    left, right = edges(bits)
    ty = f"i{bits}"
    got = evaluate(f"%r = call {ty} @llvm.{name}.{ty}({ty} %a, {ty} %b)", ty, (ty, left), (ty, right))

    assert got.tolist() == [wrap(BINARY[name](a, b, bits), bits) for a, b in zip(left, right, strict=True)]


@pytest.mark.parametrize("bits", [8, 32, 33, 64])
@pytest.mark.parametrize("name", ["sadd", "ssub", "smul", "uadd", "usub", "umul"])
def test_results_with_overflow(name, bits):
    """The wrapped result, and whether it was wrapped."""
    left, right = edges(bits)
    ty = f"i{bits}"
    pair = f"{{ {ty}, i1 }}"
    call = f"%s = call {pair} @llvm.{name}.with.overflow.{ty}({ty} %a, {ty} %b)\n"
    view = signed if name[0] == "s" else unsigned
    exact = [PLAIN[name[1:]](view(a, bits), view(b, bits)) for a, b in zip(left, right, strict=True)]
    inputs = (ty, left), (ty, right)

    values = evaluate(f"{call}%r = extractvalue {pair} %s, 0", ty, *inputs)
    assert values.tolist() == [wrap(v, bits) for v in exact]
    over = evaluate(f"{call}%r = extractvalue {pair} %s, 1", "i1", *inputs)
    assert over.tolist() == [int(v != view(v, bits)) for v in exact]


@pytest.mark.parametrize("bits", [8, 24, 32, 64])
@pytest.mark.parametrize("side", ["l", "r"])
def test_funnel_shifts_take_the_amount_modulo_the_width(side, bits):
    """A rotation where both halves are the same value."""
    amounts = [0, 1, bits - 1, bits, bits + 3, -1]
    high, low = [wrap(0x1234567, bits)] * 6, [wrap(-77, bits)] * 6
    ty, expected = f"i{bits}", []
    for a, b, n in zip(high, low, amounts, strict=True):
        both, n = unsigned(a, bits) << bits | unsigned(b, bits), unsigned(n, bits) % bits
        expected.append(wrap(both << n >> bits if side == "l" else both >> n, bits))
    body = f"%r = call {ty} @llvm.fsh{side}.{ty}({ty} %a, {ty} %b, {ty} %c)"

    got = evaluate(body, ty, (ty, high), (ty, low), (ty, [wrap(n, bits) for n in amounts]))
    assert got.tolist() == expected


REDUCED = {
    "add": 11,
    "mul": -210,
    "and": 0,
    "or": -1,
    "xor": -3 ^ 5 ^ 7 ^ 2,
    "smax": 7,
    "smin": -3,
    "umax": -3,
    "umin": 2,
}


@pytest.mark.parametrize("name", REDUCED)
def test_reductions_of_a_vector(name):
    """All elements of one lane's vector; -3 is the largest without a sign."""
    body = f"%r = call i32 @llvm.vector.reduce.{name}.v4i32(<4 x i32> %a)"

    assert evaluate(body, "i32", ("<4 x i32>", [[-3, 5, 7, 2]])).tolist() == [REDUCED[name]]


def test_switch_takes_the_case_or_the_default():
    """Negative and large cases; two cases with one target."""
    body = """
      switch i64 %a, label %d [ i64 -5, label %x
                                i64 4611686018427387904, label %y
                                i64 3, label %x ]
    x:
      br label %end
    y:
      br label %end
    d:
      br label %end
    end:
      %r = phi i32 [1, %x], [2, %y], [9, %d]"""
    values = [-5, 0, 1 << 62, 3, -6, 4]

    assert evaluate(body, "i32", ("i64", values)).tolist() == [1, 9, 2, 1, 9, 9]


def test_phis_read_before_they_write():
    """Two phis that swap each other's values."""
    body = """
      br label %loop
    loop:
      %x = phi i32 [1, %0], [%y, %loop]
      %y = phi i32 [2, %0], [%x, %loop]
      %n = phi i32 [0, %0], [%m, %loop]
      %m = add i32 %n, 1
      %c = icmp slt i32 %m, %a
      br i1 %c, label %loop, label %end
    end:
      %r = sub i32 %x, %y"""

    assert evaluate(body, "i32", ("i32", [1, 2, 3, 4])).tolist() == [-1, 1, -1, 1]
