"""The kernels of which `cliff` measures what `auto` costs, in groups."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

from harness import simt
from harness.backends.base import Request
from harness.backends.simulator import SimulatorBackend
from harness.build.device_code import build_device_code
from harness.build.unit import Build
from harness.catalogue import CASES
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.launch_plan import LaunchPlan
from harness.model.sources import Sources
from harness.model.target import Target
from harness.simt.options import Engine
from harness.simt.result import EngineUsage
from tests.hazards import pairs
from tests.simt import compare, random_ir
from tests.simt.corpus import launching
from tests.simt.random_ir.structured import structured

__all__ = ["GROUPS", "Kernel", "chain"]

LENGTHS = 100, 500, 1000, 2000, 4000, 8000, 16_000  # of chains, in instructions
LARGER = 40  # times the blocks of a program of the corpus


class Kernel(NamedTuple):
    """A kernel and what it is launched with, or what launches the kernels of a case.

    Attributes:
        cluster, shared, target: As of `simt.launch`.
        case: Launches the kernels of a puzzle's mode on its first data set; the rest says nothing then.
    """

    name: str
    text: str
    symbol: str | None
    grid: Any
    block: Any
    arguments: Sequence[Any] | Callable[[], Sequence[Any]]
    cluster: Any = 1
    shared: int = 0
    target: str = launching.TARGET
    case: Callable[[Engine], Callable[[], bool]] | None = None


def chain(length: int, accesses: bool = False) -> str:
    """Return a kernel of so many instructions that depend on one another, with a load for each tenth if asked."""
    lines, last = [], "%x"
    for number in range(length):
        how = (f"mul i32 {last}, {number | 1}", f"xor i32 {last}, {77 * number + 1}", f"add i32 {last}, {number}")
        if accesses and number % 10 == 9:
            lines += [f"  %p{number} = getelementptr i32, ptr %o, i64 {number}"]
            lines += [f"  %l{number} = load i32, ptr %p{number}", f"  %c{number} = add i32 {last}, %l{number}"]
        else:
            lines.append(f"  %c{number} = {how[number % 3]}")
        last = f"%c{number}"
    to = "%r" if accesses else "%o"
    return "\n".join(
        [
            'target triple = "nvptx64-nvidia-cuda"',
            *(f"declare i32 @llvm.nvvm.read.ptx.sreg.{name}.x()" for name in ("tid", "ctaid", "ntid")),
            "define ptx_kernel void @k(ptr %o, ptr %r) {",
            *(f"  %{name} = call i32 @llvm.nvvm.read.ptx.sreg.{name}.x()" for name in ("tid", "ctaid", "ntid")),
            "  %m = mul i32 %ctaid, %ntid\n  %g = add i32 %m, %tid\n  %w = zext i32 %g to i64",
            f"  %p = getelementptr i32, ptr {to}, i64 %w\n  %x = load i32, ptr %p",
            *lines,
            f"  store i32 {last}, ptr %p\n  ret void\n}}",
        ]
    )


def _chains(_seeds: int) -> Iterator[Kernel]:
    """Yield chains of instructions, with loads and without."""
    for length in LENGTHS:
        for blocks, threads in ((1, 32), (16, 1024)):
            data = np.ones(blocks * threads, np.int32), np.ones(blocks * threads, np.int32)
            yield Kernel(f"chain of {length}, {blocks} x {threads}", chain(length), None, blocks, threads, data)
            if length <= 4000:
                data = np.ones(max(length, 1), np.int32), np.ones(blocks * threads, np.int32)
                name = f"chain of {length} with loads, {blocks} x {threads}"
                yield Kernel(name, chain(length, True), None, blocks, threads, data)


class _Recorder(launching.Recorder):
    """Takes down launches, once for each kernel, and runs them interpreted so that the program comes to its end."""

    def __init__(self, module: str, found: list[Kernel]) -> None:
        super().__init__(module, engine="reference")
        self._found = found

    def __call__(self, kernel: str, grid: Any, block: Any, *arguments: Any) -> None:
        """See `Recorder`."""
        if not any(one.symbol == kernel for one in self._found):
            kept = [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]
            self._found.append(
                Kernel(f"{self.module}, {kernel}", launching.text_of(self.module), kernel, grid, block, kept)
            )
        super().__call__(kernel, grid, block, *arguments)


def _corpus(_seeds: int) -> Iterator[Kernel]:
    """Yield the kernels of the corpus, and some of them with more data."""
    for one in launching.programs():
        if not one.needs_library or launching.has_library():
            found: list[Kernel] = []
            one.check(_Recorder(one.module, found))
            yield from found
    yield from _larger()


def _larger() -> Iterator[Kernel]:
    """Yield unrolled kernels of the corpus with data of a size that is worth a GPU."""
    side = 256
    image, weights, out = np.ones(side * side, np.float32), np.ones(49, np.float32), np.zeros(side * side, np.float32)
    texts = {name: launching.text_of(name) for name in ("stencils", "hashes")}
    arguments = image, weights, out, side
    yield Kernel("convolution, 7 x 7 unrolled, 65,536 threads", texts["stencils"], "convolve", 512, 128, arguments)
    octets, edges = np.ones(side * side, np.uint8), np.zeros(side * side, np.uint8)
    yield Kernel("median, 65,536 threads", texts["stencils"], "median", 512, 128, (octets, edges, side))
    for blocks in (4, 128):
        count = 64 * blocks
        given = np.ones(16 * count, np.uint32), np.ones(64, np.uint32), np.zeros(8 * count, np.uint32)
        yield Kernel(f"SHA-256 of {count} blocks", texts["hashes"], "sha256", blocks, 64, given)
        code = np.ones(3 * count, np.uint8), np.zeros(4 * count, np.uint8), count
        yield Kernel(f"base64 of {3 * count} bytes", texts["hashes"], "base64", blocks, 64, code)


def _hazards(_seeds: int) -> Iterator[Kernel]:
    """Yield both kernels of each hazard."""
    for path in pairs.PAIRS:
        grid, block, cluster, *shared = map(int, re.findall(r"\d+", pairs.header(path, "launch")))
        for which in ("caught", "clean"):
            how = grid, block, partial(_arguments, path), cluster, sum(shared), pairs.header(path, "target")
            yield Kernel(f"hazard {pairs.name(path)}, {which}", path.read_text(encoding="utf-8"), which, *how)


def _arguments(path: Path) -> Sequence[Any]:
    return list(pairs.arguments(path))


def _puzzles(_seeds: int) -> Iterator[Kernel]:
    """Yield the modes of all puzzles for an NVIDIA GPU, solved, but those whose launches a host function makes."""
    target = Target.parse(launching.TARGET)
    cases = [case for case in CASES if case.kernel_steps and not case.called]
    for name, code in build_device_code(cases, Build(target=target, sources=Sources("solutions")), "llvm").items():
        if not isinstance(code, CompileError):
            case = next(one for one in cases if one.id == name)
            yield Kernel(f"puzzle {name}", "", None, 1, 1, (), case=partial(_launches_of, case, code))


def _launches_of(case: Case, code: Sequence[str], engine: Engine) -> Callable[[], bool]:
    """Return what launches the kernels of a case, and returns whether machine code ran the last one."""
    target = Target.parse(launching.TARGET)
    instance = case.instance(target.warp_width)
    engines: list[EngineUsage] = []

    def observers(**how: Any) -> tuple[simt.Observer, ...]:
        return simt.observers(**{**how, "counters": False})

    def observe(launch: Callable[..., simt.LaunchResult], *given: Any, **how: Any) -> simt.LaunchResult:
        result = launch(*given, **how)
        engines.append(result.engine)
        return result

    backend = SimulatorBackend(LaunchPlan(target, "simulator", engine=engine), {case.id: code}, observers=observers)
    request = Request(case=case, instance=instance, dataset=instance.datasets[0])
    orders = simt.launch_in_orders

    def launch() -> bool:
        with mock.patch.object(simt, "launch_in_orders", partial(observe, orders)):
            backend.launch(request)
        return bool(engines and engines[-1].native)

    return launch


def _random(seed: int) -> Kernel:
    """Return a seeded kernel, launched as its comparison with the scalar reference does it."""
    made = structured(seed)
    ints, floats, out, counters = compare.arrays(made)
    view, mirror = (ints, (1, len(ints))), out[random_ir.MIRROR :]
    arguments = [ints, floats, out, counters, np.int32(made.count), mirror, compare.nested(made.given), view]
    return Kernel(f"random {seed}", made.text, None, made.grid, made.block, arguments)


def _randoms(seeds: int) -> Iterator[Kernel]:
    """Yield so many seeded kernels."""
    yield from map(_random, range(seeds))


# By name of a group, what yields its kernels, given a number of random ones.
GROUPS: dict[str, Callable[[int], Iterator[Kernel]]] = {
    "chains": _chains,
    "corpus": _corpus,
    "puzzles": _puzzles,
    "hazards": _hazards,
    "random": _randoms,
}
