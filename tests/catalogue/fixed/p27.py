"""What the documents of puzzle 27 fix: one block makes each result."""

from dataclasses import replace

from harness.catalogue import find_case
from harness.model.case import Case, Instance
from tests.catalogue.fixed.launch import Fixed

__all__ = ["FIXED"]

_ONE_BLOCK = ("blocks", "grid_dim.x", "grid_dim.y", "block_dim.y")
# What a form earns over two blocks, why, and what else is one as the blocks are.
_SHOWN = {
    "p27:traditional-dot-product": ("FINDING", "thread 0 of each block writes the one result", "len(output)"),
    "p27:block-sum-dot-product": ("FINDING", "thread 0 of each block writes the one result", "len(output)"),
    "p27:histogram": ("FINDING", "the last thread of each block writes the one count", "len(count_output)"),
    "p27:normalize": ("MISMATCH", "the mean is that of a block's own elements"),
}


def _in_two_blocks(entry: Case) -> Case:
    """Make the further launch of a mode in two blocks of half as many threads, which share the elements."""
    (further,) = entry.further
    (step,) = further.kernel_steps
    threads = step.launch(32).block[0] // 2

    def instance(width: int) -> Instance:
        whole = further.instance(width)
        return replace(whole, constants={**whole.constants, "TPB": threads})

    return replace(
        further,
        mode=f"{further.mode}-in-two-blocks",
        op="",
        steps=(replace(step, grid=2, block=threads, parameters={"tpb": threads}),),
        resolve=instance,
        redefined={**further.redefined, "TPB": threads},
    )


FIXED = tuple(
    Fixed(name, equal, _in_two_blocks(find_case(name)), verdict, why)
    for name, (verdict, why, *results) in _SHOWN.items()
    for equal in ((*_ONE_BLOCK, *results), ("block_dim.x", "threads"))
)
