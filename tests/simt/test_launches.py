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
from tests.simt.launches.values import LEFT_VALUES, VALUES

RIGHT = (*COMPUTED, *KEPT, *PARTS, *SCOPED, *PHIS, *BUFFERS, *EXCHANGES, *NARROW_FLOATS, *VALUES, *PHASES, *MOVED)
ORDERED = (*MATRIX_ROWS, *MEETINGS, *BARRIERS, *WRONG_MATRIX_ROWS, *WRONG_MEETINGS, *WRONG_BARRIERS)
WRONG = (*FAULTS, *BROKEN, *WRONG_PHIS, *WRONG_BUFFERS, *WRONG_MOVED)
LEFT = (*LEFT_PARTS, *LEFT_EXCHANGES, *LEFT_NARROW, *LEFT_VALUES, *LEFT_PHASES)


@pytest.mark.optimised
@pytest.mark.slow
@pytest.mark.parametrize("row", [*RIGHT, *WRONG, *LEFT, *ORDERED], ids=lambda row: row.name)
def test_every_engine_leaves_and_finds_the_same(row):
    check(row)
