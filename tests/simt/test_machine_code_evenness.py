"""Which shared memory all blocks touch alike: what the analysis says of it."""

from __future__ import annotations

import pytest

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.native.analysis.block_invariance import find_block_invariance
from harness.simt.targets import target_of
from tests.simt.engines import BARRIER, OUT, SHARED, VALUE
from tests.simt.launches.invariance import AT, DIFFERENT, EITHER_EXTENT, EXCHANGE, MIRRORED, ROUND, SET, WRONG, S
from tests.simt.snippets import kernel


def found(body, target="nvidia:sm_90"):
    """Return the names of the shared variables that are alike, and whether blocks have to go the same ways for that."""
    text = kernel(body, "ptr %a, ptr %o", SHARED, target)
    program = compile_kernel(simt.decode(text), None, target_of(target))
    names = {variable.number: variable.symbol for variable in program.variables}
    variables, ways, *_ = find_block_invariance(program)
    return {names[number] for number in variables} & {"tile"}, bool(ways)


ESCAPED = (
    f"{VALUE}{S}{SET}\n  %l = alloca ptr addrspace(3)\n  store ptr addrspace(3) %s, ptr %l\n  %w = add i32 %v, 0{OUT}"
)
GUARDED = f"""{VALUE}{S}
  %c = icmp ult i32 %b1, 40
  br i1 %c, label %some, label %all
some:{SET}
  br label %all
all:
  %w = add i32 %v, 0{OUT}"""
BEHIND = f"""{VALUE}{S}
  %c = icmp ult i32 %b1, 40
  br i1 %c, label %some, label %all
some:
  br label %all
all:{SET}
  %w = add i32 %v, 0{OUT}"""
WAITED = GUARDED.replace(SET, f"\n  {BARRIER}").replace("%w = add", f"{SET.strip()}\n  %w = add")
BY_WAYS = ("how often a loop goes round", "a way that a block took")
# Of each kernel whether the variable is touched alike, and whether that holds only of blocks that go the same ways.
ALIKE = {
    "places of threads": (EXCHANGE + AT, True, False),
    "a loop": (ROUND, True, False),
    "an address that is kept": (ESCAPED, False, False),
    "behind a branch": (GUARDED, True, True),
    "where all have come together": (BEHIND, True, True),
    "a barrier behind a branch": (WAITED, True, True),
    **{
        how: (f"{VALUE}{S}{lines}{SET}{WRONG['a place of another thread'][0]}{OUT}", how in BY_WAYS, how in BY_WAYS)
        for how, lines in DIFFERENT.items()
    },
}
ALIKE_ON_AMD = {
    "the extents": (MIRRORED.format(where="implicitarg", at=12) + AT, True, False),
    "the extents of the dispatch": (MIRRORED.format(where="dispatch", at=4) + AT, True, False),
    "which extent may differ": (EITHER_EXTENT + AT, False, False),
}


@pytest.mark.parametrize(
    ("target", "body", "alike", "ways"),
    [
        pytest.param(target, *row, id=name)
        for target, rows in {"nvidia:sm_90": ALIKE, "amd:gfx942": ALIKE_ON_AMD}.items()
        for name, row in rows.items()
    ],
)
def test_it_is_known_which_shared_memory_blocks_touch_alike(target, body, alike, ways):
    assert found(body, target) == ({"tile"} if alike else set(), ways)
