"""Layouts of the structs in which compiled code counts accesses, requests, elements and branches.

`library/counts.h` is made from them. Each field has 64 bits. Arrays follow some structs: see the C file that uses it.
"""

from harness.simt.native.emit.lane_tally import TALLIED

__all__ = ["BANK_RECORD_BYTES", "BLOCK_COUNTS", "CONSTANTS", "ELEMENT_COUNTS", "REQUEST_FIELDS", "ROW_BYTES", "STRUCTS"]

LANE_COUNTS = 8  # numbers that are counted of a thread; `TALLIED` are the first of them
BANKS, WORDS_OF_BANK = 32, 32  # of shared memory; words that a part of a warp asks for of each


def _fields(*names: str) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


# What is counted of a place in the code that makes requests: how often threads came there, and the number of sectors
# or of further passes that their requests took.
REQUEST_SITE = _fields("times", "units")
# A request of global memory: when it is made, and the highest and the number of its sectors, which follow.
REQUEST_FIELDS = _fields("when", "last", "count")
# A request of shared memory: when a part of a warp makes it, and the most words that it asks one bank for.
BANK_RECORD = _fields("when", "part", "most")
# What the block loaded and stored to of a variable in shared memory: how many of its cells, which follow, the sizes and
# offsets of the accesses, as bits, and all sizes in which blocks counted.
ELEMENT_COUNTS = _fields("loads", "stores", "sizes", "units")
BLOCK_COUNTS = _fields(
    "loads",  # elements of shared memory that the block loaded, and stored to
    "stores",
    "steps",  # barrier intervals in which a thread loaded what another one of the block stored last
    "handed on",  # whether nobody who did so in the last of these did in the one before
    "read",  # whether somebody did so since the last barrier
    "most loads",  # the same of the block with the most
    "most stores",
    "most steps",
    "when",  # how often lanes of a warp ran a segment
    "split rounds",  # rounds of loops that some lanes of a warp went while others had left, at most
    "most rounds",  # that lanes of a warp went, at most, and all warps together
    "all rounds",
    "divergent",  # branches that divided a warp
    "mixed",  # whether blocks counted a variable in elements of different sizes
    "shared order",  # whether there were atomic updates of shared memory, and of global memory
    "global order",
)
STRUCTS = {
    "RequestSite": REQUEST_SITE,
    "Request": REQUEST_FIELDS,
    "BankRecord": BANK_RECORD,
    "ElementCounts": ELEMENT_COUNTS,
    "BlockCounts": BLOCK_COUNTS,
}
CONSTANTS = {"LANE_COUNTS": LANE_COUNTS, "BANKS": BANKS, "WORDS_OF_BANK": WORDS_OF_BANK}
ROW_BYTES = 8 * LANE_COUNTS
BANK_RECORD_BYTES = 8 * len(BANK_RECORD) + 4 * BANKS * (1 + WORDS_OF_BANK)

assert len(TALLIED) <= LANE_COUNTS
