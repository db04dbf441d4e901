"""Whether blocks that ran side by side had to do with each other."""

from collections.abc import Sequence

import numpy as np

from harness.simt.arrays import Integers

__all__ = ["meet"]

STEP = 1 << 14  # cells that are looked at at once
KIND = 16  # the first bit of the kind of a writer's updates


def meet(tables: Sequence[Integers]) -> bool:
    """Whether one worker's blocks wrote what another's touched, but for updates of one kind.

    Args:
        tables: Of each worker the cells, see `harness.simt.native.cells`.
    """
    for start in range(0, len(tables[0]), STEP):
        parts = (table[start : start + STEP] for table in tables)
        if len(there := [part for part in parts if part.view(np.uint32).max()]) > 1 and _meet(np.stack(there)):
            return True
    return False


def _meet(cells: Integers) -> bool:
    """The same of (workers, n, 4)."""
    wrote, read = cells[..., 1] != 0, cells[..., 3] != 0
    touched = wrote | read
    shared = (touched.sum(0) > 1) & wrote.any(0)
    if not shared.any():
        return False
    kinds, touched = cells[:, shared, 0] >> KIND, touched[:, shared]  # of a writer that did otherwise too below 0
    one = kinds.max(0)
    alike = np.where(touched, (kinds == one) & ~read[:, shared] & wrote[:, shared], True)
    return not bool((alike.all(0) & (one > 0)).all())
