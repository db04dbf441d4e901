"""English messages about asynchronous copies, tensor copies, `wgmma`, proxies, mbarriers and dependent grids."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["ASYNCHRONOUS"]

_PHASES = "Misuse of an mbarrier"
_FLIGHT = "Memory used while an asynchronous copy is in flight"
_PRODUCT = "Unsynchronised warpgroup matrix product (wgmma)"
_TENSOR = "Invalid tensor copy (TMA)"

ASYNCHRONOUS: dict[str, Message] = {
    "async-copy.read": Message(
        _FLIGHT,
        "{access} of {argument} while a copy into it is in flight: it may get the old value or the new one",
        "{awaited}",
    ),
    "async-copy.write": Message(
        _FLIGHT,
        "{access} of {argument} while a copy into it is in flight: either value may stay",
        "wait for the copy before the write",
    ),
    "async-copy.source": Message(
        _FLIGHT,
        "{access} of {argument} while a copy reads it: the copy may take the old value or the new one",
        "wait for the copy before the write",
    ),
    "async-product.source": Message(
        _PRODUCT,
        "{access} of {argument} while a wgmma reads it: the product may take the old value or the new one",
        "wait for the wgmma's group (wgmma.wait_group) before the write",
    ),
    "async-product.result": Message(
        _PRODUCT,
        "an accumulator register of a wgmma is used before the wgmma was waited for: its value is undefined",
        "close the group and wait for it (wgmma.commit_group, wgmma.wait_group) before the use",
    ),
    "async-product.fence": Message(
        _PRODUCT,
        "a wgmma is not ordered after writes of its registers: it may take their old values",
        "execute wgmma.fence between the writes and the first wgmma that reads them",
    ),
    "async-proxy": Message(
        "Missing proxy fence",
        "a bulk copy or a wgmma reads {argument} through the async proxy, and no fence orders that after a thread's "
        "write: it may get the old value",
        "let the threads that wrote execute fence.proxy.async (fence_async_view_proxy) before the barrier",
    ),
    "tensor-copy.map": Message(
        _TENSOR,
        "a tensor copy of {rank} dimensions in {mode} mode needs a tensor map of that kind; its pointer leads to none",
        "pass the map that the host made (create_tma_tile), unchanged",
    ),
    "tensor-copy.alignment": Message(
        _TENSOR,
        "a tensor copy's box in shared memory is not aligned to {granule} bytes",
        "align the shared array that holds it to {granule} bytes",
    ),
    "tensor-copy.place": Message(
        _TENSOR,
        "a tensor copy begins at innermost coordinate {place}, {offset} bytes from the tensor's edge: "
        "that is not a multiple of {granule}, and a GPU would stop with an illegal instruction",
        "begin at an innermost coordinate whose byte offset is a multiple of {granule}",
    ),
    "tensor-copy.negative": Message(
        _TENSOR,
        "a tensor store begins at coordinate {place}, before the tensor: only loads may, "
        "and a GPU would stop with an illegal instruction",
        "begin at coordinates that are not negative",
    ),
    "tensor-copy.rest": Message(
        "Tensor store past the end of its rows",
        "a tensor store across the end of the rows writes {size:byte} past each: it is rounded up to a multiple of "
        "{granule} bytes",
        "keep no data there, or make the map's rows a multiple of {granule} bytes long",
    ),
    "dependent-grid": Message(
        "Memory used before the previous grid has ended",
        "{access} of {argument}, which the previous grid writes: this grid may begin before that one has ended",
        "execute griddepcontrol.wait (wait_on_dependent_grids) before the first use of what the previous grid writes",
    ),
    "async-copy.size": Message(
        "Invalid size of a bulk copy",
        "a bulk copy of {size} bytes: its size must be a multiple of {granule}",
        "copy a multiple of {granule} bytes, and the rest with plain stores",
    ),
    "async-copy.more": Message(
        "Asynchronous copy that reads more than it writes",
        "an asynchronous copy of {size:byte} has a source size of {given}",
        "give a source size of at most {size}: bytes beyond the source size are filled with zeros",
    ),
    "fragment-missing": Message(
        "Matrix instruction without all lanes of its warp",
        "a matrix instruction is executed without all lanes of its warp: their parts of the matrices are missing",
        "let all lanes of the warp execute it together",
    ),
    "mbarrier.nothing": Message(
        _PHASES,
        "{argument} is used as an mbarrier, but holds none: it was never initialised, was invalidated, "
        "or was overwritten",
        "let one thread initialise the mbarrier, and call `barrier()` before other threads use it",
    ),
    "mbarrier.again": Message(
        _PHASES,
        "an mbarrier in {argument} is initialised while it is in use",
        "initialise it once, or invalidate it first",
    ),
    "mbarrier.count": Message(
        _PHASES,
        "an mbarrier in {argument} is initialised for {count} arrivals; 1 to 1048575 are possible",
        "initialise it with the number of arrivals of one phase",
    ),
    "mbarrier.crowd": Message(
        _PHASES,
        "too many arrivals at an mbarrier in {argument} in one phase: it expects {expected}; "
        "{missing:byte} of copies are still pending",
        "let as many arrive in each phase as the barrier was initialised for",
    ),
    "mbarrier.no-end": Message(
        _PHASES,
        "an arrival with `noComplete` would complete a phase of an mbarrier in {argument}",
        "use an arrival without `noComplete`, or let another thread arrive last",
    ),
    "mbarrier.never-ends": Message(
        _PHASES,
        "a phase of an mbarrier in {argument} never completes: {pending} of {expected:arrival} and {missing:byte} "
        "are missing",
        "let as many threads arrive in each phase as it was initialised for, and copy as many bytes as it expects",
    ),
    "mbarrier.bytes": Message(
        _PHASES,
        "a phase of an mbarrier in {argument} never completes: all {expected:arrival} came, but {missing:byte} "
        "are missing",
        "expect as many bytes (expect_tx) as the copies of the phase transfer",
    ),
    "mbarrier.left": Message(
        _PHASES,
        "the block ends while {missing:byte} are pending at an mbarrier in {argument}: a phase completed before its "
        "copies, or nobody waited for it",
        "expect as many bytes (expect_tx) as the copies of the phase transfer",
    ),
    "mbarrier.token": Message(
        _PHASES,
        "a wait at an mbarrier in {argument} has a token that no arrival at it returned, which is undefined: only the "
        "token's parity is checked",
        "keep the token that the arrival returns, or wait by parity and flip the parity after each phase",
    ),
    "mbarrier.stale": Message(
        _PHASES,
        "a wait at an mbarrier in {argument} has a token of an earlier phase than the last one",
        "wait for each phase before the next one completes",
    ),
    "buffer-to-shared.pointer": Message(
        "Different destination pointers for a copy to shared memory",
        "a copy to shared memory writes consecutive addresses from the first lane's pointer, but the lanes of a "
        "wavefront have different pointers",
        "give all lanes of the wavefront the same pointer: the hardware adds each lane's offset",
    ),
}
