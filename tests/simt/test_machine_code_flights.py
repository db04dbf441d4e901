"""Machine code of copies that are under way where a warp exchanges, and of rows that it loads: random kernels."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from harness import simt
from tests.simt.engines import BARRIER, LANES, OUT, VALUE, both
from tests.simt.snippets import kernel

pytestmark = pytest.mark.slow

GLOBALS = "@room = internal addrspace(3) global [512 x i32] undef, align 16\n"
WORD = "getelementptr [512 x i32], ptr addrspace(3) @room, i64 0, i64"
SHUFFLE = "call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 1, i32 31)"
MEET = "call void @llvm.nvvm.bar.warp.sync(i32 -1)"
COMMIT = "call void @llvm.nvvm.cp.async.commit.group()"
ALL, GROUPS = "call void @llvm.nvvm.cp.async.wait.all()", "call void @llvm.nvvm.cp.async.wait.group(i32 0)"
ROW = "call i32 @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %r{0})"
PLACES = ("add i64 %t4, 0", "xor i64 %t4, 4", "xor i64 %t4, 64", "xor i64 %t4, 128", "add i64 %t4, 256")
COPIES = {
    "copy": "call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %p{0}, ptr addrspace(1) %from)",
    "load": "%x{0} = load i32, ptr addrspace(3) %p{0}",
    "store": "store i32 %v, ptr addrspace(3) %p{0}",
    "shuffle": f"%x{{0}} = {SHUFFLE}",
    "commit": COMMIT,
    "all": ALL,
    "groups": GROUPS,
    "barrier": BARRIER,
}
ROWS = {
    "row": f"%x{{0}} = {ROW}",
    "store": "store <4 x i32> %four, ptr addrspace(3) %p{0}, align 16",
    "load": "%x{0} = load i32, ptr addrspace(3) %p{0}",
    "meet": MEET,
    "barrier": BARRIER,
}
OFTEN = {"copy": 3, "row": 3, "all": 3, "barrier": 2, "store": 2}


def drawn(seed):
    """The lines of a kernel whose threads have four words each, twice."""
    rng = random.Random(seed)
    what = rng.choice((COPIES, ROWS))
    lines = [VALUE, "  %t64 = zext i32 %t to i64", "  %t4 = mul i64 %t64, 4"]
    lines += ["  %four = insertelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i32 %v, i32 0"]
    lines += ["  %at = and i64 %t4, 60", "  %near = getelementptr i32, ptr %a, i64 %at"]
    lines += ["  %from = addrspacecast ptr %near to ptr addrspace(1)"]
    for half in (0, 256):
        lines += [f"  %k{half} = add i64 %t4, {half}", f"  %m{half} = {WORD} %k{half}"]
        lines += [f"  store <4 x i32> %four, ptr addrspace(3) %m{half}, align 16"]
    lines += [f"  {BARRIER}"]
    words = ["0"]
    for n in range(rng.randrange(3, 12)):
        kind = rng.choices(list(what), [OFTEN.get(kind, 1) for kind in what])[0]
        place = rng.choices(PLACES, (6, 1, 0.5, 0.5, 3))[0]
        lines += [f"  %i{n} = {place}", f"  %p{n} = {WORD} %i{n}", f"  %r{n} = {WORD} %i{n}"]
        lines += [f"  {what[kind].format(n)}"]
        words += [f"%x{n}"] if lines[-1].startswith("  %x") else []
    if what is COPIES:
        lines += [f"  {ALL}"]
    lines += [f"  %w{n} = xor i32 {word}, {f'%w{n - 1}' if n else '%t'}" for n, word in enumerate(words)]
    return "\n".join([*lines, f"  %w = add i32 %w{len(words) - 1}, 1", OUT])


def compared(seed):
    """Whether machine code ran a random kernel, as the reference does."""
    text = kernel(drawn(seed), "ptr %a, ptr %o", GLOBALS)
    quiet = simt.observers(counters=False, redundant=False)
    return both(
        simt.decode(text), grid=1 + seed % 5 // 4, size=2 * LANES, initialised=True, observers=quiet
    ).engine.native


@pytest.mark.parametrize("seed", [*range(40), *(pytest.param(seed, marks=pytest.mark.full) for seed in range(40, 400))])
def test_a_random_kernel_is_as_the_reference_says(seed):
    compared(seed)


def test_some_random_kernels_are_proved_and_some_are_not():
    counts = Counter(bool(compared(seed)) for seed in range(16))

    assert min(counts[True], counts[False]) > 2


SOURCES = {
    "shared": f"""  %s2 = {WORD.replace("@room", "@source").replace("512", "64")} %i
  store i32 5, ptr addrspace(3) %s2
  %from = addrspacecast ptr addrspace(3) %s2 to ptr""",
    "local": "  %from = alloca i32\n  store i32 5, ptr %from",
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_a_copy_s_source_that_blocks_do_not_share_is_not_stored_to_meanwhile(source):
    """The address says that it is global memory."""
    body = f"""{source}
  %to = {WORD} %i
  %g = addrspacecast ptr %from to ptr addrspace(1)
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %to, ptr addrspace(1) %g)
  store i32 6, ptr %from
  {ALL}
  %w = load i32, ptr addrspace(3) %to{OUT}"""
    more = "@source = internal addrspace(3) global [64 x i32] undef, align 16\n"
    result = both(simt.decode(kernel(body, "ptr %a, ptr %o", GLOBALS + more)))

    assert [finding.id for finding in result.findings] == ["async-copy.source"]
