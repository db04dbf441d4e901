"""English messages about asynchronous copies, tensor copies, `wgmma`, proxies, mbarriers and dependent grids."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["ASYNCHRONOUS"]

_PHASES = "Barrier in shared memory out of turn"
_FLIGHT = "Memory used while an asynchronous copy is under way"
_PRODUCT = "Matrix product of four warps out of turn"
_TENSOR = "Impossible copy of a tensor's box"

ASYNCHRONOUS: dict[str, Message] = {
    "async-copy.read": Message(
        _FLIGHT,
        "{access} of {argument} while a copy into it is under way: it may get the old value or the new one",
        "{awaited}",
    ),
    "async-copy.write": Message(
        _FLIGHT,
        "{access} of {argument} while a copy into it is under way: either value may stay",
        "wait for the copy before the write",
    ),
    "async-copy.source": Message(
        _FLIGHT,
        "{access} of {argument} while a copy reads it: the copy may take the old value or the new one",
        "wait for the copy before the write",
    ),
    "async-product.source": Message(
        _PRODUCT,
        "{access} of {argument} while a matrix product reads it: the product may take the old value or the new one",
        "wait for the product's group (wgmma.wait_group) before the write",
    ),
    "async-product.result": Message(
        _PRODUCT,
        "a register of a matrix product's sum is used before the product was waited for: it may hold anything",
        "close the group and wait for it (wgmma.commit_group, wgmma.wait_group) before the use",
    ),
    "async-product.fence": Message(
        _PRODUCT,
        "nothing orders a matrix product after what was written to its registers: it may take what they held before",
        "let wgmma.fence stand between the writes and the first product that takes them",
    ),
    "async-proxy": Message(
        "Memory written by threads and read asynchronously, without a fence",
        "{argument} is read by a bulk copy or a matrix product, and no fence orders that after what a thread wrote "
        "there: it may get the old value",
        "let the threads that wrote call fence.proxy.async (fence_async_view_proxy) before the barrier",
    ),
    "tensor-copy.map": Message(
        _TENSOR,
        "a tensor copy of {rank} dimensions in {mode} mode is given a pointer to no tensor map of such",
        "pass the map that the host made (create_tma_tile), as the kernel got it",
    ),
    "tensor-copy.alignment": Message(
        _TENSOR,
        "a tensor copy's box in shared memory begins at no multiple of {granule} bytes",
        "align the shared memory that it is in",
    ),
    "tensor-copy.place": Message(
        _TENSOR,
        "a tensor copy begins at innermost coordinate {place}, {offset} bytes from the tensor's edge: "
        "that is no multiple of {granule}, and hardware ends with an illegal instruction",
        "begin at an innermost coordinate whose bytes are a multiple of that",
    ),
    "tensor-copy.negative": Message(
        _TENSOR,
        "a store of a tensor's box begins at coordinate {place}, before the tensor: only loads may, "
        "and hardware ends with an illegal instruction",
        "begin at coordinates that are not negative",
    ),
    "tensor-copy.rest": Message(
        "Copy of a tensor's box writes behind its rows",
        "a store of a tensor's box over the end of its rows writes {size} bytes behind each: it goes on up to a "
        "multiple of {granule}",
        "let nothing that counts lie there, or make the rows of the map multiples of that",
    ),
    "dependent-grid": Message(
        "Memory used before the grid that writes it has ended",
        "{access} of {argument}, which the grid before writes, and this one may begin before that has ended",
        "call griddepcontrol.wait (wait_on_dependent_grids) before the first use of what the grid before writes",
    ),
    "async-copy.size": Message(
        "Bulk copy of an odd size",
        "a bulk copy of {size} bytes: it takes multiples of {granule}",
        "copy whole multiples, and the rest by other means",
    ),
    "async-copy.more": Message(
        "Copy that reads more than it copies",
        "an asynchronous copy of {size:byte} is to read {given}",
        "read as many bytes as are copied at most: the others become zeros",
    ),
    "fragment-missing": Message(
        "Matrix instruction without all lanes of its warp",
        "lanes of the warp do not take part in a matrix instruction: what they hold of the matrices lacks",
        "let all lanes of the warp reach it together",
    ),
    "mbarrier.nothing": Message(
        _PHASES,
        "{argument} is used as a barrier where there is none: it was not initialised, is not valid any more, "
        "or was overwritten",
        "let one thread initialise it, and a barrier follow before others use it",
    ),
    "mbarrier.again": Message(
        _PHASES,
        "a barrier in {argument} is initialised while there is one",
        "initialise it once, or invalidate it before",
    ),
    "mbarrier.count": Message(
        _PHASES,
        "a barrier in {argument} is to take {count} arrivals, and takes 1 to 1048575",
        "give the number of arrivals of a phase",
    ),
    "mbarrier.crowd": Message(
        _PHASES,
        "more arrive at a barrier in {argument} than its phase lacks, of the {expected} that it takes; it still waits "
        "for {missing} bytes",
        "let as many arrive in each phase as the barrier was initialised for",
    ),
    "mbarrier.no-end": Message(
        _PHASES,
        "an arrival by `noComplete` ends a phase of a barrier in {argument}",
        "leave `noComplete` out, or let another thread arrive last",
    ),
    "mbarrier.never-ends": Message(
        _PHASES,
        "a phase of a barrier in {argument} never ends: {pending} of {expected:arrival} lack, and {missing:byte}",
        "let as many arrive in each phase as the barrier was initialised for",
    ),
    "mbarrier.bytes": Message(
        _PHASES,
        "a phase of a barrier in {argument} never ends: all {expected:arrival} came, and {missing:byte} lack",
        "expect as many bytes as the copies of the phase bring",
    ),
    "mbarrier.left": Message(
        _PHASES,
        "when the block ends {missing:byte} lack at a barrier in {argument}: a phase ended before its copies, "
        "or nobody waited for it",
        "expect as many bytes as the copies of the phase bring",
    ),
    "mbarrier.token": Message(
        _PHASES,
        "a wait at a barrier in {argument} is given what no arrival returned: it only says whether the phase is odd",
        "keep what the arrival returns, or wait by parity",
    ),
    "mbarrier.stale": Message(
        _PHASES,
        "a wait at a barrier in {argument} is given a token of a phase before the last one",
        "wait for each phase before the next one ends",
    ),
    "buffer-to-shared.pointer": Message(
        "Pointer into shared memory of one lane alone",
        "a copy to shared memory fills the places from the first lane's pointer on, but the lanes of a wave give "
        "different ones",
        "give all lanes of the wave the pointer of the first: each gets its own place by its number",
    ),
}
