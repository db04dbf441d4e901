"""Tables of launches: each row is run by the interpreter, the compiler, and one lane at a time if nothing is wrong."""

from __future__ import annotations

import pytest

from tests.simt.launches.barriers import BARRIERS, WRONG_BARRIERS
from tests.simt.launches.buffers import BUFFERS, WRONG_BUFFERS
from tests.simt.launches.exchanges import EXCHANGES, LEFT_EXCHANGES
from tests.simt.launches.faults import FAULTS, SCOPED
from tests.simt.launches.instructions import COMPUTED
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
from tests.simt.launches.together import FOUND_TOGETHER, LEFT_TOGETHER, TOGETHER
from tests.simt.launches.values import LEFT_VALUES, VALUES

OPTIMISED = (*COMPUTED, *KEPT, *BROKEN, *PARTS, *FAULTS, *SCOPED, *PHIS, *WRONG_PHIS, *VALUES, *LEFT_VALUES)
RIGHT = (*BUFFERS, *EXCHANGES, *NARROW_FLOATS, *PHASES, *MOVED, *MATRIX_ROWS, *MEETINGS, *BARRIERS, *TOGETHER, *SPREAD)
WRONG = (*WRONG_BUFFERS, *WRONG_MOVED, *WRONG_MATRIX_ROWS, *WRONG_MEETINGS, *WRONG_BARRIERS, *FOUND_TOGETHER)
LEFT = (*LEFT_PARTS, *LEFT_EXCHANGES, *LEFT_NARROW, *LEFT_PHASES, *LEFT_TOGETHER, *LEFT_SPREAD)

pytestmark = pytest.mark.slow


@pytest.mark.optimised
@pytest.mark.parametrize("row", OPTIMISED, ids=lambda row: row.name)
def test_every_engine_leaves_and_finds_the_same(row):
    check(row)


@pytest.mark.parametrize("row", [*RIGHT, *WRONG, *LEFT], ids=lambda row: row.name)
def test_every_engine_leaves_and_finds_the_same_of_threads_together(row):
    check(row)
