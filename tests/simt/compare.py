"""Random programs run in the simulator and by other means: each kind gives a comparison for each seed."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from harness import simt
from tests import compiled
from tests.simt import random_ir, random_mojo
from tests.simt.reference import Address, Reference

__all__ = ["agree", "device_ir", "equal_to_numpy", "graph", "mojo", "structured"]

MOJO_TARGETS = ("nvidia:sm_90", "amd:gfx942", "apple:apple-m4")


def structured(seeds: Sequence[int]) -> Iterator[Callable[[], None]]:
    """With one lane at a time, in many orders."""
    for seed in seeds:
        options = simt.Options(seed=seed if seed % 3 == 0 else None, chunk_lanes=64 if seed % 5 == 0 else 16384)
        yield partial(agree, partial(random_ir.structured, seed), options, seed % 4 == 0)


def graph(seeds: Sequence[int]) -> Iterator[Callable[[], None]]:
    """With one lane at a time, in many orders."""
    for seed in seeds:
        yield partial(
            agree, partial(random_ir.graph, seed), simt.Options(seed=seed if seed % 3 == 0 else None), seed % 4 == 0
        )


def mojo(seeds: Sequence[int]) -> Iterator[Callable[[], None]]:
    """With NumPy, on a target of each vendor; one compilation for all of them on a target."""
    made = [random_mojo.Program(seed) for seed in seeds]
    with tempfile.TemporaryDirectory() as folder:
        texts = {target: device_ir(made, target, Path(folder)) for target in MOJO_TARGETS}

    def all_targets(program: random_mojo.Program) -> None:
        for target in MOJO_TARGETS:
            equal_to_numpy(program, target, texts[target][program.seed])

    for program in made:
        yield partial(all_targets, program)


def agree(make: Callable[[], random_ir.Kernel], options: simt.Options, observed: bool) -> None:
    """Runs a kernel both ways and compares all that it wrote."""
    kernel = make()
    threads = kernel.grid * kernel.block
    module = simt.decode(kernel.text)
    ints = np.array(kernel.ints, np.int64)
    floats = np.array(kernel.floats, np.float32)
    out = np.zeros(threads * random_ir.SLOT_BYTES, np.uint8)
    counters = np.zeros(random_ir.COUNTERS, np.int32)
    slow = [bytearray(array.tobytes()) for array in (ints, floats, out, counters)]
    a, b, c, d, e, f = kernel.given
    given = (a, (b, c), d, (e, f))
    mirror, view = Address(slow[2], random_ir.MIRROR), (Address(slow[0], 0), (1, threads))
    Reference(module, "k", kernel.grid, kernel.block).run([*slow, kernel.count, mirror, given, view])
    result = simt.launch(
        module,
        target="nvidia:sm_90",
        grid=kernel.grid,
        block=kernel.block,
        args=[
            *(ints, floats, out, counters, np.int32(kernel.count)),
            *(out[random_ir.MIRROR :], given, (ints, (1, threads))),
        ],
        options=options,
        observers=simt.observers() if observed else (),
    )

    result.raise_for_fault()
    # A barrier after some lanes have ended is noted by an observer.
    said = [
        finding for finding in result.findings if finding.severity != "information" and finding.kind != "missed-barrier"
    ]
    assert not said, said
    expected = np.frombuffer(bytes(slow[2]), np.uint8)
    np.testing.assert_array_equal(canonical(out), canonical(expected))
    np.testing.assert_array_equal(counters, np.frombuffer(bytes(slow[3]), np.int32))


def canonical(octets: np.ndarray) -> np.ndarray:
    """The slots, with one NaN for all NaNs: which one comes out is left open."""
    slots = octets.reshape(-1, random_ir.SLOT_BYTES).copy()
    floats = slots[:, 16:20].copy().view(np.float32)
    floats[np.isnan(floats)] = np.nan
    slots[:, 16:20] = floats.view(np.uint8)
    return slots


def device_ir(programs: Sequence[random_mojo.Program], target: str, folder: Path) -> dict[int, str]:
    """The device IR of each program by its seed; one compile for all."""
    file = folder / "kernels.mojo"
    file.write_text(random_mojo.module_source(programs), encoding="utf-8")
    emitted, texts = compiled.program(file, target), {}
    for program in programs:
        (texts[program.seed],) = [text for symbol, text in emitted.items() if f"kernel_{program.seed}_" in symbol]
    return texts


def equal_to_numpy(program: random_mojo.Program, target: str, text: str) -> None:
    """Runs a program's IR and compares it with NumPy."""
    outputs = program.outputs()
    result = simt.launch(
        text, target=target, grid=random_mojo.GRID, block=random_mojo.BLOCK, args=[*outputs, program.inputs()]
    )

    assert result.verdict == "clean", (target, result.fault, result.findings)
    for got, expected in zip(outputs, program.evaluate(), strict=True):
        np.testing.assert_array_equal(got, expected, err_msg=f"kernel_{program.seed} on {target}")
