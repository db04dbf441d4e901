"""English messages of the simulator: memory, undefined values, barriers, exchanges, traps, calls; see siblings.

`harness.simt.messages` says what a template may hold.
"""

from __future__ import annotations

from harness.simt.messages.en_asynchronous import ASYNCHRONOUS
from harness.simt.messages.en_bounds import BOUNDS
from harness.simt.messages.en_ends import ENDS
from harness.simt.messages.en_host import HOST
from harness.simt.messages.en_races import RACES
from harness.simt.messages.en_terms import TERMS
from harness.simt.messages.message import Message

__all__ = ["MESSAGES", "TERMS"]

_UNDEFINED = "Use of an undefined value"
_ORIGIN = "it comes from {origin}"
_INITIALISE = "{write}"
_BARRIER = "Misuse of a named barrier"
_CLUSTER = "Misuse of the cluster barrier"

MESSAGES: dict[str, Message] = {
    # Memory.
    **BOUNDS,
    "use-after-free": Message(
        "Invalid {access} of size {size} bytes in freed memory",
        "{access} of {size} bytes in {argument}, which was freed before",
        "Mojo frees a buffer after its last use, and a pointer into it does not count as one: write `_ = buffer^` "
        "after the wait for the work that uses it",
    ),
    "misaligned": Message(
        "Misaligned __{space}__ {access} of size {size} bytes",
        "misaligned {access} of {size} bytes in {argument}: the address must be a multiple of {align}",
        "load and store elements as wide as their type, or start where the alignment allows more",
    ),
    "write-to-constant": Message(
        "Invalid {access} of size {size} bytes to read-only memory",
        "{access} of {size} bytes to {argument}, which is read-only",
        "write to an output, or to shared memory",
    ),
    "no-such-peer": Message(
        "Invalid __{space}__ {access} of size {size} bytes in a block that does not exist",
        "{access} of {argument} of block {peer} of a cluster of {blocks}",
        "use ranks below the size of the cluster: the first is 0",
    ),
    "escaping-local": Message(
        "Address of a local variable escapes its thread",
        "the address of a local variable is stored outside local memory, but other threads cannot use it",
        "store the value, not its address",
    ),
    # Values.
    "uninitialised.branch": Message(_UNDEFINED, f"an undefined value decides a branch; {_ORIGIN}", _INITIALISE),
    "uninitialised.address": Message(_UNDEFINED, f"an undefined value is used as an address; {_ORIGIN}", _INITIALISE),
    "uninitialised.output": Message(
        _UNDEFINED, f"an undefined value is stored to {{argument}}; {_ORIGIN}", _INITIALISE
    ),
    "uninitialised.atomic": Message(
        _UNDEFINED, f"an undefined value is an operand of an atomic; {_ORIGIN}", _INITIALISE
    ),
    "uninitialised.division": Message(_UNDEFINED, f"an undefined value is used as a divisor; {_ORIGIN}", _INITIALISE),
    "uninitialised.shuffle": Message(
        _UNDEFINED, f"an undefined value is an operand of a shuffle; {_ORIGIN}", _INITIALISE
    ),
    "never-written.elements": Message(
        "Elements never written",
        "{count} of {total} elements of {argument} are never written, the first at {first}",
        "let some thread write each element, also past the last full block",
    ),
    "never-written.bytes": Message(
        "Elements never written",
        "{count} of {total} bytes of {argument} are never written, the first at {first}",
        "let some thread write each element, also past the last full block",
    ),
    "division-by-zero": Message(
        "Division by zero", "integer division by zero", "divide only if the divisor is not zero"
    ),
    "broken-assumption": Message("Broken assumption", "an assumption does not hold"),
    "memcpy-overlaps": Message(
        "Overlapping ranges of a `memcpy`", "a `memcpy` writes bytes that it also reads", "copy with `memmove`"
    ),
    "trap.printed": Message("Trap", "threads reached a trap: {said}"),
    "trap.silent": Message("Trap", "threads reached a trap"),
    "trap.unreachable": Message("Trap", "threads reached an instruction declared unreachable"),
    # Calls.
    "call.null": Message(
        "Call through an invalid function pointer",
        "a null pointer is called; the call expects a function {expected}",
        "initialise the pointer before the call, or compare it with null",
    ),
    "call.nowhere": Message(
        "Call through an invalid function pointer",
        "a pointer that is not the address of a function of the module is called, as {expected} ({address:#x})",
        "store the address of a function in the pointer before the call",
    ),
    "call.signature": Message(
        "Call of a function with another signature",
        "{function} is {has}, but is called through a pointer as {expected}",
        "call it with the types that it declares",
    ),
    "call.too-deep": Message(
        "Call stack too deep",
        "a call of {function} goes deeper than {depth}: a GPU's stack is small",
        "end the recursion earlier, write it as a loop, or raise call_depth",
    ),
    **RACES,
    **ASYNCHRONOUS,
    **HOST,
    # Barriers of a block.
    "missed-barrier.passed": Message(
        "Divergent thread(s) in block: barrier missed",
        "{ended:thread} of the block went past a barrier at which the others wait",
        "let every thread of the block reach the barrier: {way}",
    ),
    "missed-barrier.ended": Message(
        "Divergent thread(s) in block: ended before a barrier",
        "{ended:thread} of the block ended before a barrier at which the others wait; {waits}",
        "let every thread reach the barrier: {way}",
    ),
    "divergent-barrier.warp": Message(
        "Divergent thread(s): wait at different barriers",
        "threads of one warp wait at different barrier instructions",
        "let all threads of the block wait at one barrier: {way}",
    ),
    "divergent-barrier.block": Message(
        "Divergent thread(s): wait at different barriers",
        "threads of one block wait at different barrier instructions",
        "let all threads of the block wait at one barrier: {way}",
    ),
    "barrier-protocol.number": Message(
        _BARRIER, "a block has the barriers 0 to {last}, not {number}", "use one of these"
    ),
    "barrier-protocol.counts": Message(
        _BARRIER, "threads use one barrier with different thread counts", "give the same count everywhere"
    ),
    "barrier-protocol.multiple": Message(
        _BARRIER, "a barrier's thread count must be a multiple of {width}, but is {given}", "count whole warps"
    ),
    "barrier-protocol.crowd": Message(
        _BARRIER,
        "{came:thread} arrive at barrier {number}, which expects {taken}",
        "set the barrier's thread count to the number of threads that arrive, or keep the others away",
    ),
    "barrier-protocol.twice": Message(
        _BARRIER,
        "a thread arrives twice at barrier {number} before it completes",
        "wait for the barrier before the next arrival",
    ),
    "barrier-protocol.mixed": Message(
        _BARRIER,
        "some threads arrive at barrier {number} with a value to reduce (bar.red), others without one",
        "let all of them reduce, or use another barrier for the others",
    ),
    # Warps.
    "absent-lane.elsewhere": Message(
        "Lanes of one warp wait at different instructions",
        "lanes {absent} of the warp wait at the first of these lines and never arrive at the second, where the others "
        "wait for them ({operation})",
        "let all lanes of the warp reach both: call them outside the condition",
    ),
    "absent-lane": Message(
        "Invalid arguments: mask names lanes that never arrive",
        "lanes {absent} of the warp never arrive here, where the others wait for them ({operation})",
        "name only the lanes that reach it, or let all of them reach it",
    ),
    "absent-lane.ended": Message(
        "Mask names lanes that have ended",
        "a synchronisation of the warp names lanes that have ended: {absent}; {waits}",
        "name only the lanes that reach it, or let all of them reach it",
    ),
    "caller-not-in-mask": Message(
        "Invalid arguments: caller not in its own mask",
        "the member mask does not name the lane that uses it",
        "put the lane's own bit into the mask",
    ),
    "masks-differ": Message(
        "Invalid arguments: different masks",
        "lanes that are named by one member mask arrive with different masks",
        "give all lanes that a mask names the same mask",
    ),
    "inactive-source.undefined": Message(
        "Exchange with an inactive lane",
        "the exchange reads the value of a lane that does not take part in it ({operation})",
        "let every lane of the warp reach the exchange: call it outside the condition, and use its result inside",
    ),
    "inactive-source.none": Message(
        "Exchange with a lane that does not exist",
        "the exchange reads a lane that is no thread of the block, which has {threads} threads ({operation})",
        "make the block's size a multiple of the warp's, or exchange the values through shared memory",
    ),
    "inactive-source.zero": Message(
        "Exchange with an inactive lane",
        "the exchange reads the value of a lane that does not take part in it, which gives 0 ({operation})",
        "let every lane of the warp reach the exchange: call it outside the condition, and use its result inside",
    ),
    "fragment.halves": Message(
        "Fragments mixed between lanes",
        "{operation} needs the same row of A and column of B in lanes n and n + 16, but they differ",
        "load both fragments by the lane's number modulo 16",
    ),
    # Clusters.
    "peer-not-started": Message(
        "Distributed shared memory used before its block has started",
        "{access} of {argument} of another block before the cluster's first barrier: that block may not have started",
        "call `cluster_sync()` before the first access",
    ),
    "peer-ended": Message(
        "Distributed shared memory used when its block may have ended",
        "{access} of {argument} of another block, which may have ended: no cluster barrier lies between",
        "call `cluster_sync()` after the last access",
    ),
    "cluster-protocol.twice": Message(
        _CLUSTER,
        "a thread arrives twice at the cluster's barrier without a wait",
        "call `cluster_wait()` between the two",
    ),
    "cluster-protocol.early": Message(
        _CLUSTER,
        "a thread waits at the cluster's barrier without having arrived",
        "call `cluster_arrive()` first",
    ),
    "cluster-protocol.missed": Message(
        _CLUSTER,
        "threads never arrive at the cluster's barrier, which others pass",
        "let every thread of the cluster reach it",
    ),
    "cluster-protocol.unawaited": Message(
        _CLUSTER,
        "threads arrive but do not wait at the cluster's barrier, which others pass",
        "let every thread that arrives wait too",
    ),
    "cluster-protocol.end": Message(
        _CLUSTER,
        "threads arrive at the cluster's barrier and end without waiting",
        "call `cluster_wait()` before the end",
    ),
    "order-dependent.result": Message(
        "Result depends on the order of threads",
        "{count} of {total} elements of {argument} depend on the order of the threads: with seed {seed} the one at "
        "{index} is {other} instead of {first}",
        "order the threads' accesses to it, or let one thread make them",
    ),
    "order-dependent.rounding": Message(
        "Result depends on the order of threads",
        "the rounding of {count} of {total} elements of {argument} depends on the order of the threads: with seed "
        "{seed} the one at {index} is {other} instead of {first}",
    ),
    **ENDS,
}
