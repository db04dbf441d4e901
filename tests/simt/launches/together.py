"""Atomic updates, asynchronous copies, exchanges behind barriers, and volatile and atomic accesses."""

from __future__ import annotations

from itertools import product

from tests.simt.engines import BARRIER, FROM_TILE, IN_TILE, OUT, VALUE
from tests.simt.launches.row import Row

__all__ = ["FOUND_TOGETHER", "LEFT_TOGETHER", "TOGETHER"]

ALIKE = "%h = and i64 %i, 3\n  %p4 = getelementptr i32, ptr %o, i64 %h"
WRITTEN = {"initialised": True}
TWO_BLOCKS = {"grid": 2, "block": 32, "initialised": True}
OPERATIONS = ("add", "sub", "xor", "or", "and", "max", "min", "umax", "umin")
OWN_PLACE = f"""{VALUE}
  %p4 = getelementptr i32, ptr %o, i64 %i
  %x = atomicrmw xchg ptr %p4, i32 %v monotonic
  %y = cmpxchg ptr %p4, i32 %v, i32 7 monotonic monotonic
  %z = cmpxchg ptr %p4, i32 1000, i32 8 monotonic monotonic
  %k = extractvalue {{i32, i1}} %y, 0
  %l = extractvalue {{i32, i1}} %z, 1
  %m = zext i1 %l to i32
  %n = add i32 %k, %m
  %w = add i32 %n, %x{OUT}"""
# Updates of a place that others update, which the order of the threads may decide.
MIXED = {
    "two kinds": "%x = atomicrmw add ptr %p4, i32 1 monotonic\n  %y = atomicrmw xor ptr %p4, i32 %v monotonic",
    "two widths": "%x = atomicrmw add ptr %p4, i32 1 monotonic\n  %y = atomicrmw add ptr %p4, i16 1 monotonic, align 2",
    "what it found": f"%w = atomicrmw add ptr %p4, i32 1 monotonic{OUT}",
    "a load": f"%x = atomicrmw add ptr %p4, i32 1 monotonic\n  %w = load i32, ptr %p4{OUT}",
    "a load before": "%x = load i32, ptr %p4\n  %y = atomicrmw add ptr %p4, i32 %x monotonic",
    "a store before": "store i32 1, ptr %p4\n  %y = atomicrmw add ptr %p4, i32 %v monotonic",
    "of a block": '%x = atomicrmw add ptr %p4, i32 1 syncscope("block") monotonic',
}
# A block's barrier orders nothing of what another block updated.
BEHIND = (
    f"{VALUE}\n  {ALIKE}\n  %x = atomicrmw add ptr %p4, i32 1 monotonic\n  {BARRIER}\n  %w = load i32, ptr %p4{OUT}"
)
COPIED = """  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  %p = getelementptr i32, ptr %a, i64 %i
  %g = addrspacecast ptr %p to ptr addrspace(1)
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %s, ptr addrspace(1) %g)"""
ALL = "call void @llvm.nvvm.cp.async.wait.all()"
GROUPS = "call void @llvm.nvvm.cp.async.commit.group()\n  call void @llvm.nvvm.cp.async.wait.group(i32 0)"
MINE = "%w = load i32, ptr addrspace(3) %s"
AGAIN = COPIED.rsplit("\n", 1)[1]
ASTRAY = {
    "read before": f"{COPIED}\n  {MINE}\n  {ALL}{OUT}",
    "written before": f"{COPIED}\n  store i32 1, ptr addrspace(3) %s\n  {ALL}\n  {MINE}{OUT}",
    "copied to twice": f"{COPIED}\n{AGAIN}\n  {ALL}\n  {MINE}{OUT}",
    "in no group": f"{COPIED}\n  call void @llvm.nvvm.cp.async.wait.group(i32 0)\n  {MINE}{OUT}",
    "of another": f"{COPIED}\n  {ALL}{FROM_TILE}{OUT}",
    "waited for behind the barrier": f"{COPIED}\n  {BARRIER}\n  {ALL}{FROM_TILE}{OUT}",
    "updated before": f"{COPIED}\n  %w = atomicrmw xchg ptr addrspace(3) %s, i32 1 monotonic\n  {ALL}{OUT}",
    "its source written": f"{COPIED.replace('ptr %a', 'ptr %o')}\n  store i32 1, ptr %p\n  {ALL}\n  {MINE}{OUT}",
}
WAITS, USES = {"all": ALL, "groups": GROUPS}, {"own": MINE, "others'": f"{BARRIER}{FROM_TILE}"}
NOT_TOLD_OTHERS = ("of another", "waited for behind the barrier")
BESIDE = f"""{COPIED}
  %q2 = getelementptr [64 x i32], ptr addrspace(3) @other, i64 0, i64 %i
  store i32 3, ptr addrspace(3) %q2
  %x = load i32, ptr addrspace(3) %q2
  {ALL}
  %y = load i32, ptr addrspace(3) %s
  %w = add i32 %x, %y{OUT}"""
RELEASE, ACQUIRE = (f'fence syncscope("workgroup") {ordering}' for ordering in ("release", "acquire"))
AMD = "call void @llvm.amdgcn.s.barrier()"
APPLE = "call void @air.wg.barrier(i32 {}, i32 1)"
ORDERING = {"amd:gfx942": f"{RELEASE}\n  {AMD}\n  {ACQUIRE}", "apple:apple-m4": APPLE.format(3)}
ORDERS_NOTHING = (
    AMD,
    f"{RELEASE}\n  {AMD}",
    f"{AMD}\n  {ACQUIRE}",
    f"{ACQUIRE}\n  {AMD}\n  {RELEASE}",
    f'fence syncscope("wavefront") release\n  {AMD}\n  {ACQUIRE}',
    f"{RELEASE}\n  %v2 = add i32 %v, 1\n  store i32 %v2, ptr addrspace(3) %s\n  {AMD}\n  {ACQUIRE}",
)
STRONG = {
    "volatile": "store volatile i32 %v, ptr addrspace(3) %s\n  %w = load volatile i32, ptr addrspace(3) %s",
    "atomic": "store atomic i32 %v, ptr addrspace(3) %s release, align 4\n"
    "  %w = load atomic i32, ptr addrspace(3) %s acquire, align 4",
}
PLACE = "\n  %s = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %i\n  "
FLAG = f"""{VALUE}
  %c = icmp eq i32 %t, 63
  br i1 %c, label %one, label %wait
one:
  store atomic i32 5, ptr %o release, align 4
  br label %end
wait:
  %f = load atomic i32, ptr %o acquire, align 4
  %set = icmp eq i32 %f, 5
  br i1 %set, label %end, label %wait
end:"""


def _exchange(barrier: str, space: str = "shared") -> str:
    """Return the lines in which each thread leaves a value for another, behind a barrier."""
    if space == "shared":
        return f"{VALUE}{IN_TILE}\n  {barrier}{FROM_TILE}{OUT}"
    far = FROM_TILE.replace("[64 x i32], ptr addrspace(3) @tile, i64 0,", "i32, ptr %o,").replace("addrspace(3) ", "")
    return f"{VALUE}\n  %w0 = add i32 %v, 1{OUT.replace('%w,', '%w0,')}\n  {barrier}{far}"


ON_APPLE, ON_AMD = WRITTEN | {"target": "apple:apple-m4"}, WRITTEN | {"target": "amd:gfx942"}
TOGETHER = (
    *(
        Row(
            f"update: {operation}",
            f"{VALUE}\n  {ALIKE}\n  %old = atomicrmw {operation} ptr %p4, i32 %v monotonic",
            TWO_BLOCKS,
            ordered=False,
        )
        for operation in OPERATIONS
    ),
    Row("update: of a place of one's own, which asks what it found", OWN_PLACE, WRITTEN),
    *(
        Row(f"copy: {kind}, {name}", f"{COPIED}\n  {wait}\n  {use}{OUT}", scalar=None)
        for (kind, wait), (name, use) in product(WAITS.items(), USES.items())
    ),
    Row("copy: others are used meanwhile", BESIDE, scalar=None),
    *(
        Row(f"exchange: {target}, {space}", _exchange(barrier, space), WRITTEN | {"target": target}, scalar=None)
        for (target, barrier), space in product(ORDERING.items(), ("shared", "global"))
    ),
    Row("exchange: a barrier for shared memory", _exchange(APPLE.format(2)), ON_APPLE, scalar=None),
    *(
        Row(f"strong: {name}", f"{VALUE}{PLACE}{lines}{OUT}", ordered=False, scalar=None)
        for name, lines in STRONG.items()
    ),
)
FOUND_TOGETHER = (
    Row("update: another block's, behind a barrier", BEHIND, TWO_BLOCKS, 0, frozenset({"race"})),
    *(
        Row(f"copy: {name}", body, WRITTEN, 0, "race" if name in NOT_TOLD_OTHERS else "async-copy")
        for name, body in ASTRAY.items()
    ),
    *(
        Row(f"exchange: orders nothing, {number}", _exchange(barrier), ON_AMD, 0, frozenset({"race"}))
        for number, barrier in enumerate(ORDERS_NOTHING)
    ),
    *(
        Row(f"exchange: another memory's barrier, {space}", _exchange(barrier, space), ON_APPLE, 0, frozenset({"race"}))
        for barrier, space in ((APPLE.format(2), "global"), (APPLE.format(1), "shared"))
    ),
)
LEFT_TOGETHER = (
    Row("update: two kinds", f"{VALUE}\n  {ALIKE}\n  {MIXED['two kinds']}", TWO_BLOCKS, 0, scalar=None),
    *(
        Row(f"update: {name}", f"{VALUE}\n  {ALIKE}\n  {lines}", TWO_BLOCKS, 0, "race")
        for name, lines in MIXED.items()
        if name != "two kinds"
    ),
    Row("a flag that threads wait for", FLAG, WRITTEN, 0, scalar=None),
)
