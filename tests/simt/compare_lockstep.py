"""Random kernels of which both engines count everything, the compiled one by warps in lockstep."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.observing.counters import Counters
from harness.simt.options import Engine
from harness.simt.targets import target_of
from tests.simt import engines, random_ir, random_ways
from tests.simt.compare import at_level, launched

__all__ = ["counted_alike", "in_lockstep", "lockstep", "lockstep_natively"]


def in_lockstep(module: simt.Module, target: str) -> simt.Module:
    """Return a module whose kernel the compiled engine runs in lockstep where everything is counted."""
    compile_kernel(module, None, target_of(target)).cache.lockstep = True
    return module


def counted_alike(launch: Callable[[Engine], tuple[simt.LaunchResult, np.ndarray]]) -> simt.LaunchResult:
    """Return a launch by the compiled engine, once it counted what the interpreter counts, and left the same bytes."""
    (expected, before), (found, after) = launch("reference"), launch("native")
    assert after.tobytes() == before.tobytes()
    counts, others = ({**one.counters, "steps": 0} for one in (found, expected))
    assert counts == others, {name: (counts[name], others[name]) for name in others if counts[name] != others[name]}
    assert list(counts) == list(others)
    return found


def lockstep_natively(seed: int) -> bool:
    """Return whether the compiled engine ran a kernel in lockstep, and counted everything as the interpreter does.

    Kernels have loops that threads leave one by one, blocks of code joined at random, and paths that depend on data.
    """
    if seed % 4 == 3:
        body, how = random_ways.made(seed)
        module = simt.decode(engines.made(body, how["target"]))
        return bool(counted_alike(partial(_by_lines, in_lockstep(module, how["target"]), how)).engine.native)
    kernel = random_ir.graph(seed) if seed % 4 == 2 else random_ir.structured(seed, plain=seed % 4 == 1)
    module = in_lockstep(simt.decode(kernel.text), "nvidia:sm_90")
    return bool(counted_alike(partial(_by_kernel, module, kernel)).engine.native)


def _by_lines(module: simt.Module, how: dict[str, Any], engine: Engine) -> tuple[simt.LaunchResult, np.ndarray]:
    result, left = engines.run(module, engine, observers=[Counters()], **how)
    return result, left


def _by_kernel(module: simt.Module, kernel: random_ir.Kernel, engine: Engine) -> tuple[simt.LaunchResult, np.ndarray]:
    result, written = launched(kernel, simt.Options(engine=engine), [Counters()], module)
    return result, written[2]


def lockstep(seeds: Sequence[int]) -> Iterator[Callable[[], object]]:
    """By both engines, with everything counted; LLVM optimises the code of every fourth kernel of each kind."""
    for seed in seeds:
        yield partial(at_level, lockstep_natively, seed, best=False, optimised=seed % 16 < 4)
