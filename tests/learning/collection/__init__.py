"""One hundred and twenty mistakes of newcomers: what must be said of each, what must not, and what its remedy makes."""

from __future__ import annotations

from tests.learning.collection.blocks import BLOCKS
from tests.learning.collection.entry import REMEDIES, Entry
from tests.learning.collection.first import FIRST
from tests.learning.collection.later import LATER
from tests.learning.collection.ops import OPS
from tests.learning.collection.shared import SHARED

__all__ = ["COLLECTION", "NEW", "REMEDIES", "Entry"]

COLLECTION: tuple[Entry, ...] = (*FIRST, *SHARED, *BLOCKS, *OPS, *LATER)
# Of puzzles about which no mistake was collected before, or only such as end as a wrong value.
NEW: tuple[Entry, ...] = (*OPS, *LATER)
