"""Tables of launches: each row is run by the interpreter, the compiler, and one lane at a time if nothing is wrong."""

from __future__ import annotations

import pytest

from tests.simt.launches.barriers import BARRIERS, WRONG_BARRIERS
from tests.simt.launches.basics import COMPILED, INTERPRETED
from tests.simt.launches.blocks import WRONG_BLOCKS
from tests.simt.launches.buffers import BUFFERS, WRONG_BUFFERS
from tests.simt.launches.calls import CALLS, WRONG_CALLS
from tests.simt.launches.clusters import CLUSTERS, WRONG_CLUSTERS
from tests.simt.launches.exchanges import EXCHANGES, LEFT_EXCHANGES
from tests.simt.launches.faults import FAULTS, SCOPED
from tests.simt.launches.instructions import COMPUTED
from tests.simt.launches.invariance import DIFFERENT_BLOCKS, INVARIANT_BLOCKS
from tests.simt.launches.left import LEFT_BLOCKS
from tests.simt.launches.matrix_rows import MATRIX_ROWS, WRONG_MATRIX_ROWS
from tests.simt.launches.meetings import MEETINGS, WRONG_MEETINGS
from tests.simt.launches.moved import MOVED, WRONG_MOVED
from tests.simt.launches.narrow import LEFT_NARROW, NARROW_FLOATS
from tests.simt.launches.parts import LEFT_PARTS, PARTS
from tests.simt.launches.phases import LEFT_PHASES, PHASES
from tests.simt.launches.phis import PHIS, WRONG_PHIS
from tests.simt.launches.promises import BROKEN, KEPT
from tests.simt.launches.row import check
from tests.simt.launches.spread import LEFT_SPREAD, SPREAD
from tests.simt.launches.sums import ROUNDED_SUMS, SUMS
from tests.simt.launches.together import FOUND_TOGETHER, LEFT_TOGETHER, TOGETHER
from tests.simt.launches.values import LEFT_VALUES, VALUES
from tests.simt.launches.ways import WAYS, WRONG_WAYS

# LLVM could compute something else of these where it optimises.
OPTIMISED = (
    *COMPILED,
    *INTERPRETED,
    *COMPUTED,
    *KEPT,
    *BROKEN,
    *PARTS,
    *FAULTS,
    *SCOPED,
    *PHIS,
    *WRONG_PHIS,
    *VALUES,
    *LEFT_VALUES,
)
OTHERS = (
    *(*BUFFERS, *WRONG_BUFFERS, *EXCHANGES, *LEFT_EXCHANGES, *NARROW_FLOATS, *LEFT_NARROW, *PHASES, *LEFT_PHASES),
    *(*MOVED, *WRONG_MOVED, *MATRIX_ROWS, *WRONG_MATRIX_ROWS, *MEETINGS, *WRONG_MEETINGS, *BARRIERS, *WRONG_BARRIERS),
    *(*TOGETHER, *FOUND_TOGETHER, *LEFT_TOGETHER, *SPREAD, *LEFT_SPREAD, *SUMS, *ROUNDED_SUMS, *CALLS, *WRONG_CALLS),
    *(*CLUSTERS, *WRONG_CLUSTERS, *INVARIANT_BLOCKS, *DIFFERENT_BLOCKS, *LEFT_BLOCKS, *LEFT_PARTS),
    *(*WAYS, *WRONG_WAYS, *WRONG_BLOCKS),
)

pytestmark = pytest.mark.slow


@pytest.mark.optimised
@pytest.mark.parametrize("row", OPTIMISED, ids=lambda row: row.name)
def test_every_engine_leaves_and_finds_the_same(row):
    check(row)


@pytest.mark.parametrize("row", OTHERS, ids=lambda row: row.name)
def test_every_engine_leaves_and_finds_the_same_where_code_is_compiled_as_it_is(row):
    check(row)
