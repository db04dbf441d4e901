"""Matrix products of four warps: each thread's elements are where PTX says, and the products are added up."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from tests.simt.built import needs_mojo
from tests.simt.nvidia import launch
from tests.simt.operands import narrowed
from tests.simt.oracles.eight_bit import encode
from tests.simt.snippets import Marks, kernel

F32 = np.float32


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


@pytest.mark.slow
@needs_mojo
@pytest.mark.parametrize("name", GROUP_PRODUCTS)
def test_four_warps_multiply_matrices_in_shared_memory(name):
    """And add them to what each thread held before: its number."""
    kind, depth = GROUP_PRODUCTS[name]
    # Small enough for two bits of fraction.
    data = (np.random.default_rng(8).integers(-4, 5, 1024) * 1024).astype(F32)
    x = narrowed(data * F32(1 / 1024), kind)
    a, b = np.resize(x, 64 * depth).reshape(64, depth), np.resize(np.roll(x, -512), 16 * depth).reshape(16, depth)

    np.testing.assert_array_equal(group_product(name, 16, data), a @ b.T + group_threads(16))


@needs_mojo
@pytest.mark.parametrize("name", ["wgmma_held", "wgmma_held_turned"])
def test_four_warps_multiply_a_matrix_in_their_registers(name):
    """Here with its sign changed."""
    data = (np.random.default_rng(9).integers(-8, 8, 1024) * 1024).astype(F32)
    x = narrowed(data * F32(1 / 1024), "bfloat")
    a, b = x.reshape(64, 16), x[512:768].reshape(16, 16)

    np.testing.assert_array_equal(group_product(name, 16, data), group_threads(16) - a @ b.T)


@needs_mojo
def test_a_matrix_whose_depth_is_not_in_a_row_may_be_swizzled():
    """The kernel takes the right half of the sums from the left one."""
    data = (np.random.default_rng(10).integers(-8, 8, 1024) * 1024).astype(F32)
    t, k = np.indices((96, 16))
    rows = narrowed(data * F32(1 / 1024), "bfloat")[(37 * t + 5 * k) % 1024]
    total = rows[:64] @ rows[64:].T

    expected = total[:, :16] - total[:, 16:]
    np.testing.assert_array_equal(group_product("wgmma_turned_both", 16, data), expected)


@needs_mojo
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


def test_each_four_warps_say_whether_they_add_to_a_sum():
    """The first four do not, though the next four do in the same instruction."""
    text = (
        "{.reg .pred p; setp.ne.b32 p, $6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
        "{$0, $1, $2, $3}, $4, $5, p, $7, $8, $9, $10; }"
    )
    call = f'asm sideeffect "{text}", "=f,=f,=f,=f,l,l,r,n,n,n,n,0,1,2,3"'
    given = ["i64 64", "i64 64", "i32 %g", "i32 1", "i32 1", "i32 0", "i32 0", *["float 1.0"] * 4]
    body = f"""
      %w = getelementptr <16 x i16>, ptr addrspace(3) @tile, i32 %t
      store <16 x i16> zeroinitializer, ptr addrspace(3) %w, align 16
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      %g = lshr i32 %t, 7
      %d = call {{ float, float, float, float }} {call}({", ".join(given)})
      %v = extractvalue {{ float, float, float, float }} %d, 3
      %p = getelementptr float, ptr %o, i32 %t
      store float %v, ptr %p"""
    tile = "@tile = internal addrspace(3) global [4096 x i16] undef, align 16"
    out = np.zeros(256, F32)
    simt.launch(f"{kernel(body)}\n{tile}", target="nvidia:sm_90", grid=1, block=256, args=[out])

    np.testing.assert_array_equal(out, np.repeat([0, 1], 128))


@pytest.mark.parametrize(
    ("missing", "spoilt"),
    [
        (17, {2: {4, 5, 6, 7}, 3: {4, 5, 6, 7}}),
        (131, {1: set(range(1, 128, 4)), 3: set(range(1, 128, 4))}),
        (None, {}),
    ],
    ids=["of A", "of B", "nothing"],
)
def test_what_nobody_wrote_of_a_matrix_spoils_its_row_or_column_alone(missing, spoilt):
    """Row 9 of A, or column 3 of B; another block's are all written."""
    text = (
        "{.reg .pred p; setp.ne.b32 p, $6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 "
        "{$0, $1, $2, $3}, $4, $5, p, $7, $8, $9, $10; }"
    )
    call = f'asm sideeffect "{text}", "=f,=f,=f,=f,l,l,r,n,n,n,n,0,1,2,3"'
    given = ["i64 %da", "i64 %db", "i32 0", "i32 1", "i32 1", "i32 0", "i32 0", *["float 0.0"] * 4]
    for register in range(4):
        body = f"""
          %second = add i32 %t, 128
          %here = getelementptr <8 x i16>, ptr addrspace(3) @tile, i32 %t
          %there = getelementptr <8 x i16>, ptr addrspace(3) @tile, i32 %second
          %lost = icmp eq i32 %t, {-1 if missing is None else missing}
          %lost.second = icmp eq i32 %second, {-1 if missing is None else missing}
          %few = icmp uge i32 %t, 16
          %wrong = icmp eq i32 %bx, 0
          %skip = and i1 %lost, %wrong
          %skipped = and i1 %lost.second, %wrong
          %none = or i1 %skipped, %few
          br i1 %skip, label %further, label %first
        first:
          store <8 x i16> zeroinitializer, ptr addrspace(3) %here, align 16
          br label %further
        further:
          br i1 %none, label %ready, label %next
        next:
          store <8 x i16> zeroinitializer, ptr addrspace(3) %there, align 16
          br label %ready
        ready:
          call void @llvm.nvvm.fence.proxy.async.shared_cta()
          call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
          %at = ptrtoint ptr addrspace(3) @tile to i64
          %place = lshr i64 %at, 4
          %own = and i64 %place, 16383
          %da = or i64 %own, {128 >> 4 << 16 | 256 >> 4 << 32}
          %db = add i64 %da, 128
          %d = call {{ float, float, float, float }} {call}({", ".join(given)})
          %v = extractvalue {{ float, float, float, float }} %d, {register}
          %p = getelementptr float, ptr %o, i64 %i
          store float %v, ptr %p"""
        tile = "@tile = internal addrspace(3) global [1152 x i16] undef, align 16\n"
        result = simt.launch(
            kernel(body, globals_=tile),
            target="nvidia:sm_90",
            grid=2,
            block=128,
            args=[np.zeros(256, F32)],
            observers=[watch := Marks()],
        )

        assert result.fault is None
        assert watch.places == spoilt.get(register, set())


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
