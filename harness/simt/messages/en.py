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
_BARRIER = "Barrier used out of turn"
_CLUSTER = "Cluster barrier out of turn"

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
        "Invalid __{space}__ {access} of size {size} bytes in a block that is not there",
        "{access} of {argument} of block {peer} of a cluster of {blocks}",
        "the blocks of a cluster have the ranks from 0 on",
    ),
    "escaping-local": Message(
        "Local variable out of its thread's reach",
        "the address of a local variable is stored outside local memory, but other threads cannot use it",
        "store the value, not its address",
    ),
    # Values.
    "uninitialised.branch": Message(_UNDEFINED, f"an undefined value decides a branch; {_ORIGIN}", _INITIALISE),
    "uninitialised.address": Message(_UNDEFINED, f"an undefined value is used as an address; {_ORIGIN}", _INITIALISE),
    "uninitialised.output": Message(
        _UNDEFINED, f"an undefined value is stored to {{argument}}; {_ORIGIN}", _INITIALISE
    ),
    "uninitialised.atomic": Message(_UNDEFINED, f"an undefined value goes into an atomic; {_ORIGIN}", _INITIALISE),
    "uninitialised.division": Message(_UNDEFINED, f"an undefined value divides; {_ORIGIN}", _INITIALISE),
    "uninitialised.shuffle": Message(_UNDEFINED, f"an undefined value goes into a shuffle; {_ORIGIN}", _INITIALISE),
    "never-written.elements": Message(
        "Never written elements",
        "{count} of {total} elements of {argument} are never written, the first at {first}",
        "let some thread write each element, also past the last full block",
    ),
    "never-written.bytes": Message(
        "Never written elements",
        "{count} of {total} bytes of {argument} are never written, the first at {first}",
        "let some thread write each element, also past the last full block",
    ),
    "division-by-zero": Message("Division by zero", "integer division by zero", "divide only where it is not zero"),
    "broken-assumption": Message("Broken assumption", "an assumption does not hold"),
    "memcpy-overlaps": Message(
        "Copy between parts that overlap", "a `memcpy` writes bytes that it also reads", "copy with `memmove`"
    ),
    "trap.printed": Message("Trap", "threads reached a trap: {said}"),
    "trap.silent": Message("Trap", "threads reached a trap"),
    "trap.unreachable": Message("Trap", "threads reached an instruction declared unreachable"),
    # Calls.
    "call.null": Message(
        "Call of no function",
        "a null pointer is called, as a function {expected}",
        "fill the table or the pointer before the call, or compare it with null",
    ),
    "call.nowhere": Message(
        "Call of no function",
        "a pointer that names no function of the kernel's module is called, as {expected} ({address:#x})",
        "call what the address of a function was stored in, and initialise it before",
    ),
    "call.signature": Message(
        "Call of a function by another signature",
        "{function} is {has}, but is called through a pointer as {expected}",
        "call it with the types that it declares",
    ),
    "call.too-deep": Message(
        "Calls too deep",
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
        "Divergent thread(s): different barriers met together",
        "threads of one warp wait at different barriers",
        "let all threads of the block wait at one barrier: {way}",
    ),
    "divergent-barrier.block": Message(
        "Divergent thread(s): different barriers met together",
        "threads of one block wait at different barriers",
        "let all threads of the block wait at one barrier: {way}",
    ),
    "barrier-protocol.number": Message(
        _BARRIER, "a block has the barriers 0 to {last}, not {number}", "use one of these"
    ),
    "barrier-protocol.counts": Message(
        _BARRIER, "threads give one barrier different counts", "give the same count everywhere"
    ),
    "barrier-protocol.multiple": Message(
        _BARRIER, "a barrier's count must be a multiple of {width}, but is {given}", "count whole warps"
    ),
    "barrier-protocol.crowd": Message(
        _BARRIER,
        "{came:thread} come to barrier {number}, which takes {taken}",
        "count all the threads that come, or send the others elsewhere",
    ),
    "barrier-protocol.twice": Message(
        _BARRIER,
        "a thread arrives twice at barrier {number} before it opens",
        "wait for the barrier before the next arrival",
    ),
    "barrier-protocol.mixed": Message(
        _BARRIER,
        "threads come to barrier {number} with a value to reduce, others without one",
        "let all of them reduce, or give those others a barrier of their own",
    ),
    # Warps.
    "absent-lane.elsewhere": Message(
        "Lanes of one warp wait at different places",
        "lanes {absent} of the warp wait at the first of these places and never come to the second, where the others "
        "wait for them ({operation})",
        "let all lanes of the warp reach both: put what they wait at outside the condition",
    ),
    "absent-lane": Message(
        "Invalid arguments: mask names lanes that never come",
        "lanes {absent} of the warp never come here, where the others wait for them ({operation})",
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
        "a lane names others in its member mask that come with another mask",
        "give all lanes of a mask the same one",
    ),
    "inactive-source.undefined": Message(
        "Exchange with an inactive lane",
        "the value of a lane that does not take part in the exchange is read ({operation})",
        "let every lane of the warp reach the exchange: put it outside the condition, and what is done with it inside",
    ),
    "inactive-source.none": Message(
        "Exchange with a lane that is not there",
        "the value of a lane is read that no thread has: the block has {threads} threads ({operation})",
        "give the block as many threads as whole warps have lanes, or pass the values on in shared memory",
    ),
    "inactive-source.zero": Message(
        "Exchange with an inactive lane",
        "the value of a lane that does not take part in the exchange is read, and is 0 then ({operation})",
        "let every lane of the warp reach the exchange: put it outside the condition, and what is done with it inside",
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
        "{access} of {argument} of another block, which may have ended: no barrier of the cluster comes between",
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
        "The order of threads decides",
        "{count} of {total} elements of {argument} depend on the order of the threads: with seed {seed} the one at "
        "{index} is {other} instead of {first}",
        "order what the threads do to it, or let one of them do it",
    ),
    "order-dependent.rounding": Message(
        "The order of threads decides",
        "the rounding of {count} of {total} elements of {argument} depends on the order of the threads: with seed "
        "{seed} the one at {index} is {other} instead of {first}",
    ),
    **ENDS,
}
