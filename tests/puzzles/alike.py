"""Results of the hardware beside those of the simulator."""

from __future__ import annotations

import numpy as np

from harness.model.case import Case, Dataset, Instance

__all__ = ["alike", "random_inputs"]

RANDOM_INPUTS = 50
# Softmax: an SM takes powers from a table and is off by two in the last place (PTX ISA, `ex2.approx`), the simulator
# rounds once.
OF_POWERS = {"p18", "p19"}


def alike(case: Case, result: str, hardware: np.ndarray, simulated: np.ndarray) -> bool:
    """Bit for bit; or, where hardware fuses products with sums or takes powers, twice as near as each is to lie to the
    oracle's.
    """
    within = case.within.get(result)
    if within is None or not (within.fused or case.puzzle in OF_POWERS):
        return hardware.tobytes() == simulated.tobytes()
    return bool(np.allclose(hardware, simulated, rtol=2 * within.rtol, atol=2 * within.atol))


def random_inputs(case: Case, instance: Instance) -> tuple[Dataset, ...]:
    """Sums of arbitrary floats, of any size, show any difference in order or rounding; some cases draw their own."""
    generator = np.random.default_rng(2026)
    sets = []
    for number in range(RANDOM_INPUTS):
        inputs = (case.draw or _arbitrary)(instance, generator)
        size = case.size
        sizes = {size.argument: int(generator.integers(size.least, size.most + 1))} if size else {}
        sets.append(Dataset(f"random-{number}", inputs, "", sizes))
    return tuple(sets)


def _arbitrary(instance: Instance, generator: np.random.Generator) -> dict[str, np.ndarray]:
    return {
        tensor.name: generator.normal(scale=100, size=tensor.shape).astype(tensor.dtype)
        for tensor in instance.initialized
    }
