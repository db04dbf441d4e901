"""Matrix products of a warp: each lane's elements are where PTX says, and the products are added up."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.registry import all_intrinsics
from harness.simt.ops.matrix import Accumulation, multiply, multiply_doubles
from tests.simt.built import needs_mojo
from tests.simt.nvidia import launch
from tests.simt.operands import narrowed
from tests.simt.snippets import Marks, evaluate, kernel

F32 = np.float32
# Of each kernel: depth, elements of A and B in a register, the types of A and B and of the sum.
PRODUCTS = {
    "mma_tf32": (8, 1, "tf32", np.float32),
    "mma_tf32_4": (4, 1, "tf32", np.float32),
    "mma_half": (16, 2, "half", np.float32),
    "mma_half_8": (8, 2, "half", np.float32),
    "mma_half_half": (8, 2, "half", np.float16),
    "mma_brain": (16, 2, "bfloat", np.float32),
    "mma_brain_8": (8, 2, "bfloat", np.float32),
    "mma_double": (16, 1, "double", np.float64),
    "mma_e4m3": (32, 4, "e4m3", np.float32),
    "mma_e5m2": (32, 4, "e5m2", np.float32),
}


def matrices(data, depth, packed, kind, sum_type):
    """A, B and C as the lanes of `mma_of` hold them: the tables of PTX, element by element."""
    x = data * F32(1 / 1024)
    a, b, c = np.zeros((16, depth)), np.zeros((depth, 8)), np.zeros((16, 8), sum_type)
    for lane in range(32):
        group, place = lane // 4, lane % 4
        for i in range(depth // 2):
            row = group + 8 * (i // packed % 2)
            column = place * packed + i % packed + 4 * packed * (i // packed // 2)
            a[row, column] = narrowed(x[8 * lane + i : 8 * lane + i + 1], kind)[0]
        for i in range(depth // 4):
            row = place * packed + i % packed + 4 * packed * (i // packed)
            b[row, group] = narrowed(x[256 + 4 * lane + i : 257 + 4 * lane + i], kind)[0]
        for i in range(4):
            c[group + 8 * (i // 2), 2 * place + i % 2] = x[384 + 4 * lane + i]
    return a, b, c


def product(name, data):
    """What a kernel leaves, as a matrix."""
    out, total = launch(name, 1, 32, np.zeros(128, F32), data).reshape(32, 4), np.zeros((16, 8), F32)
    for lane in range(32):
        for i in range(4):
            total[lane // 4 + 8 * (i // 2), 2 * (lane % 4) + i % 2] = out[lane, i]
    return total


@needs_mojo
@pytest.mark.parametrize("name", PRODUCTS)
def test_products_of_whole_numbers_are_exact(name):
    """In any order, and in every type."""
    data = (np.random.default_rng(3).integers(-8, 8, 1024) * 1024).astype(F32)
    a, b, c = matrices(data, *PRODUCTS[name])

    np.testing.assert_array_equal(product(name, data), (a @ b + c).astype(F32))


@needs_mojo
@pytest.mark.parametrize("name", PRODUCTS)
def test_products_of_any_numbers_are_near(name):
    """Within the last places of the largest summand."""
    data = np.random.default_rng(4).normal(size=1024).astype(F32) * 1024
    a, b, c = matrices(data, *PRODUCTS[name])
    largest = np.abs(a).max() * np.abs(b).max()
    places = 2**-9 if PRODUCTS[name][3] == np.float16 else 2**-11 if PRODUCTS[name][0] == 32 else 2**-21

    np.testing.assert_allclose(product(name, data), a @ b + c, rtol=places, atol=largest * places)


@needs_mojo
def test_matrices_are_loaded_and_stored_by_rows():
    """`ldmatrix`, also transposed, and `stmatrix`: each lane has two neighbours of a row of each matrix."""
    data = np.random.default_rng(5).normal(size=1024).astype(F32) * 1024
    out = launch("matrices", 1, 32, np.zeros(448, F32), data)
    tiles = (data[:256] * F32(1 / 1024)).astype(np.float16).astype(F32).reshape(4, 8, 8)
    held = out[:384].reshape(32, 12)
    for lane in range(32):
        row, column = lane // 4, 2 * (lane % 4)
        straight = tiles[:, row, column : column + 2]
        turned = tiles[:2, column : column + 2, row]
        assert held[lane].tolist() == [*straight.ravel(), *turned.ravel()]

    np.testing.assert_array_equal(out[384:].reshape(32, 2), 2 * tiles.reshape(32, 8)[:, :2])


SHAPE = re.compile(r"llvm\.nvvm\.mma\.m(\d+)n8k(\d+)\.row\.col\.(.+)")
NAMES = [name for name in all_intrinsics() if SHAPE.fullmatch(name) and name.endswith(("16", "32", "64"))]  # floats
# By the last part of a name: the type of a register of A and B, and of the sum, and how many elements are in each.
REGISTERS = {
    "f16.f16": ("<2 x half>", 2, "<2 x half>", 2),
    "f32.f32": ("<2 x half>", 2, "float", 1),
    "bf16": ("i32", 2, "float", 1),
    "tf32": ("i32", 1, "float", 1),
    "f64": ("double", 1, "double", 1),
}


def places(rows, depth, packed):
    """(row, column) of the elements that each lane holds of A, of B and of the sum: the tables of PTX."""
    lane, step = np.arange(32)[:, None], rows // 8
    group, place = lane // 4, lane % 4
    i = np.arange(rows * depth // 32)
    own = place * packed + i % packed + 4 * packed * (i // packed // step)
    yield group + 8 * (i // packed % step), own
    i = np.arange(depth // 4)
    yield place * packed + i % packed + 4 * packed * (i // packed), group + 0 * i
    i = np.arange(2 * step)
    yield group + 8 * (i // 2), 2 * place + i % 2


def parts(letter, register, packed, count):
    """Lines that take registers out of a vector, and their names; for several elements in one it is one of halves."""
    lines = []
    for k in range(count // packed):
        numbers = ", ".join(f"i32 {packed * k + n}" for n in range(packed))
        vector = f"<{count} x half> %{letter}"
        if register.startswith("<"):
            lines.append(
                f"%{letter}.{k} = shufflevector {vector}, <{count} x half> poison, <{packed} x i32> <{numbers}>"
            )
        else:
            words = count // packed
            lines.append(f"%{letter}.{k} = extractelement <{words} x {register}> %{letter}, i32 {k}")
    return lines, [f"{register} %{letter}.{k}" for k in range(count // packed)]


@pytest.mark.parametrize("name", NAMES)
def test_each_product_of_llvm_multiplies_what_its_lanes_hold(name):
    """Small whole numbers, exactly, of every shape and type that has a name."""
    rows, depth, kind = SHAPE.fullmatch(name).groups()
    rows, depth = int(rows), int(depth)
    register, packed, into, joined = REGISTERS[kind]
    rng = np.random.default_rng(depth)
    a, b, c = (rng.integers(-4, 5, shape).astype(np.float64) for shape in ((rows, depth), (depth, 8), (rows, 8)))
    held = [matrix[at] for matrix, at in zip((a, b, c), places(rows, depth, packed), strict=True)]
    total = {"float": F32, "double": np.float64}.get(into, np.float16)

    def given(values):
        """As the kernel loads them: halves, doubles, or words of 32 bits."""
        count = values.shape[1]
        if register != "i32":
            return (f"<{count} x {register.strip('<2 x>')}>", values)
        bits = (values.astype(F32).view(np.uint32) >> (16 if kind == "bf16" else 0)).astype(np.uint32)
        words = bits if packed == 1 else bits[:, ::2] | bits[:, 1::2] << 16
        return (f"<{words.shape[1]} x i32>", words)

    count = 2 * rows // 8
    inputs = [*map(given, held[:2]), (f"<{count} x {'half' if total == np.float16 else into}>", held[2].astype(total))]
    lines, operands = [], []
    for letter, sort, each, values in zip(
        "abc", (register, register, into), (packed, packed, joined), held, strict=True
    ):
        more, names = parts(letter, sort, each, values.shape[1])
        lines, operands = lines + more, operands + names
    pieces = count // joined
    result = "{ " + ", ".join([into] * pieces) + " }"
    lines.append(f"%d = call {result} @{name}({', '.join(operands)})")
    lines += [f"%d.{k} = extractvalue {result} %d, {k}" for k in range(pieces)]
    if joined == 2:
        lines.append("%r = shufflevector <2 x half> %d.0, <2 x half> %d.1, <4 x i32> <i32 0, i32 1, i32 2, i32 3>")
    else:
        vector = f"<{count} x {into}>"
        lines += [
            f"%{'r' if k == count - 1 else f'v{k}'} = insertelement {vector} {f'%v{k - 1}' if k else 'poison'}, "
            f"{into} %d.{k}, i32 {k}"
            for k in range(count)
        ]

    got = evaluate("\n".join(lines), inputs[2][0], *inputs)
    row, column = list(places(rows, depth, packed))[2]
    np.testing.assert_array_equal(got, (a @ b + c)[row, column])


def sum_of(terms, start, how, dtype=np.float32):
    """Products added to a number: 1 x n times n x 1."""
    values = np.array(terms, np.float64)
    total = multiply(np.ones((1, 1, len(terms))), values.reshape(1, -1, 1), np.full((1, 1, 1), start, dtype), how)
    return float(total[0, 0, 0])


def test_what_is_far_below_the_largest_is_cut():
    """Kept are as many bits below the last place of a float32 as the model says."""
    tiny = 2.0**-24

    assert sum_of([1, tiny, tiny], 0, Accumulation(4, 0)) == 1.0
    assert sum_of([1, tiny, tiny], 0, Accumulation(4, 1)) == 1 + 2.0**-23
    assert sum_of([1, -tiny, 0], 0, Accumulation(4, 2)) == 1 - tiny


def test_a_step_begins_with_the_sum_of_the_one_before():
    """So two small products count together where they are added before the large one only."""
    tiny = 2.0**-24

    assert sum_of([tiny, tiny, 1, 0], 0, Accumulation(2, 0)) == 1 + 2.0**-23
    assert sum_of([tiny, tiny, 1, 0], 0, Accumulation(4, 0)) == 1.0


def test_a_sum_is_cut_to_float32_and_rounded_to_float16():
    assert sum_of([1, 3 * 2.0**-25], 0, Accumulation(4, 2)) == 1.0
    assert sum_of([1, 3 * 2.0**-12], 0, Accumulation(4, 2), np.float16) == 1 + 2.0**-10


def test_infinities_and_nans_go_through():
    assert sum_of([np.inf, 1], 0, Accumulation(4, 2)) == np.inf
    assert np.isnan(sum_of([np.inf, -np.inf], 0, Accumulation(4, 2)))
    assert sum_of([0, 0], -0.0, Accumulation(4, 2)) == 0


def test_products_of_doubles_are_fused_one_after_another():
    """Each rounds once."""
    rng = np.random.default_rng(6)
    a, b, c = rng.normal(size=(1, 1, 16)), rng.normal(size=(1, 16, 1)), rng.normal(size=(1, 1, 1))
    total = float(c[0, 0, 0])
    for left, right in zip(a[0, 0], b[0, :, 0], strict=True):
        total = float(Fraction(float(left)) * Fraction(float(right)) + Fraction(total))

    assert float(multiply_doubles(a, b, c)[0, 0, 0]) == total


@pytest.mark.parametrize(
    ("operand", "spoilt"),
    [(0, {0: "row", 1: "row"}), (1, {2: "row", 3: "row"}), (4, {1: "column", 3: "column"}), (8, {2: "own"})],
    ids=["of A, above", "of A, below", "of B", "of the sum"],
)
def test_an_undefined_element_spoils_its_row_and_column_alone(operand, spoilt):
    """Lane 5 holds it: of A the row 1 or 9, of B the column 1. Registers with other rows, or columns, are defined."""
    groups = {"row": {4, 5, 6, 7}, "column": set(range(0, 32, 4)), "own": {5}}
    given = [*["i32 0"] * 6, *["float 0.0"] * 4]
    given[operand] = f"{given[operand].partition(' ')[0]} %x"
    ty = given[operand].partition(" ")[0]
    for register in range(4):
        body = f"""
          %odd = icmp eq i32 %t, 5
          %x = select i1 %odd, {ty} undef, {ty} {"0.0" if ty == "float" else 0}
          %d = call {{ float, float, float, float }} @llvm.nvvm.mma.m16n8k8.row.col.tf32({", ".join(given)})
          %v = extractvalue {{ float, float, float, float }} %d, {register}
          %p = getelementptr float, ptr %o, i64 %i
          store float %v, ptr %p"""
        result = simt.launch(
            kernel(body),
            target="nvidia:sm_90",
            grid=1,
            block=32,
            args=[np.zeros(32, F32)],
            observers=[watch := Marks()],
        )

        assert result.fault is None
        assert watch.places == groups.get(spoilt.get(register), set())
