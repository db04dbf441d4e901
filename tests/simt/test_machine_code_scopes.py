"""Machine code of atomics of a block's scope, of memory that blocks share: no other block may update there too."""

from __future__ import annotations

from itertools import product

import pytest

from tests.simt.engines import BARRIER, VALUE, both

pytestmark = pytest.mark.slow

SCOPES = {"device": "", "block": 'syncscope("block") '}
PLACES = {
    "one of all": "add i64 0, 5",
    "one of the block": "and i64 %i, 32",
    "one of two threads": "and i64 %i, 62",
}


def updates(first, second, place, *, halves=False):
    """Two updates with a barrier in between; by one block each where it is said so."""
    one, two = (f"atomicrmw add ptr %p4, i32 %v {SCOPES[scope]}monotonic" for scope in (first, second))
    head = f"{VALUE}\n  %at = {PLACES[place]}\n  %p4 = getelementptr i32, ptr %o, i64 %at"
    if not halves:
        return f"{head}\n  %x = {one}\n  {BARRIER}\n  %y = {two}"
    return f"""{head}
  %c = icmp eq i32 %bx, 0
  br i1 %c, label %low, label %high
low:
  %x = {one}
  br label %end
high:
  %y = {two}
  br label %end
end:"""


@pytest.mark.parametrize(("first", "second"), [*product(SCOPES, SCOPES)])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("halves", [False, True])
def test_a_block_updates_alone_what_it_updates_for_itself(first, second, place, halves):
    body = updates(first, second, place, halves=halves)
    result = both(body, grid=2, block=32, initialised=True)
    alone = place != "one of all" or first == second == "device"

    assert result.engine.native == 2 * alone
    assert {finding.kind for finding in result.findings if finding.severity != "information"} == (
        set() if alone else {"race"}
    )
