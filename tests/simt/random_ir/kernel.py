"""What all random kernels have: declarations, a signature, a beginning, and a launch."""

from dataclasses import dataclass

HEAD = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare float @llvm.fma.f32(float, float, float)
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.8.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
declare void @llvm.nvvm.cp.async.wait.all()
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3), i64)
%record = type { i32, { i32, i64 }, i8, [2 x i16] }
@shared = internal addrspace(3) global [128 x i64] undef, align 8
@copied = internal addrspace(3) global [512 x i64] undef, align 16
@tally = internal addrspace(3) global [4 x i32] undef, align 4
@bar = internal addrspace(3) global i64 undef, align 8
"""
SLOT_BYTES = 64
MIRROR = 16  # where in `out` the argument `mirror` begins
COUNTERS = 16
SIGNATURE = (
    "define ptx_kernel void @k(ptr addrspace(1) %ints, ptr addrspace(1) %floats, "
    "ptr addrspace(1) %out, ptr addrspace(1) %counters, i32 %count, ptr addrspace(1) %mirror, "
    "ptr byval(%record) align 8 %given, ptr byval({ ptr, [2 x i32] }) align 8 %view) {"
)
ENTRY = f"""entry:
  %local = alloca [4 x i32], align 4
  %place = alloca %record, align 8
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %first = mul i32 %ctaid, %ntid
  %id = add i32 %first, %tid
  %wide = sext i32 %id to i64
  %intp = getelementptr i64, ptr addrspace(1) %ints, i64 %wide
  %int = load i64, ptr addrspace(1) %intp, align 8
  %floatp = getelementptr float, ptr addrspace(1) %floats, i64 %wide
  %float = load float, ptr addrspace(1) %floatp, align 4
  %small = trunc i64 %int to i32
  %slotat = mul i64 %wide, {SLOT_BYTES}
  %slot = getelementptr i8, ptr addrspace(1) %out, i64 %slotat
  %spare = getelementptr i8, ptr addrspace(1) %slot, i64 {SLOT_BYTES - 8}
  %mirrored = add i64 %slotat, {SLOT_BYTES - 8 - MIRROR}
  %cell = getelementptr [128 x i64], ptr addrspace(3) @shared, i32 0, i32 %tid
  store i64 %int, ptr addrspace(3) %cell, align 8
  %fourth = mul i32 %tid, 4
  %own = getelementptr i64, ptr addrspace(3) @copied, i32 %fourth
"""


@dataclass(frozen=True)
class Kernel:
    """A kernel `k(ints, floats, out, counters, count, mirror, given, view)` and its launch.

    Attributes:
        ints: One i64 for each thread; `floats` one float32.
        count: A uniform i32.
        given: The numbers of a `%record`. `mirror` is `out` from its byte `MIRROR` on, and `view` has `ints`.
    """

    text: str
    grid: int
    block: int
    ints: tuple
    floats: tuple
    count: int
    given: tuple = (1, 2, -3, 4, 5, -6)


def inputs(rng, threads):
    ints = [
        rng.choice(
            [0, 1, -1, 2, 7, -(1 << 31), (1 << 31) - 1, rng.getrandbits(63), -rng.getrandbits(40), rng.randrange(100)]
        )
        for _ in range(threads)
    ]
    floats = [
        rng.choice(
            [
                0.0,
                -0.0,
                1.0,
                -1.5,
                0.1,
                3.0e38,
                1e-40,
                float("inf"),
                float("nan"),
                *(rng.uniform(-9, 9) for _ in range(9)),
            ]
        )
        for _ in range(threads)
    ]
    return tuple(ints), tuple(floats)
