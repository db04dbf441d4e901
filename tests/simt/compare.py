"""Random programs run in the simulator and by other means: each kind gives a comparison for each seed."""

from __future__ import annotations

import math
import random
import re
import struct
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from harness import simt
from harness.simt.compile.program import LaunchCache
from harness.simt.native import attempt
from harness.simt.native.attempt import CompiledKernel
from harness.simt.observing.counters import NOTES_BY_COUNTER, Counters
from tests import compiled, cuda
from tests.simt import random_ir, random_mojo, random_ways
from tests.simt.engines import WORKERS, alike, at_once, run, unoptimised
from tests.simt.reference import Address, Reference

__all__ = [
    "agree",
    "all_counted",
    "broken_natively",
    "calls",
    "calls_agree",
    "calls_natively",
    "counted",
    "counted_natively",
    "device_ir",
    "equal_to_numpy",
    "gpu",
    "graph",
    "graph_natively",
    "machine_code",
    "mojo",
    "octets",
    "plain_natively",
    "structured",
    "ways_natively",
]

ENGINES = simt.Options(), *(simt.Options(engine="native", workers=workers) for workers in WORKERS)
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
    """With NumPy, each seed on the target of a vendor; one compilation for all of a target."""
    made = [random_mojo.Program(seed) for seed in seeds]
    texts: dict[int, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for target in MOJO_TARGETS:
            if some := [program for program in made if mojo_target(program.seed) == target]:
                texts |= device_ir(some, target, Path(folder))
    for program in made:
        yield partial(equal_to_numpy, program, mojo_target(program.seed), texts[program.seed])


def mojo_target(seed: int) -> str:
    """The target that the command runs a seed on."""
    return MOJO_TARGETS[seed % len(MOJO_TARGETS)]


class _Undefined(simt.Observer):
    """Which bytes of the output are said to be undefined."""

    def __init__(self) -> None:
        self.marked = np.zeros((random_ir.LANES, random_ir.SIZE), bool)

    def tainted(self, event: simt.TaintEvent) -> None:
        """See `Observer`; the name of the pointer that is stored through has the number of the byte."""
        if event.use == "output":
            (place,) = re.findall(r"ptr %to(\d+)", event.site.text)
            self.marked[event.lanes.get("lane_id"), int(place)] |= np.ravel(event.taint != 0)


def octets(seeds: Sequence[int]) -> Iterator[Callable[[], None]]:
    """With a byte at a time: which are undefined, and what the others are."""
    for seed in seeds:
        yield partial(told_by_byte, seed)


def told_by_byte(seed: int) -> None:
    """The undefined bytes of the output are marked, and the others are right and not marked."""
    program, watch = random_ir.octets(seed), _Undefined()
    out = np.zeros((random_ir.LANES, random_ir.SIZE), np.uint8)
    result = simt.launch(
        program.text,
        target="nvidia:sm_90",
        grid=1,
        block=random_ir.LANES,
        args=[out.reshape(-1), program.ints],
        observers=[watch],
    )

    result.raise_for_fault()
    np.testing.assert_array_equal(np.where(program.known, out, 0), np.where(program.known, program.data, 0))
    np.testing.assert_array_equal(watch.marked, ~program.known)


def gpu(seeds: Sequence[int], optimised: int = 0) -> Iterator[Callable[[], None]]:
    """The structured kernels on an NVIDIA GPU, compiled at a level of the driver's."""
    device = cuda.Device()
    for seed in seeds:
        yield partial(on_device, device, random_ir.structured(seed), optimised)


def arrays(kernel: random_ir.Kernel) -> list[np.ndarray]:
    """What a kernel reads and writes: `ints`, `floats`, `out` and `counters`."""
    return [
        np.array(kernel.ints, np.int64),
        np.array(kernel.floats, np.float32),
        np.zeros(kernel.grid * kernel.block * random_ir.SLOT_BYTES, np.uint8),
        np.zeros(random_ir.COUNTERS, np.int32),
    ]


def launched(
    kernel: random_ir.Kernel,
    options: simt.Options | None,
    observers: Iterable[simt.Observer],
    module: simt.Module | None = None,
) -> tuple[simt.LaunchResult, list[np.ndarray]]:
    """A launch in the simulator, and the arrays after it.

    Args:
        module: The kernel's text decoded, if it is.
    """
    ints, floats, out, counters = written = arrays(kernel)
    number, view = np.int32(kernel.count), (ints, (1, len(ints)))
    result = simt.launch(
        module or kernel.text,
        target="nvidia:sm_90",
        grid=kernel.grid,
        block=kernel.block,
        args=[ints, floats, out, counters, number, out[random_ir.MIRROR :], nested(kernel.given), view],
        options=options,
        observers=observers,
    )
    return result, written


def simulated(
    kernel: random_ir.Kernel, options: simt.Options | None = None, observed: bool = False
) -> list[np.ndarray]:
    """The arrays after a launch in the simulator, in which nothing may be found."""
    result, written = launched(kernel, options, simt.observers() if observed else ())

    result.raise_for_fault()
    # A barrier after some lanes have ended is noted by an observer.
    said = [finding for finding in result.findings if finding.kind != "missed-barrier"]
    assert not [finding for finding in said if finding.severity != "information"], said
    return written


def nested(given: tuple) -> tuple:
    """The numbers of a `%record`, as it has them."""
    a, b, c, d, e, f = given
    return a, (b, c), d, (e, f)


def same(got: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> None:
    """All that a kernel may write is equal."""
    np.testing.assert_array_equal(canonical(got[2]), canonical(expected[2]))
    np.testing.assert_array_equal(got[3], expected[3])


def agree(make: Callable[[], random_ir.Kernel], options: simt.Options, observed: bool) -> None:
    """Runs a kernel in the simulator and one lane at a time."""
    kernel = make()
    slow = [bytearray(array.tobytes()) for array in arrays(kernel)]
    mirror, view = Address(slow[2], random_ir.MIRROR), (Address(slow[0], 0), (1, len(kernel.ints)))
    reference = Reference(simt.decode(kernel.text), "k", kernel.grid, kernel.block)
    reference.run([*slow, kernel.count, mirror, nested(kernel.given), view])
    written = simulated(kernel, options, observed)
    same(written, [np.frombuffer(octets, array.dtype) for octets, array in zip(slow, written, strict=True)])


def by_all(
    kernel: random_ir.Kernel, observers: Callable[[], list[simt.Observer]]
) -> Iterator[tuple[simt.LaunchResult, list[np.ndarray]]]:
    """A launch by each of `ENGINES`, of which none learns from another: they share what is made of the text alone."""
    module = simt.decode(kernel.text)
    with at_once():
        for options in ENGINES:
            for name, program in module.programs.items():
                kept = program.cache.native.items()
                native = {notes: CompiledKernel(one.written, one.cause, one.code, best=one.best) for notes, one in kept}
                module.programs[name] = replace(program, cache=LaunchCache(native=native))
            yield launched(kernel, options, observers(), module)


def natively(kernel: random_ir.Kernel, redundant: bool) -> bool:
    """Runs a kernel by both engines of the simulator, and tells whether machine code ran it.

    Args:
        redundant: Whether barriers that nobody needs are looked for: a random kernel often has one.
    """
    observers = partial(simt.observers, counters=False, redundant=redundant)
    (expected, left), *all_of_them = by_all(kernel, observers)
    for result, written in all_of_them:
        same(written, left)
        alike(result, expected)
    assert len({(result.engine, result.counters["steps"]) for result, _ in all_of_them}) == 1
    return bool(result.engine.native)


def counted_natively(seed: int) -> int:
    """Counts what a plain kernel does by both engines, and tells how many of three launches machine code ran."""
    kernel, ran = random_ir.structured(seed, plain=True), 0
    for note in ("elements", "global", "ways"):
        names = [name for name, notes in NOTES_BY_COUNTER.items() if not notes or note in notes]
        (expected, _), *all_of_them = by_all(kernel, lambda names=names: [Counters(names)])
        for result, _ in all_of_them:
            assert {name: result.counters[name] for name in names} == {name: expected.counters[name] for name in names}
        ran += bool(result.engine.native)
    return ran


def ways_natively(seed: int) -> int:
    """Counts all that a kernel of many blocks does, what promises are judged by, and of that what each block is asked
    for itself; the blocks of it that machine code ran where it counted all.
    """
    body, how = random_ways.made(seed)
    each = [name for name, notes in NOTES_BY_COUNTER.items() if "ways" not in notes]
    ran = [all_counted(body, names, seed % 3 + 1, **how).engine for names in (None, NOTES_BY_COUNTER, each)]
    return ran[0].native


def all_counted(body: str, names: Collection[str] | None = None, workers: int = 1, **how: Any) -> simt.LaunchResult:
    """The launch by machine code, once what is wanted, and all that is told, were found to be the reference's."""

    def observers() -> list[simt.Observer]:
        return [Counters(names), *simt.observers(counters=False)]

    expected, left = run(body, "reference", observers=observers(), **how)
    with at_once():
        found, output = run(body, "native", observers=observers(), workers=workers, **how)
    assert output.tobytes() == left.tobytes()
    alike(found, expected)
    wanted = [name for name in names or expected.counters if name != "steps"]
    assert names or list(found.counters) == list(expected.counters)
    assert [found.counters[name] for name in wanted] == [expected.counters[name] for name in wanted]
    return found


def plain_natively(seed: int) -> bool:
    """`natively` of a structured kernel of what machine code has a form for."""
    return natively(random_ir.structured(seed, plain=True), redundant=seed % 5 == 0)


def calls(seeds: Sequence[int]) -> Iterator[Callable[[], object]]:
    """Kernels with calls of intrinsics that have one definition for both engines, and flags: with one lane at a time,
    and by both engines; of every other one some instruction may make poison, which only the engines are compared on.
    """
    for seed in seeds:
        yield partial(
            at_level, calls_natively if seed % 2 else calls_agree, seed, best=bool(seed // 4 % 2), optimised=False
        )


def calls_agree(seed: int) -> None:
    """Runs a kernel without poison in the simulator and one lane at a time."""
    agree(partial(random_ir.structured, seed, more=random_ir.makers(safe=True)), simt.Options(), seed % 4 == 0)


def calls_natively(seed: int) -> bool:
    """`natively` of a plain kernel; in two of three some instruction may make poison."""
    return natively(random_ir.structured(seed, plain=True, more=random_ir.makers(safe=seed % 3 == 0)), redundant=False)


def structured_natively(seed: int) -> bool:
    """`natively` of any structured kernel."""
    return natively(random_ir.structured(seed), redundant=True)


def broken_natively(seed: int) -> bool:
    """`natively` of a plain kernel without one of its barriers, or whose threads take the next one's slot."""
    kernel, rng = random_ir.structured(seed, plain=True), random.Random(seed)
    lines = kernel.text.splitlines()
    barriers = [number for number, line in enumerate(lines) if "call void @llvm.nvvm.barrier.cta" in line]
    if barriers and rng.random() < 0.8:
        del lines[rng.choice(barriers)]
    else:
        number = next(number for number, line in enumerate(lines) if "%slotat = mul" in line)
        lines[number : number + 1] = ["  %next = add i64 %wide, 1", lines[number].replace("%wide", "%next")]
    return natively(replace(kernel, text="\n".join(lines)), redundant=True)


def graph_natively(seed: int) -> bool:
    """`natively` of blocks joined at random."""
    return natively(random_ir.graph(seed), redundant=seed % 5 == 0)


def machine_code(seeds: Sequence[int], *, optimised: bool = True) -> Iterator[Callable[[], object]]:
    """By both engines of the simulator, three of four kernels of what machine code has a form for.

    Args:
        optimised: Whether LLVM optimises the code as that of launches is, which takes it most of the time.
    """
    for seed in seeds:
        one = (plain_natively, graph_natively, broken_natively, structured_natively)[seed % 4]
        yield partial(at_level, one, seed, best=bool(seed // 4 % 2), optimised=optimised)


def at_level(compared: Callable[[int], int], seed: int, *, best: bool, optimised: bool = True) -> int:
    """With machine code that is written and optimised as that of a long launch is, or as others is."""
    with mock.patch.object(attempt, "LONG", 0.0 if best else math.inf), nullcontext() if optimised else unoptimised():
        return compared(seed)


def counted(seeds: Sequence[int]) -> Iterator[Callable[[], object]]:
    """By both engines, with what promises are judged by counted, or all."""
    for seed in seeds:
        yield partial(at_level, (counted_natively, ways_natively)[seed % 2], seed, best=bool(seed // 2 % 2))


def on_device(device: cuda.Device, kernel: random_ir.Kernel, optimised: int = 0) -> None:
    """Runs a kernel in the simulator and on an NVIDIA GPU, as it is written unless the driver is told to optimise.

    Lanes of a warp that were in a function which calls itself may be apart afterwards, so on the GPU the block's
    barriers are those at which a warp need not come together.
    """
    written = arrays(kernel)
    places = [device.upload(array) for array in written]
    a, b, c, d, e, f = kernel.given
    device.launch(
        cuda.ptx(kernel.text.replace("cta.sync.aligned.all(", "cta.sync.all(")),
        "k",
        kernel.grid,
        kernel.block,
        [
            *(struct.pack("<Q", place) for place in places),
            struct.pack("<i", kernel.count),
            struct.pack("<Q", places[2] + random_ir.MIRROR),
            struct.pack("<i4xi4xqbxhh2x", a, b, c, d, e, f),
            struct.pack("<Qii", places[0], 1, len(kernel.ints)),
        ],
        optimised,
    )
    for place, array in zip(places, written, strict=True):
        device.download(place, array)
    device.free(places)
    same(written, simulated(kernel))


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
    (texts,) = compiled.modules([(file, target)])
    return {program.seed: texts[f"kernel_{program.seed}"] for program in programs}


def equal_to_numpy(program: random_mojo.Program, target: str, text: str) -> None:
    """Runs a program's IR and compares it with NumPy."""
    outputs = program.outputs()
    result = simt.launch(
        text, target=target, grid=random_mojo.GRID, block=random_mojo.BLOCK, args=[*outputs, *program.arguments()]
    )

    assert result.verdict == "clean", (target, result.fault, result.findings)
    for got, expected in zip(outputs, program.evaluate(), strict=True):
        np.testing.assert_array_equal(got, expected, err_msg=f"kernel_{program.seed} on {target}")
