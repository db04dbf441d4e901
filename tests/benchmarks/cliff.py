"""What `auto` costs beside the interpreter: `python -m tests.benchmarks.cliff [WORD ...] [--write]`.

For each kernel the CPU time of its first launch and of its first ten, in a process that has written no machine code
yet, with an empty cache: the median of several. What compiles in between counts. `auto` may take 1.5 times what the
interpreter takes, and 30 ms; with `--write` the table becomes a part of `docs/auto-benchmark.md`.
"""

from __future__ import annotations

import argparse
import os
import pickle
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from harness import simt
from harness.model.sources import ROOT
from harness.simt.options import Engine
from tests.simt import compare, random_ir
from tests.simt.corpus import launching
from tests.simt.random_ir.structured import structured

__all__ = ["FACTOR", "LAUNCHES", "SLACK", "Kernel", "Times", "chain", "is_within", "kernels", "main", "measure"]

FACTOR, SLACK = 1.5, 0.03
LAUNCHES, REPEATS = 10, 5
LENGTHS = 100, 500, 1000, 2000, 4000, 8000, 16_000  # of chains, in instructions
SEEDS = range(20)
LARGER = 40  # times the blocks of a program of the corpus
PAGE = ROOT / "docs" / "auto-benchmark.md"
HEAD = """# What `auto` costs beside the interpreter

CPU time in milliseconds, medians of {repeats}, each in a process that has written no machine code yet and with an empty
cache: of a kernel's first launch, and of its first ten together, with all checks but counters. `auto` may take
{factor} times the interpreter's time, and {slack:.0f} ms; what it compiles counts. Made by
`python -m tests.benchmarks.cliff --write`.

{count} kernels, {beyond} beyond that. The worst: {worst}.

| kernel | interpreted, first | `auto`, first | interpreted, ten | `auto`, ten | the tenth ran |
| --- | --- | --- | --- | --- | --- |
"""


class Kernel(NamedTuple):
    """A kernel and what it is launched with."""

    name: str
    text: str
    symbol: str | None
    grid: Any
    block: Any
    arguments: Sequence[Any]


class Times(NamedTuple):
    """Seconds of CPU of the first launch and of the first ten, and whether machine code ran the last of them."""

    first: float
    ten: float
    compiled: bool


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


def kernels() -> Iterator[Kernel]:
    """Yield what is measured."""
    for length in LENGTHS:
        for blocks, threads in ((1, 32), (16, 1024)):
            data = np.ones(blocks * threads, np.int32), np.ones(blocks * threads, np.int32)
            yield Kernel(f"chain of {length}, {blocks} x {threads}", chain(length), None, blocks, threads, data)
            if length <= 4000:
                data = np.ones(max(length, 1), np.int32), np.ones(blocks * threads, np.int32)
                name = f"chain of {length} with loads, {blocks} x {threads}"
                yield Kernel(name, chain(length, True), None, blocks, threads, data)
    for one in launching.programs():
        if not one.needs_library or launching.has_library():
            found: list[Kernel] = []
            one.check(_Recorder(one.module, found))
            yield from found
    yield from _larger()
    for seed in SEEDS:
        yield _random(seed)


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


def _random(seed: int) -> Kernel:
    """Return a seeded kernel, launched as its comparison with the scalar reference does it."""
    made = structured(seed)
    ints, floats, out, counters = compare.arrays(made)
    view, mirror = (ints, (1, len(ints))), out[random_ir.MIRROR :]
    arguments = [ints, floats, out, counters, np.int32(made.count), mirror, compare.nested(made.given), view]
    return Kernel(f"random {seed}", made.text, None, made.grid, made.block, arguments)


def measure(kernel: Kernel, engine: Engine) -> Times:
    """Launch a kernel ten times in a process of its own."""
    here, there = os.pipe()
    child = os.fork()
    if not child:
        try:
            with os.fdopen(there, "wb") as to:
                pickle.dump(_times(kernel, engine), to)
        finally:
            os._exit(0)
    os.close(there)
    with os.fdopen(here, "rb") as source:
        text = source.read()
    os.waitpid(child, 0)
    if not text:
        raise RuntimeError(f"{kernel.name} did not end with {engine}")
    found: Times = pickle.loads(text)
    return found


def _times(kernel: Kernel, engine: Engine) -> Times:
    module, spent, compiled = simt.decode(kernel.text), [], False
    for _ in range(LAUNCHES):
        arguments = [one.copy() if isinstance(one, np.ndarray) else one for one in kernel.arguments]
        before = time.process_time()
        result = simt.launch(
            module,
            kernel=kernel.symbol,
            target=launching.TARGET,
            grid=kernel.grid,
            block=kernel.block,
            args=arguments,
            observers=simt.observers(counters=False, unwritten=False),
            options=simt.Options(engine=engine),
        )
        spent.append(time.process_time() - before)
        compiled = bool(result.engine.native)
    return Times(spent[0], sum(spent), compiled)


def is_within(interpreted: float, auto: float) -> bool:
    """Return whether `auto` took no more than it may."""
    return auto <= FACTOR * interpreted + SLACK


def _medians(kernel: Kernel, engine: Engine, repeats: int) -> Times:
    found = [measure(kernel, engine) for _ in range(repeats)]
    first, ten = (statistics.median(one[place] for one in found) for place in (0, 1))
    return Times(first, ten, found[-1].compiled)


def _rows(words: Sequence[str], repeats: int, note: Callable[[str], None]) -> Iterator[tuple[str, Times, Times]]:
    for kernel in kernels():
        if not words or any(word in kernel.name for word in words):
            interpreted, auto = (_medians(kernel, engine, repeats) for engine in ("reference", "auto"))
            bad = not (is_within(interpreted.first, auto.first) and is_within(interpreted.ten, auto.ten))
            note(_line(kernel.name, interpreted, auto) + (" beyond" if bad else ""))
            yield kernel.name, interpreted, auto


def _line(name: str, interpreted: Times, auto: Times) -> str:
    times = interpreted.first, auto.first, interpreted.ten, auto.ten
    ran = "compiled" if auto.compiled else "interpreted"
    return f"| {name} | {' | '.join(f'{1000 * one:.1f}' for one in times)} | {ran} |"


def main(words: Sequence[str] | None = None) -> int:
    """Measure, print each kernel, and return 1 if `auto` took longer than it may of any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="measure only kernels whose name holds one of these")
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    given = parser.parse_args(words)
    rows = list(_rows(given.words, given.repeats, lambda line: print(line, flush=True)))
    over = [(max(b.first - FACTOR * a.first, b.ten - FACTOR * a.ten), name) for name, a, b in rows]
    beyond = [name for excess, name in over if excess > SLACK]
    print(f"{len(rows)} kernels, {len(beyond)} beyond: {', '.join(beyond)}")
    if given.write:
        facts = {"repeats": given.repeats, "factor": FACTOR, "slack": 1000 * SLACK, "count": len(rows)}
        head = HEAD.format(**facts, beyond=len(beyond), worst=max(over)[1])
        PAGE.write_text(head + "\n".join(_line(*row) for row in rows) + "\n", encoding="utf-8")
    return int(bool(beyond))


if __name__ == "__main__":
    sys.exit(main())
