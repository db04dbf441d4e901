"""NVIDIA's asynchronous copies from global to shared memory, `cp.async`, and their groups.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-non-bulk-copy
"""

import numpy as np

from harness.simt.arrays import Array, Integers, Taint
from harness.simt.compile.declarations import MemoryAccess
from harness.simt.compile.registry import fence, ignored, pure, stateful
from harness.simt.intrinsics.handlers import Given, Marks, Result, Stateful
from harness.simt.ir.site import Site
from harness.simt.ir.types import Int, Vector
from harness.simt.run.engine import Engine
from harness.simt.state.allocation import Access
from harness.simt.state.lanes import LaneSet

__all__ = ["shared_pointers"]

NAME = "llvm.nvvm.cp.async"
SIZES = {"ca": (4, 8, 16), "cg": (16,)}
WORDS = Access(Vector(4, Int(32)), 16)


def shared_pointers(engine: Engine, place: Array) -> Integers:
    """Pointers into shared memory, which assembly takes as 32-bit addresses too."""
    return engine.window.pointer(place)


def _copies(target: int, source: int) -> tuple[MemoryAccess, ...]:
    return MemoryAccess(target, "store"), MemoryAccess(source, "load")


def _mark(taints: Marks, operand: int) -> Taint:
    return taints[operand] if taints else None


def _begin(size: int | None, given: int | None) -> Stateful:
    """Copies by lanes.

    Args:
        size: Bytes, or None where the third operand says how many.
        given: The operand with the bytes that are read, or None for all.
    """

    def handler(engine: Engine, lanes: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
        total = int(values[2][0]) if size is None else size
        read = np.array([total]) if given is None else np.minimum(values[given].astype(np.int64) & 0xFFFFFFFF, total)
        places = shared_pointers(engine, values[0]), values[1]
        engine.copies.begin(lanes, site, *places, total, read, (_mark(taints, 0), _mark(taints, 1)))
        return None, None

    return handler


def _either(engine: Engine, lanes: LaneSet, site: Site, values: Given, taints: Marks) -> Result:
    """What Mojo writes for a copy with a fill other than 0: by the first operand, a copy or a store of four words."""
    predicate, place, source, size, *words = values[:8]
    targets = np.broadcast_to(shared_pointers(engine, place), (lanes.n,))
    copies = np.broadcast_to(predicate != 0, (lanes.n,))
    for here, begins in ((np.flatnonzero(copies), True), (np.flatnonzero(~copies), False)):
        if not len(here):
            continue
        some = lanes if len(here) == lanes.n else lanes.sub(here)
        if begins:
            sources = np.broadcast_to(source, (lanes.n,))[here]
            engine.copies.begin(some, site, targets[here], sources, int(size[0]), np.array([int(size[0])]))
        else:
            fill = np.stack([np.broadcast_to(word, (lanes.n,))[here] for word in words], 1)
            engine.memory.store(some, targets[here], fill, WORDS, site)
    return None, None


for cache, sizes in SIZES.items():
    for size in sizes:
        name = f"{NAME}.{cache}.shared.global.{size}"
        stateful(name, accesses=_copies(0, 1), copies=True)(_begin(size, None))
        stateful(f"{name}.s", accesses=_copies(0, 1), copies=True)(_begin(size, 2))
    for hint, more in (("", ""), (".L2::cache_hint", ", $")):
        text = f"cp.async.{cache}.shared.global{hint}"
        plain = f"asm:{text} [$0], [$1], $2{more and more + '3'};"
        stateful(plain, accesses=_copies(0, 1), copies=True)(_begin(None, None))
        filled = f"asm:{text} [$0], [$1], $2, $3{more and more + '4'};"
        stateful(filled, accesses=_copies(0, 1), copies=True)(_begin(None, 3))
        either = (
            f"asm:{{ .reg .pred p; setp.ne.b32 p, $0, 0; @p {text} [$1], [$2], $3{more and more + '8'}; "
            "@!p st.shared.v4.b32 [$1], {$4, $5, $6, $7}; }"
        )
        stateful(either, accesses=_copies(1, 2), copies=True)(_either)


@stateful(f"{NAME}.commit.group")
def commit(engine: Engine, lanes: LaneSet, _site: Site, _values: Given, _taints: Marks) -> Result:
    """The copies that lanes began since the last time are a group."""
    engine.copies.commit(lanes)
    return None, None


@stateful(f"{NAME}.wait.group")
def wait_group(engine: Engine, lanes: LaneSet, _site: Site, values: Given, _taints: Marks) -> Result:
    """All groups of the lanes but the last so many have arrived."""
    engine.copies.wait(lanes, int(values[0][0]))
    return None, None


@stateful(f"{NAME}.wait.all")
def wait_all(engine: Engine, lanes: LaneSet, _site: Site, _values: Given, _taints: Marks) -> Result:
    """All copies of the lanes have arrived, those in no group too."""
    engine.copies.wait(lanes)
    return None, None


for kind in ("first", "last"):
    pure(f"asm:createpolicy.fractional.L2::evict_{kind}.b64 $0;")(lambda: np.zeros(1, np.int64))
# A launch begins when the one before it has ended: there is nothing to wait for, nor to let begin.
# A grid begins when the one before it has ended; who did not wait all the same is told of whole programs.
fence("llvm.nvvm.griddepcontrol.wait", scope="device", ordering="acquire")
ignored("llvm.nvvm.griddepcontrol.launch.dependents")
