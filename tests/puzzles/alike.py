"""Results of the hardware beside those of the simulator."""

from __future__ import annotations

import numpy as np

from harness.model.case import Case

__all__ = ["alike"]


def alike(case: Case, result: str, hardware: np.ndarray, simulated: np.ndarray) -> bool:
    """Bit for bit; or, where hardware fuses products with sums, twice as near as each is to lie to the oracle's."""
    within = case.within.get(result)
    if within is None or not within.fused:
        return hardware.tobytes() == simulated.tobytes()
    return bool(np.allclose(hardware, simulated, rtol=2 * within.rtol, atol=2 * within.atol))
