"""Puzzle 24: the sum of a warp."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from harness.catalogue.data import factors, float_list, patterns, random_factors
from harness.catalogue.further import other_launch, with_further
from harness.catalogue.parts import WARPS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.warps import LARGER, NO_BARRIER, NO_SHARED_MEMORY, steps_of
from harness.model.case import Arrays, Case, CounterClaim, Host, Instance, Kernel, Step, TensorArgument
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(WARPS, ("p12", "p23"))


def _bare(width: int, size: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (size // width,)),
            TensorArgument("a", "input", (size,)),
            TensorArgument("b", "input", (size,)),
        ),
        constants={"SIZE": size},
        datasets=(),
    )


def _instance(width: int) -> Instance:
    counted = np.arange(width)
    datasets = patterns({"a": counted, "b": counted}, seed=24, random=random_factors)
    return replace(_bare(width, width), datasets=datasets)


def _product(inputs: Arrays, width: int) -> dict[str, np.ndarray]:
    a, b = (inputs[name].astype(np.float64).reshape(-1, width) for name in "ab")
    return {"output": (a * b).sum(axis=1)}


def _printed(width: int, got: np.ndarray, expected: np.ndarray, ok: bool) -> Sequence[str]:
    lines = (
        f"SIZE: {width}",
        f"WARP_SIZE: {width}",
        "SIMD_WIDTH: 8",  # of the processor that the documents' lines come from
        "=== RESULT ===",
        f"actual: HostBuffer({float_list(got)})",
        f"expected: HostBuffer({float_list(expected)})",
    )
    return (*lines, "Puzzle 24 complete ✅") if ok else lines


def _launch(kernel: str, size: Callable[[int], int]) -> Kernel:
    """That of a kernel on so many elements at a warp width, a block for each warp."""

    def parameters(width: int) -> dict[str, int | str]:
        layouts = {"InLayoutT": size(width), "OutLayoutT": size(width) // width}
        types = {name: f"type_of(row_major[{elements}]())" for name, elements in layouts.items()}
        return {**types, "size": size(width)}

    return Kernel(kernel, grid=lambda width: size(width) // width, block=lambda width: width, parameters=parameters)


def _case(mode: str, title: str, steps: tuple[Step, Step], *claims: CounterClaim) -> Case:
    """A mode, of which the first step is on a warp's elements, and the second on `LARGER`."""
    documented, larger = steps
    alone = Case(
        puzzle="p24",
        mode=mode,
        title=title,
        steps=(documented,),
        resolve=_instance,
        oracle=_product,
        draw=factors,
        printed=_printed,
        claims=(READ_ONCE, WRITTEN_ONCE, *claims),
    )
    over_blocks = replace(alone, steps=(larger,), resolve=lambda width: _bare(width, LARGER))
    return with_further(alone, other_launch(over_blocks, {"SIZE": LARGER}))


def _both(kernel: str) -> tuple[Kernel, Kernel]:
    return _launch(kernel, lambda width: width), _launch(kernel, lambda _: LARGER)


_TREE = "a tree adds side by side: log2(W) steps, where one lane takes W - 1"

_FUNCTIONAL = Host("functional_warp_dot_product", "output a b", ("file.dtype", "file.SIMD_WIDTH", "1", "file.SIZE"))

CASES = (
    _case(
        "traditional",
        "dot product of a warp through shared memory",
        _both("traditional_dot_product_p12_style"),
        CounterClaim("log2(W) steps", "reduction_steps", steps_of, why=_TREE),
        CounterClaim("a block uses W elements of shared memory", "shared_bytes_per_block", lambda width: 4 * width),
        CounterClaim("one thread writes the sum", "output_writers", lambda _: 1),
    ),
    _case(
        "kernel",
        "dot product of a warp between registers",
        _both("simple_warp_dot_product"),
        CounterClaim("log2(W) shuffles for each lane", "shuffles_per_lane", steps_of, why=_TREE),
        NO_SHARED_MEMORY,
        NO_BARRIER,
        CounterClaim("one thread writes the sum", "output_writers", lambda _: 1),
    ),
    _case("functional", "dot product of a warp, launched by a library", (_FUNCTIONAL, _FUNCTIONAL)),
)
