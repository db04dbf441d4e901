"""Matrix products of a warp: each lane's elements are where PTX says, and the products are added up."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.registry import TABLE
from harness.simt.ir.values import bfloat_round
from harness.simt.ops.eight_bit import VALUES, encode
from harness.simt.ops.matrix import Sum, multiply, multiply_doubles
from tests.simt.nvidia import KERNELS, launch
from tests.simt.snippets import evaluate, kernel

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


def narrowed(values, kind):
    """Floats as the operands of a product have them."""
    match kind:
        case "half":
            return values.astype(np.float16).astype(np.float64)
        case "bfloat":
            return bfloat_round(values).astype(np.float64)
        case "tf32":
            return (values.view(np.uint32) & 0xFFFFE000).view(F32).astype(np.float64)
        case "e4m3" | "e5m2":
            return VALUES[kind][encode(values, kind, saturate=True)].astype(np.float64)
    return values.astype(np.float64)


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


@KERNELS
@pytest.mark.parametrize("name", PRODUCTS)
def test_products_of_whole_numbers_are_exact(name):
    """In any order, and in every type."""
    data = (np.random.default_rng(3).integers(-8, 8, 1024) * 1024).astype(F32)
    a, b, c = matrices(data, *PRODUCTS[name])

    np.testing.assert_array_equal(product(name, data), (a @ b + c).astype(F32))


@KERNELS
@pytest.mark.parametrize("name", PRODUCTS)
def test_products_of_any_numbers_are_near(name):
    """Within the last places of the largest summand."""
    data = np.random.default_rng(4).normal(size=1024).astype(F32) * 1024
    a, b, c = matrices(data, *PRODUCTS[name])
    largest = np.abs(a).max() * np.abs(b).max()
    places = 2**-9 if PRODUCTS[name][3] == np.float16 else 2**-11 if PRODUCTS[name][0] == 32 else 2**-21

    np.testing.assert_allclose(product(name, data), a @ b + c, rtol=places, atol=largest * places)


@KERNELS
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
NAMES = [name for name in TABLE if SHAPE.fullmatch(name)]
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


def group_product(name, columns, data):
    """What four warps leave, as a matrix."""
    held = columns // 2
    out = launch(name, 1, 128, np.zeros(128 * held, F32), data).reshape(128, held)
    t, i = np.indices(out.shape)
    total = np.zeros((64, columns), F32)
    total[t // 32 * 16 + t % 32 // 4 + 8 * (i // 2 % 2), 8 * (i // 4) + 2 * (t % 4) + i % 2] = out
    return total


def group_threads(columns):
    """The thread that holds each element of a product of four warps."""
    row, column = np.indices((64, columns))
    return row // 16 * 32 + row % 8 * 4 + column % 8 // 2


# Of each kernel: the type of A and B, and how deep they are.
GROUP_PRODUCTS = {
    "wgmma_brain": ("bfloat", 16),
    "wgmma_half": ("half", 16),
    "wgmma_half_half": ("half", 16),
    "wgmma_tf32": ("tf32", 8),
    "wgmma_e4m3": ("e4m3", 32),
    "wgmma_e5m2": ("e5m2", 32),
    "wgmma_turned_a": ("bfloat", 16),
    "wgmma_turned_b": ("half", 16),
}


@KERNELS
@pytest.mark.parametrize("name", GROUP_PRODUCTS)
def test_four_warps_multiply_matrices_in_shared_memory(name):
    """And add them to what each thread held before: its number."""
    kind, depth = GROUP_PRODUCTS[name]
    # Small enough for two bits of fraction.
    data = (np.random.default_rng(8).integers(-4, 5, 1024) * 1024).astype(F32)
    x = narrowed(data * F32(1 / 1024), kind)
    a, b = np.resize(x, 64 * depth).reshape(64, depth), np.resize(np.roll(x, -512), 16 * depth).reshape(16, depth)

    np.testing.assert_array_equal(group_product(name, 16, data), a @ b.T + group_threads(16))


@KERNELS
@pytest.mark.parametrize("name", ["wgmma_held", "wgmma_held_turned"])
def test_four_warps_multiply_a_matrix_in_their_registers(name):
    """Here with its sign changed."""
    data = (np.random.default_rng(9).integers(-8, 8, 1024) * 1024).astype(F32)
    x = narrowed(data * F32(1 / 1024), "bfloat")
    a, b = x.reshape(64, 16), x[512:768].reshape(16, 16)

    np.testing.assert_array_equal(group_product(name, 16, data), group_threads(16) - a @ b.T)


@KERNELS
def test_a_matrix_whose_depth_is_not_in_a_row_may_be_swizzled():
    """The kernel takes the right half of the sums from the left one."""
    data = (np.random.default_rng(10).integers(-8, 8, 1024) * 1024).astype(F32)
    t, k = np.indices((96, 16))
    rows = narrowed(data * F32(1 / 1024), "bfloat")[(37 * t + 5 * k) % 1024]
    total = rows[:64] @ rows[64:].T

    expected = total[:, :16] - total[:, 16:]
    np.testing.assert_array_equal(group_product("wgmma_turned_both", 16, data), expected)


@KERNELS
def test_rows_of_a_descriptor_may_be_swizzled():
    data = (np.random.default_rng(8).integers(-8, 8, 1024) * 1024).astype(F32)
    t, k = np.indices((72, 64))
    rows = narrowed(data * F32(1 / 1024), "bfloat")[(37 * t + 5 * k) % 1024]

    np.testing.assert_array_equal(group_product("wgmma_mixed", 8, data), rows[:64] @ rows[64:].T)


def test_operands_are_where_the_assembly_says():
    """As clang writes a product, with the sum's registers behind all others, and as Mojo does."""
    text = (
        "{.reg .pred p; setp.ne.b32 p, $6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
        "{$0, $1, $2, $3}, $4, $5, p, $7, $8, $9, $10; }"
    )
    call = f'asm sideeffect "{text}", "=f,=f,=f,=f,l,l,r,n,n,n,n,0,1,2,3"'
    given = ["i64 64", "i64 64", "i32 1", "i32 1", "i32 1", "i32 0", "i32 0", *["float 1.0"] * 4]
    body = f"""
      %w = getelementptr <16 x i16>, ptr addrspace(3) @tile, i32 %t
      store <16 x i16> zeroinitializer, ptr addrspace(3) %w, align 16
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %d = call {{ float, float, float, float }} {call}({", ".join(given)})
      %v = extractvalue {{ float, float, float, float }} %d, 3
      store float %v, ptr %o"""
    tile = "@tile = internal addrspace(3) global [2048 x i16] undef, align 16"
    out = np.zeros(1, F32)
    result = simt.launch(f"{kernel(body)}\n{tile}", target="nvidia:sm_90", grid=1, block=128, args=[out])

    assert (result.verdict, out.tolist()) == ("clean", [1.0])


@pytest.mark.parametrize("kind", ["e4m3", "e5m2"])
def test_products_of_four_warps_are_added_up_in_halves(kind):
    """Of 8-bit floats, 32 deep, by 8 columns; small whole numbers."""
    rng = np.random.default_rng(12)
    a, b, c = (rng.integers(-3, 4, shape).astype(F32) for shape in ((64, 32), (8, 32), (64, 8)))
    # Eight rows of 16 bytes lie together, and the second half of their depth behind them.
    octets = [encode(m, kind, saturate=True).reshape(-1, 8, 2, 16).swapaxes(1, 2).ravel() for m in (a, b)]
    text = (
        f"{{.reg .pred p; setp.ne.b32 p, $4, 0; wgmma.mma_async.sync.aligned.m64n8k32.f16.{kind}.{kind} "
        "{$0, $1}, $2, $3, p, $5, $6; }"
    )
    body = f"""
      %w = getelementptr <16 x i8>, ptr addrspace(3) @tile, i32 %t
      %g = getelementptr <16 x i8>, ptr %a, i32 %t
      %x = load <16 x i8>, ptr %g
      store <16 x i8> %x, ptr addrspace(3) %w
      %few = icmp ult i32 %t, 16
      br i1 %few, label %more, label %ready
    more:
      %n = add i32 %t, 128
      %w2 = getelementptr <16 x i8>, ptr addrspace(3) @tile, i32 %n
      %g2 = getelementptr <16 x i8>, ptr %a, i32 %n
      %x2 = load <16 x i8>, ptr %g2
      store <16 x i8> %x2, ptr addrspace(3) %w2
      br label %ready
    ready:
      call void @llvm.nvvm.fence.proxy.async.shared_cta()
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %at = ptrtoint ptr addrspace(3) @tile to i64
      %chunk = lshr i64 %at, 4
      %own = and i64 %chunk, 16383
      %da = or i64 %own, {128 >> 4 << 16 | 256 >> 4 << 32}
      %db = add i64 %da, {64 * 32 >> 4}
      %pc = getelementptr <2 x i32>, ptr %c, i32 %t
      %sums = load <2 x i32>, ptr %pc
      %s0 = extractelement <2 x i32> %sums, i32 0
      %s1 = extractelement <2 x i32> %sums, i32 1
      call void @llvm.nvvm.wgmma.fence.sync.aligned()
      %d = call {{ i32, i32 }} asm sideeffect "{text}", "=r,=r,l,l,r,n,n,0,1"(
        i64 %da, i64 %db, i32 1, i32 1, i32 1, i32 %s0, i32 %s1)
      call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
      call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
      %d0 = extractvalue {{ i32, i32 }} %d, 0
      %d1 = extractvalue {{ i32, i32 }} %d, 1
      %r0 = insertelement <2 x i32> poison, i32 %d0, i32 0
      %r = insertelement <2 x i32> %r0, i32 %d1, i32 1
      %po = getelementptr <2 x i32>, ptr %o, i32 %t
      store <2 x i32> %r, ptr %po"""
    tile = "@tile = internal addrspace(3) global [2304 x i8] undef, align 128\n"
    t, i = np.arange(128)[:, None], np.arange(4)
    row, column = t // 32 * 16 + t % 32 // 4 + 8 * (i // 2), 2 * (t % 4) + i % 2
    out = np.zeros((128, 4), np.float16)
    result = simt.launch(
        kernel(body.replace("(\n        ", "("), "ptr %o, ptr %a, ptr %c", tile),
        target="nvidia:sm_90",
        grid=1,
        block=128,
        args=[out, np.concatenate(octets), c[row, column].astype(np.float16)],
        observers=simt.observers(),
    )

    assert result.verdict == "clean", [str(finding) for finding in result.findings] + [str(result.fault)]
    np.testing.assert_array_equal(out, (a @ b.T + c)[row, column])


def sum_of(terms, start, how, dtype=np.float32):
    """Products added to a number: 1 x n times n x 1."""
    values = np.array(terms, np.float64)
    total = multiply(np.ones((1, 1, len(terms))), values.reshape(1, -1, 1), np.full((1, 1, 1), start, dtype), how)
    return float(total[0, 0, 0])


def test_what_is_far_below_the_largest_is_cut():
    """Kept are as many bits below the last place of a float32 as the model says."""
    tiny = 2.0**-24

    assert sum_of([1, tiny, tiny], 0, Sum(4, 0)) == 1.0
    assert sum_of([1, tiny, tiny], 0, Sum(4, 1)) == 1 + 2.0**-23
    assert sum_of([1, -tiny, 0], 0, Sum(4, 2)) == 1 - tiny


def test_a_step_begins_with_the_sum_of_the_one_before():
    """So two small products count together where they are added before the large one only."""
    tiny = 2.0**-24

    assert sum_of([tiny, tiny, 1, 0], 0, Sum(2, 0)) == 1 + 2.0**-23
    assert sum_of([tiny, tiny, 1, 0], 0, Sum(4, 0)) == 1.0


def test_a_sum_is_cut_to_float32_and_rounded_to_float16():
    assert sum_of([1, 3 * 2.0**-25], 0, Sum(4, 2)) == 1.0
    assert sum_of([1, 3 * 2.0**-12], 0, Sum(4, 2), np.float16) == 1 + 2.0**-10


def test_infinities_and_nans_go_through():
    assert sum_of([np.inf, 1], 0, Sum(4, 2)) == np.inf
    assert np.isnan(sum_of([np.inf, -np.inf], 0, Sum(4, 2)))
    assert sum_of([0, 0], -0.0, Sum(4, 2)) == 0


def test_products_of_doubles_are_fused_one_after_another():
    """Each rounds once."""
    rng = np.random.default_rng(6)
    a, b, c = rng.normal(size=(1, 1, 16)), rng.normal(size=(1, 16, 1)), rng.normal(size=(1, 1, 1))
    total = float(c[0, 0, 0])
    for left, right in zip(a[0, 0], b[0, :, 0], strict=True):
        total = float(Fraction(float(left)) * Fraction(float(right)) + Fraction(total))

    assert float(multiply_doubles(a, b, c)[0, 0, 0]) == total


def test_an_undefined_element_spoils_its_row_and_column_alone():
    """Of A it spoils a row of the sums: those that the lanes of its group hold, and no other group's."""
    body = """
      %odd = icmp eq i32 %t, 5
      %x = select i1 %odd, i32 undef, i32 0
      %d = call { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32 %x, i32 0, i32 0, i32 0, i32 0, i32 0, float 0.0, float 0.0, float 0.0, float 0.0)
      %v = extractvalue { float, float, float, float } %d, 0
      %p = getelementptr float, ptr %o, i64 %i
      store float %v, ptr %p"""  # noqa: E501
    result = simt.launch(
        kernel(body), target="nvidia:sm_90", grid=1, block=32, args=[np.zeros(32, F32)], observers=simt.observers()
    )
    (finding,) = [candidate for candidate in result.findings if candidate.id == "uninitialised.output"]

    assert {who.thread[0] for who in finding.who} == {4, 5, 6, 7}
