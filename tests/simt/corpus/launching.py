"""Launch the kernels of the corpus, and record which engine ran each launch."""

from __future__ import annotations

import glob
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import llvmlite.binding as llvm
import numpy as np

from harness import simt
from harness.build.cache import Cache
from harness.build.objects import CachedObjects
from harness.simt.options import Engine

__all__ = [
    *(
        "LIBRARY",
        "Program",
        "Ran",
        "Recorder",
        "halves",
        "has_library",
        "numbers",
        "program",
        "programs",
        "TARGET",
        "text_of",
    ),
]

KERNELS = Path(__file__).parent / "kernels"
LIBRARY = "/usr/local/cuda*/nvvm/libdevice/libdevice.10.bc"  # NVIDIA's, which is not ours to keep in this repository
TARGET = "nvidia:sm_90"


class Ran(NamedTuple):
    """Which engine ran a launch.

    Attributes:
        compiled, interpreted: How many blocks each engine ran.
        why: Why blocks were interpreted; empty if none were.
    """

    kernel: str
    compiled: int
    interpreted: int
    why: str


@dataclass
class Recorder:
    """Launches kernels of one module, and asserts that every launch is clean.

    Attributes:
        counters: Whether everything is counted, as with `--counters`.
        engine: See `simt.Options`.
        ran: The launches so far.
    """

    module: str
    counters: bool = False
    engine: Engine = "native"
    ran: list[Ran] = field(default_factory=list)

    def __call__(self, kernel: str, grid: Any, block: Any, *arguments: Any) -> None:
        """Launch a kernel on arrays, which it changes in place.

        Raises:
            AssertionError: The launch has a finding.
        """
        result = simt.launch(
            _decoded(self.module),
            kernel=kernel,
            target=TARGET,
            grid=grid,
            block=block,
            args=arguments,
            observers=simt.observers(counters=self.counters, unwritten=False),
            options=simt.Options(engine=self.engine, objects=_objects()),
        )
        assert result.verdict == "clean", (kernel, result.fault, [str(finding) for finding in result.findings])
        self.ran.append(Ran(kernel, result.engine.native, result.engine.python, result.engine.why))


Check: TypeAlias = Callable[[Recorder], None]


class Program(NamedTuple):
    """Launches that belong together, with the assertion that their result is right.

    Attributes:
        module: The file with its kernels.
        check: Launches them, and compares what they leave with NumPy.
        needs_library: Whether its module calls NVIDIA's library for devices.
    """

    name: str
    module: str
    check: Check
    needs_library: bool


_PROGRAMS: dict[str, Program] = {}


def program(module: str, *, needs_library: bool = False) -> Callable[[Check], Check]:
    """Register a function as the program of its name."""

    def register(check: Check) -> Check:
        _PROGRAMS[check.__name__] = Program(check.__name__, module, check, needs_library)
        return check

    return register


def programs() -> Sequence[Program]:
    """Return all programs, in the order of the files that declare them."""
    from tests.simt.corpus import filters, models, sums

    assert all((filters, models, sums))
    return list(_PROGRAMS.values())


def has_library() -> bool:
    """Return whether NVIDIA's library for devices is on this machine."""
    return bool(glob.glob(LIBRARY))


@cache
def text_of(module: str) -> str:
    """Return a module's LLVM IR, with the functions of the library that it calls."""
    text = (KERNELS / f"{module}.ll").read_text(encoding="utf-8")
    if "@__nv_" not in text:
        return text
    linked = llvm.parse_assembly(text)
    library = llvm.parse_bitcode(Path(max(glob.glob(LIBRARY))).read_bytes())
    library.triple, library.data_layout = linked.triple, linked.data_layout
    linked.link_in(library)
    for function in linked.functions:
        if function.name.startswith("__") and not function.is_declaration:
            function.linkage = "internal"
    llvm.initialize_all_targets()
    machine = llvm.Target.from_triple(linked.triple).create_target_machine(cpu="sm_90")
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    builder.getModulePassManager().run(linked, builder)  # as clang does once it has linked the library
    return str(linked)


@cache
def _objects() -> CachedObjects:
    """Keep machine code between runs: compiling it takes most of their time."""
    return CachedObjects(Cache.default())


@cache
def _decoded(module: str) -> simt.Module:
    return simt.decode(text_of(module))


def numbers(count: int, low: int, high: int, kind: Any = np.int32) -> Any:
    """Return the same arbitrary integers in each run, from low up to below high."""
    return np.random.default_rng(count + high).integers(low, high, count).astype(kind)


def halves(count: int) -> Any:
    """Return arbitrary multiples of a half from -8 to 8, whose sums no order of additions rounds."""
    return (numbers(count, -16, 17) / 2).astype(np.float32)
