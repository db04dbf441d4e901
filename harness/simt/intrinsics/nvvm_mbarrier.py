"""NVIDIA's `mbarrier`: barriers in shared memory, with phases that also count bytes.

See: https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier
"""

import numpy as np

from harness.simt.arrays import Integers
from harness.simt.compile.declarations import MemoryAccess, PhaseWait
from harness.simt.compile.registry import fence, pure, stateful
from harness.simt.intrinsics.handlers import Call, Result, Stateful
from harness.simt.intrinsics.nvvm_copy import shared_pointers
from harness.simt.run.phase_barrier import token_pending
from harness.simt.run.phases import Order

__all__: list[str] = []

NAME = "llvm.nvvm.mbarrier"
ATOMIC = (MemoryAccess(0, "atomic"),)
STORE = (MemoryAccess(0, "store"),)
ONE = np.ones(1, np.int64)
BLOCK = Order()
SCOPES = {"cta": "block", "cluster": "cluster"}


def _places(call: Call, order: Order) -> Integers:
    mark = call.taint(0)
    if mark is not None:
        call.engine.observation.emit_taint("address", call.site, call.lanes, mark)
    return call.engine.waits.phases.places(call.lanes, call.site, shared_pointers(call, 0), order.scope)


def _size(call: Call, operand: int | None) -> Integers:
    return ONE if operand is None else call.values[operand].astype(np.int64)


@stateful(f"{NAME}.init", f"{NAME}.init.shared", accesses=STORE)
def initialise(call: Call) -> None:
    """A barrier begins."""
    call.engine.waits.phases.initialise(call.lanes, call.site, shared_pointers(call, 0), call.values[1])


@stateful(f"{NAME}.inval", f"{NAME}.inval.shared", accesses=(*ATOMIC, *STORE))
def invalidate(call: Call) -> None:
    """A barrier ends."""
    call.engine.waits.phases.invalidate(call.lanes, call.site, shared_pointers(call, 0))


def _arrive(
    order: Order = BLOCK, *, count: int | None = None, expect: int | None = None, drop: bool = False
) -> Stateful:
    def handler(call: Call) -> Result:
        places = _places(call, order)
        more = None if expect is None else _size(call, expect)
        tokens = call.engine.waits.phases.arrive(
            call.lanes, call.site, places, _size(call, count), expect=more, drop=drop, order=order
        )
        void = not hasattr(call.site.instruction.type, "bits")
        return (None if void else tokens), None

    return handler


def _bytes(sign: int) -> Stateful:
    def handler(call: Call) -> None:
        places = _places(call, BLOCK)
        call.engine.waits.phases.add(call.lanes, call.site, places, sign * _size(call, 1))

    return handler


def _test(order: Order, parity: bool) -> Stateful:
    """Whether a phase has ended. Waiting that may end before is a test: the lanes ask again."""

    def handler(call: Call) -> Result:
        phases = call.engine.waits.phases
        places = _places(call, order)
        given = {"parity": call.values[1]} if parity else {"tokens": call.values[1]}
        done = phases.ended(call.lanes, call.site, places, **given)
        here = np.flatnonzero(done)
        if len(here):
            tokens = None if parity else np.broadcast_to(call.values[1], (call.lanes.n,))[here]
            phases.passed(call.lanes.sub(here), call.site, places[here], order, tokens)
        return done, None

    return handler


def _waited(order: Order) -> Stateful:
    """The end of a loop that waits."""

    def handler(call: Call) -> None:
        places = _places(call, order)
        call.engine.waits.phases.passed(call.lanes, call.site, places, order)

    return handler


for space in ("", ".shared"):
    for drop in (False, True):
        name = f"{NAME}.arrive{'.drop' if drop else ''}"
        stateful(f"{name}{space}", accesses=ATOMIC)(_arrive(drop=drop))
        stateful(f"{name}.noComplete{space}", accesses=ATOMIC)(_arrive(count=1, drop=drop))
    stateful(f"{NAME}.test.wait{space}", accesses=ATOMIC)(_test(BLOCK, parity=False))
for scope_word, scope in SCOPES.items():
    for space_word in SCOPES:
        where = f"scope.{scope_word}.space.{space_word}"
        for kind, strong in (("", True), (".relaxed", False)):
            order = Order(strong, scope)
            for drop in (False, True):
                name = f"{NAME}.arrive{'.drop' if drop else ''}"
                stateful(f"{name}{kind}.{where}", accesses=ATOMIC)(_arrive(order, count=1, drop=drop))
                expecting = _arrive(order, expect=1, drop=drop)
                stateful(f"{name}.expect.tx{kind}.{where}", accesses=ATOMIC)(expecting)
            if space_word == "cta":
                for verb in ("test", "try"):
                    for word, parity in (("", False), (".parity", True)):
                        ends = ("", ".tl") if verb == "try" else ("",)
                        for limit in ends:
                            name = f"{NAME}.{verb}.wait{word}{limit}{kind}.{where}"
                            stateful(name, accesses=ATOMIC)(_test(order, parity))
        stateful(f"{NAME}.expect.tx.{where}", accesses=ATOMIC)(_bytes(1))
        stateful(f"{NAME}.complete.tx.{where}", accesses=ATOMIC)(_bytes(-1))
    for kind, strong in ((".acquire", True), (".relaxed", False)):
        order = Order(strong, scope)
        # A loop of assembly that asks for the parity until the phase has ended.
        name = f"asm:mbarrier.wait{kind.removeprefix('.acquire')}.{scope_word}"
        stateful(name, waits=PhaseWait(), accesses=ATOMIC)(_waited(order))


@pure(f"{NAME}.pending.count")
def pending(tokens: Integers) -> Integers:
    """The arrivals that a phase lacked when a token of it was given."""
    return token_pending(tokens)


for end in ("", ".shared"):
    for noinc in (False, True):

        @stateful(f"llvm.nvvm.cp.async.mbarrier.arrive{'.noinc' if noinc else ''}{end}", accesses=ATOMIC)
        def arrive_after_copies(call: Call, counted: bool = noinc) -> None:
            """The lanes arrive when all their copies so far have."""
            places = _places(call, BLOCK)
            if not counted:
                call.engine.waits.phases.add(call.lanes, call.site, places, np.zeros(1, np.int64), pending=1)
            call.engine.copies.arrive(call.lanes, call.site, places)


fence("llvm.nvvm.fence.mbarrier_init.release.cluster", scope="cluster", ordering="release")
# Memory here has no views that a fence must bring together.
fence("llvm.nvvm.fence.proxy.async.shared_cta", "llvm.nvvm.fence.proxy.async", scope="block", ordering="acq_rel")
