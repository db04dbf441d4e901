"""Clusters: what their blocks do to one another's memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from harness import simt
from harness.simt.observing.counters import NOTES_BY_COUNTER
from tests.simt.engines import SHARED, WORKERS
from tests.simt.launches.row import Row
from tests.simt.snippets import kernel

__all__ = [
    "ARRIVE",
    "BARRIER",
    "CLUSTERS",
    "MEET",
    "POINTERS",
    "STORED_FIRST",
    "WAIT",
    "WIDE",
    "WRONG_CLUSTERS",
    "cluster_row",
]

WIDE = 32
ARRIVE, WAIT = (f"call void @llvm.nvvm.barrier.cluster.{name}.aligned()" for name in ("arrive", "wait"))
MEET = f"{ARRIVE}\n  {WAIT}"
BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
AXES = "".join(
    f"\n  %{name}{axis} = call i32 @llvm.nvvm.read.ptx.sreg.{word}.{axis}()"
    for name, word in (("at.", "ctaid"), ("of.", "nctaid"))
    for axis in "xyz"
)
# The thread's element in the tile of its block and in that of the next block of the cluster, and one of all blocks'.
PLACES = f"""{AXES}
  %ny0 = mul i32 %at.z, %of.y
  %ny1 = add i32 %at.y, %ny0
  %nx0 = mul i32 %ny1, %of.x
  %b = add i32 %at.x, %nx0
  %from = mul i32 %b, {WIDE}
  %all = add i32 %from, %t
  %n64 = zext i32 %all to i64
  %t64 = zext i32 %t to i64
  %x64 = xor i64 %t64, 1
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.cluster.nctarank()
  %up = add i32 %rank, 1
  %next = urem i32 %up, %blocks
  %mine = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %t64
  %beside = getelementptr [64 x i32], ptr addrspace(3) @tile, i64 0, i64 %x64
  %theirs = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %mine, i32 %next)
  %own = getelementptr i32, ptr %o, i64 %n64
  %common = getelementptr i32, ptr %o, i64 %t64
"""
UPDATE = 'atomicrmw add ptr addrspace{}, i32 1 syncscope("cluster") monotonic'
POINTERS = {
    "mine": "ptr addrspace(3) %mine",
    "beside": "ptr addrspace(3) %beside",
    "theirs": "ptr addrspace(7) %theirs",
    "own": "ptr %own",
    "common": "ptr %common",
}


def _store(place: str) -> str:
    return f"\n  store i32 %t, {POINTERS[place]}"


def _load(place: str, name: str = "w") -> str:
    return f"\n  %{name} = load i32, {POINTERS[place]}"


STORED_FIRST = f"{_store('mine')}\n  {MEET}"
PUSHED = f"{_store('theirs')}\n  {MEET}{_load('mine')}\n  store i32 %w, ptr %own"
FAULTS = {
    "another block may not run yet": _store("theirs") + f"\n  {MEET}{_load('mine')}",
    "another block may have ended": f"\n  {MEET}{_load('theirs')}",
    "others read what is stored after the arrival": (
        f"\n  {MEET}\n  {ARRIVE}{_store('mine')}\n  {WAIT}{_load('theirs')}\n  {MEET}"
    ),
    "others store what is read after the arrival": (
        f"{_store('mine')}\n  {MEET}\n  {ARRIVE}{_load('mine')}\n  {WAIT}{_store('theirs')}\n  {MEET}"
    ),
    "others store what two blocks read after their arrival": (
        f"\n  {MEET}\n  {ARRIVE}{_load('common')}\n  {WAIT}{_load('common', 'y')}{_store('common')}"
    ),
    "a peer stores what is read before the same wait": (
        f"{_store('mine')}\n  {MEET}{_load('mine')}{_store('theirs')}\n  {MEET}"
    ),
    "a barrier of the block does not order peers": (
        f"{_store('mine')}\n  {MEET}{_load('theirs')}\n  {BARRIER}{_store('mine')}\n  {MEET}"
    ),
    "two clusters store to one place": f"\n  {MEET}\n  store i32 %all, ptr %common\n  {MEET}",
    "a thread does not arrive": (
        f"\n  %c = icmp ult i32 %t, 31\n  br i1 %c, label %go, label %end\ngo:\n  {MEET}\n  br label %end\nend:"
    ),
    "some blocks end without it": (
        f"\n  %c = icmp ult i32 %rank, 1\n  br i1 %c, label %go, label %end\ngo:\n  {MEET}\n  br label %end\nend:"
    ),
    "nobody waits": f"\n  {ARRIVE}",
    "there is no such block": (
        "\n  %far = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %mine, i32 9)"
        f"\n  {MEET}\n  store i32 1, ptr addrspace(7) %far\n  {MEET}"
    ),
}
FINE = {
    "a store after the arrival that nobody else looks at": f"\n  {ARRIVE}{_store('own')}\n  {WAIT}{_load('own')}",
    "what was stored after the arrival is read after the next wait": (
        f"\n  {MEET}\n  {ARRIVE}{_store('mine')}\n  {WAIT}\n  {MEET}{_load('theirs')}\n  {MEET}"
    ),
    "a barrier needed by what comes after the arrival": (
        f"{_store('mine')}\n  {BARRIER}\n  {ARRIVE}{_load('beside')}\n  {WAIT}"
    ),
    "several blocks read what one of them stores later": (
        f"{_store('mine')}\n  {MEET}{_load('theirs')}{_load('mine', 'y')}\n  {MEET}{_store('mine')}"
    ),
    "updates of several blocks, of what was stored before": (
        f"{_store('mine')}\n  {MEET}\n  %u = {UPDATE.format('(7) %theirs')}"
        f"\n  %v = {UPDATE.format('(3) %mine')}"
        f"\n  {MEET}{_load('mine')}"
    ),
}
# The fifth block stores outside.
FAR = """
  %c = icmp eq i32 %b, 5
  %f = select i1 %c, i64 10000, i64 %n64
  %g = getelementptr i32, ptr %o, i64 %f
  store i32 3, ptr %g"""
NEEDLESS = f"{_store('mine')}\n  {BARRIER}\n  {MEET}{_load('mine')}"
EXTENTS: tuple[tuple[Any, Any], ...] = ((8, 2), (8, 4), (8, 8), ((4, 4, 1), (2, 2, 1)), ((2, 6, 2), (1, 3, 2)), (3, 1))


def cluster_row(name: str, body: str, grid: Any = 8, cluster: Any = 2, options: Any = None, **facts: Any) -> Row:
    """Return a row of lines between which each thread has the pointers of `POINTERS`, with any number of workers."""
    output = np.arange(int(np.prod(grid)) * WIDE, dtype=np.int32)
    how = {"grid": grid, "cluster": cluster, "block": WIDE, "arguments": [output], **(options or {})}
    module = simt.decode(kernel(PLACES + body, "ptr %o", SHARED))
    return Row(f"cluster: {name}", module, how, scalar=None, **{"workers": WORKERS, **facts})


CLUSTERS = (
    # The blocks meet before, since another one may not run yet.
    *(
        cluster_row(f"{cluster} of {grid} push into one another", f"\n  {MEET}{PUSHED}", grid, cluster)
        for grid, cluster in EXTENTS
    ),
    cluster_row("chunks hold whole clusters", f"\n  {MEET}{PUSHED}", 12, 4, {"chunk_lanes": 6 * WIDE}),
    cluster_row(
        "what is counted",
        f"\n  {MEET}{PUSHED}",
        counters=[name for name, notes in NOTES_BY_COUNTER.items() if "ways" not in notes],
    ),
    *(cluster_row(name, body) for name, body in FINE.items()),
    # It is told by the interpreter.
    cluster_row("a barrier that the cluster's makes needless", NEEDLESS, compiled=0, noted=("redundant-barrier.one",)),
    cluster_row(
        "blocks alone may arrive and never wait", f"\n  store i32 1, ptr %own\n  {ARRIVE}", cluster=1, compiled=0
    ),
)
WRONG_CLUSTERS = (
    *(cluster_row(name, body, compiled=0, found=None) for name, body in FAULTS.items()),
    cluster_row(
        "a wrong one costs that one",
        f"\n  {MEET}{PUSHED}{FAR}\n  {MEET}",
        compiled=6,
        found=("out-of-bounds.after",),
        places=(WIDE,),
    ),
)
