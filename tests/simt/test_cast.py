"""Conversions at their edges: ranges, roundings, bit patterns, pointers."""

import math
from fractions import Fraction

import pytest

from tests.simt.exact import rounded, same
from tests.simt.snippets import evaluate, undefined

INTEGERS = [0, 1, -1, 127, 128, -128, 255, 256, 32768, 2**31 - 1, -(2**31), 2**32 + 5, 2**63 - 1, -(2**63)]


@pytest.mark.parametrize("start", [8, 24, 32, 64, 128])
@pytest.mark.parametrize("end", [1, 7, 8, 16, 33, 64, 100])
def test_integers_grow_and_shrink(start, end):
    """`trunc` keeps the low bits, `zext` and `sext` the value."""
    if start == end:
        return
    values = sorted({(v + (1 << start - 1)) % (1 << start) - (1 << start - 1) for v in INTEGERS})

    def wrap(value):
        value &= (1 << end) - 1
        return value - (1 << end) if value >> end - 1 and end > 1 else value

    opcodes = {"trunc": lambda v: v} if end < start else {"zext": lambda v: v & (1 << start) - 1, "sext": lambda v: v}
    for opcode, rule in opcodes.items():
        got = evaluate(f"%r = {opcode} i{start} %a to i{end}", f"i{end}", (f"i{start}", values))
        assert got.tolist() == [wrap(rule(v)) for v in values]


def test_one_bit_grows():
    """`zext` gives 1, `sext` -1."""
    assert evaluate("%r = zext i1 %a to i32", "i32", ("i1", [0, 1])).tolist() == [0, 1]
    assert evaluate("%r = sext i1 %a to i32", "i32", ("i1", [0, 1])).tolist() == [0, -1]
    same(evaluate("%r = uitofp i1 %a to float", "float", ("i1", [0, 1])), [0, 1])
    same(evaluate("%r = sitofp i1 %a to float", "float", ("i1", [0, 1])), [0, -1])


RANGES = [
    (
        "fptosi",
        "float",
        "i32",
        [2147483520.0, 2147483648.0, -2147483648.0, -2147483904.0, math.nan, math.inf, -0.9],
    ),
    ("fptosi", "float", "i8", [127.9, 128.0, -128.9, -129.0, math.nan, -math.inf, 0.0]),
    ("fptoui", "float", "i32", [4294967040.0, 4294967296.0, -0.9, -1.0, math.nan, math.inf, 3.99]),
    ("fptoui", "float", "i8", [255.9, 256.0, -0.5, -1.0, math.nan, math.inf, 7.0]),
    ("fptosi", "double", "i64", [9.223372036854774e18, 2.0**63, -(2.0**63), -1e19, math.nan, math.inf, 5.0]),
    ("fptoui", "double", "i64", [1.8446744073709550e19, 2.0**64, 0.0, -1.0, math.nan, math.inf, 2.0**63]),
]


@pytest.mark.parametrize(("opcode", "ty", "into", "values"), RANGES, ids=[" ".join(row[:3]) for row in RANGES])
def test_floats_out_of_range_are_undefined(opcode, ty, into, values):
    """In range they are cut toward zero; outside the result is poison."""
    bits = int(into[1:])
    low, high = (-(1 << bits - 1), 1 << bits - 1) if opcode == "fptosi" else (0, 1 << bits)
    fits = [math.isfinite(v) and low <= math.trunc(v) < high for v in values]
    body = f"%r = {opcode} {ty} %a to {into}"
    got, bad = evaluate(body, into, (ty, values), tracked=True)

    assert bad.tolist() == [not inside for inside in fits]
    for value, fit, result in zip(values, fits, got.tolist(), strict=True):
        if fit:
            assert result % (1 << bits) == math.trunc(value) % (1 << bits)


def test_saturating_conversions_clamp():
    """`fptosi.sat` and `fptoui.sat`: the nearest, and 0 for a NaN."""
    values = [1e20, -1e20, math.nan, -1.5, 200.7]
    for name, expected in {"fptosi": [127, -128, 0, -1, 127], "fptoui": [-1, 0, 0, 0, -56]}.items():
        body = f"%r = call i8 @llvm.{name}.sat.i8.f32(float %a)"
        assert evaluate(body, "i8", ("float", values)).tolist() == expected
        assert not any(undefined(body, "i8", ("float", values)))


@pytest.mark.parametrize("end", ["half", "bfloat", "float"])
def test_narrowing_a_double_rounds_once(end):
    """Halfway cases with a bit far below, which two roundings get wrong."""
    precision, low = {"half": (11, -14), "bfloat": (8, -126), "float": (24, -126)}[end]
    ulp = 2.0 ** (1 - precision)
    values = [
        1 + ulp / 2,
        1 + 3 * ulp / 2,
        1 + ulp / 2 + 2.0**-40,
        1 + ulp / 2 - 2.0**-40,
        -(1 + ulp / 2 + 2.0**-40),
    ]
    values += [
        2.0 ** (low - precision),
        3 * 2.0 ** (low - precision),
        2.0 ** (low - precision) * (1 + 2.0**-40),
    ]
    values += [65519.99, 65520.0, 3.4e38, 1e300, 0.1, -0.0]

    got = evaluate(f"%r = fptrunc double %a to {end}", end, ("double", values))
    same(got, [math.copysign(rounded(Fraction(v), end), v) for v in values])


@pytest.mark.parametrize("ty", ["half", "bfloat", "float", "double"])
def test_integers_to_floats_round_once(ty):
    """Also 64-bit integers, whose low bits decide a tie."""
    values = [
        2**24 + 1,
        2**24 + 3,
        2**53 + 1,
        2**63 - 1,
        -(2**63),
        2**40 + 2**32 + 1,
        257,
        2**62 + 2**54 + 1,
        0,
        -7,
    ]
    values += [2**63 - 2**39, 2**33 + 2**25, 2**33 + 2**25 + 1]

    same(
        evaluate(f"%r = sitofp i64 %a to {ty}", ty, ("i64", values)),
        [rounded(Fraction(v), ty) for v in values],
    )
    unsigned = [v % 2**64 for v in values]
    same(
        evaluate(f"%r = uitofp i64 %a to {ty}", ty, ("i64", values)),
        [rounded(Fraction(v), ty) for v in unsigned],
    )


@pytest.mark.parametrize("start", ["half", "bfloat", "float"])
def test_widening_is_exact(start):
    """Each value, infinities and subnormals too."""
    values = [1.5, -0.0, math.inf, -math.inf, 2.0**-130 if start != "half" else 2.0**-24]

    same(evaluate(f"%r = fpext {start} %a to double", "double", (start, values)), values)


@pytest.mark.parametrize(
    ("start", "value", "end", "expected"),
    [
        ("float", [1.0], "i32", [0x3F800000]),
        ("i32", [0x7FC00001], "float", [math.nan]),
        ("<2 x i16>", [[1, -1]], "i32", [-65535]),
        ("i64", [0x3FF0000000000000], "double", [1.0]),
        ("i16", [0x3F80], "bfloat", [1.0]),
        ("bfloat", [-2.0], "i16", [-16384]),
        ("<4 x i8>", [[0, 0, -128, 63]], "float", [1.0]),
        ("i128", [(7 << 64) + 5], "<2 x i64>", [[5, 7]]),
        ("half", [1.0], "<2 x i8>", [[0, 60]]),
    ],
)
def test_bits_keep_their_pattern(start, value, end, expected):
    """`bitcast` between scalars and vectors, the lowest element first."""
    same(evaluate(f"%r = bitcast {start} %a to {end}", end, (start, value)).tolist(), expected)


def test_pointers_keep_their_allocation_through_integers():
    """`ptrtoint` and back, also of 32 bits, still knows where it belongs."""
    body = """
      %n = ptrtoint ptr %out to i64
      %m = add i64 %n, 8
      %q = inttoptr i64 %m to ptr
      %s = addrspacecast ptr %q to ptr addrspace(1)
      %g = addrspacecast ptr addrspace(1) %s to ptr
      %d = ptrtoint ptr %g to i64
      %r = sub i64 %d, %n"""

    assert evaluate(body, "i64", ("i32", [0])).tolist() == [8]


def test_bits_of_a_byte_are_a_vector_of_booleans():
    """In registers; the lowest bit is element 0."""
    order = f"<{', '.join(f'i32 {n}' for n in range(7, -1, -1))}>"
    body = f"""
      %v = bitcast i8 %a to <8 x i1>
      %w = shufflevector <8 x i1> %v, <8 x i1> poison, <8 x i32> {order}
      %r = bitcast <8 x i1> %w to i8"""

    assert evaluate(body, "i8", ("i8", [5, -128, 0x35])).tolist() == [-96, 1, -84]
