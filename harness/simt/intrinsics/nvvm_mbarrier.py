"""NVIDIA's `mbarrier`: init, arrive, test, wait, count bytes; arrivals by `cp.async`; proxy fences.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier
"""

from functools import partial

import numpy as np

from harness.simt.compile.declarations import BOTH, MemoryAccess
from harness.simt.compile.registry import declare_effect, declare_fence, stateful
from harness.simt.intrinsics.asynchronous import Arrive, CountBytes, TestPhase, WaitPhase, shared_pointers
from harness.simt.intrinsics.handlers import Call
from harness.simt.run.mbarriers import SyncOrder

__all__: list[str] = []

NAME = "llvm.nvvm.mbarrier"
ATOMIC = (MemoryAccess(0, "atomic"),)
STORE = (MemoryAccess(0, "store"),)
SCOPES = {"cta": "block", "cluster": "cluster"}


@stateful(f"{NAME}.init", f"{NAME}.init.shared", accesses=STORE, compiled="phase.begin")
def initialise(call: Call) -> None:
    """Initialise an mbarrier with an arrival count; wrong counts, and places of an mbarrier in use, are reported."""
    call.engine.waits.mbarriers.initialise(call.lanes, call.site, shared_pointers(call, 0), call.values[1])


@stateful(f"{NAME}.inval", f"{NAME}.inval.shared", accesses=(*ATOMIC, *STORE), compiled="phase.end")
def invalidate(call: Call) -> None:
    """End the life of an mbarrier, so that its memory may be used otherwise; report lanes whose address has none."""
    call.engine.waits.mbarriers.invalidate(call.lanes, call.site, shared_pointers(call, 0))


for space in ("", ".shared"):
    for drop in (False, True):
        name = f"{NAME}.arrive{'.drop' if drop else ''}"
        declare_effect(f"{name}{space}", of=Arrive(drop=drop), compiled="" if drop else "phase.arrive")
        declare_effect(f"{name}.noComplete{space}", of=Arrive(count=1, drop=drop, may_end_phase=False))
    declare_effect(f"{NAME}.test.wait{space}", of=TestPhase(), compiled="phase.test.token")
for scope_word, scope in SCOPES.items():
    for space_word in SCOPES:
        where = f"scope.{scope_word}.space.{space_word}"
        for kind, strong in (("", True), (".relaxed", False)):
            order, is_block_scope = SyncOrder(strong, scope), strong and where == "scope.cta.space.cta"
            for drop in (False, True):
                name = f"{NAME}.arrive{'.drop' if drop else ''}"
                compiled = "phase.arrive" if is_block_scope and not drop else ""
                declare_effect(f"{name}{kind}.{where}", of=Arrive(order, count=1, drop=drop), compiled=compiled)
                declare_effect(f"{name}.expect.tx{kind}.{where}", of=Arrive(order, expected_bytes=1, drop=drop))
            for verb in ("test.wait", "try.wait") if space_word == "cta" else ():
                for word, parity in (("", False), (".parity", True)):
                    compiled = ("phase.test.parity" if parity else "phase.test.token") if is_block_scope else ""
                    for limit in ("", ".tl") if verb == "try.wait" else ("",):
                        declare_effect(
                            f"{NAME}.{verb}{word}{limit}{kind}.{where}", of=TestPhase(order, parity), compiled=compiled
                        )
        declare_effect(f"{NAME}.expect.tx.{where}", of=CountBytes(sign=1))
        declare_effect(f"{NAME}.complete.tx.{where}", of=CountBytes(sign=-1))
    # A loop in assembly that tests the parity until the phase has ended.
    for word, strong in (("", True), (".relaxed", False)):
        declare_effect(f"asm:mbarrier.wait{word}.{scope_word}", of=WaitPhase(SyncOrder(strong, scope)))


def _arrive_after_copies(counted: bool, call: Call) -> None:
    """Make the mbarrier count an arrival of each lane when all `cp.async` that the lane has started complete.

    No lane waits.

    Args:
        counted: Whether the mbarrier's count has a place for this arrival; else the phase expects one more.
    """
    places = Arrive().find_mbarriers(call)
    if not counted:
        call.engine.waits.mbarriers.expect_bytes(call.lanes, call.site, places, np.zeros(1, np.int64), pending=1)
    call.engine.copies.arrive(call.lanes, call.site, places)


name = "llvm.nvvm.cp.async.mbarrier.arrive"
stateful(name, f"{name}.shared", accesses=ATOMIC)(partial(_arrive_after_copies, False))
name = f"{name}.noinc"
stateful(name, f"{name}.shared", accesses=ATOMIC, compiled="phase.land")(partial(_arrive_after_copies, True))


declare_fence(
    "llvm.nvvm.fence.mbarrier_init.release.cluster", scope="cluster", ordering="begin", spaces=frozenset({"shared"})
)
# All proxies see one memory here, so proxy fences only inform observers; they synchronise no threads.
for end, spaces in {
    "": BOTH,
    ".global": frozenset({"global"}),
    ".shared_cta": frozenset({"shared"}),
    ".shared_cluster": frozenset({"shared"}),
}.items():
    declare_fence(f"llvm.nvvm.fence.proxy.async{end}", scope="thread", ordering="proxy", spaces=spaces)
