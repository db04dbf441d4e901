"""Puzzle 24: the sum of a warp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from harness.catalogue.data import factors, float_list, patterns, random_factors
from harness.catalogue.parts import WARPS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.warps import NO_BARRIER, NO_SHARED_MEMORY, steps_of
from harness.model.case import Arrays, Case, CounterClaim, Host, Instance, Kernel, TensorArgument
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(WARPS, ("p12", "p23"))


def _instance(width: int) -> Instance:
    counted = np.arange(width)
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (1,)),
            TensorArgument("a", "input", (width,)),
            TensorArgument("b", "input", (width,)),
        ),
        constants={"SIZE": width},
        datasets=patterns({"a": counted, "b": counted}, seed=24, random=random_factors),
    )


def _product(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    a, b = (inputs[name].astype(np.float64) for name in "ab")
    return {"output": (a * b).sum(keepdims=True)}


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


def _case(mode: str, title: str, kernel: str, *claims: CounterClaim) -> Case:
    def parameters(width: int) -> dict[str, int | str]:
        layouts = {"InLayoutT": width, "OutLayoutT": 1}
        return {**{name: f"type_of(row_major[{size}]())" for name, size in layouts.items()}, "size": width}

    return Case(
        puzzle="p24",
        mode=mode,
        title=title,
        steps=(Kernel(kernel, block=lambda width: width, parameters=parameters),),
        resolve=_instance,
        oracle=_product,
        draw=factors,
        printed=_printed,
        claims=(READ_ONCE, WRITTEN_ONCE, *claims),
    )


_TREE = "a tree adds side by side: log2(W) steps, where one lane takes W - 1"

CASES = (
    _case(
        "traditional",
        "dot product of a warp through shared memory",
        "traditional_dot_product_p12_style",
        CounterClaim("log2(W) steps", "reduction_steps", steps_of, why=_TREE),
        CounterClaim("a block uses W elements of shared memory", "shared_bytes_per_block", lambda width: 4 * width),
        CounterClaim("one thread writes the sum", "output_writers", lambda _: 1),
    ),
    _case(
        "kernel",
        "dot product of a warp between registers",
        "simple_warp_dot_product",
        CounterClaim("log2(W) shuffles for each lane", "shuffles_per_lane", steps_of, why=_TREE),
        NO_SHARED_MEMORY,
        NO_BARRIER,
        CounterClaim("one thread writes the sum", "output_writers", lambda _: 1),
    ),
    replace(
        _case("functional", "dot product of a warp, launched by a library", "functional_warp_dot_product"),
        steps=(Host("functional_warp_dot_product", "output a b", ("file.dtype", "file.SIMD_WIDTH", "1", "file.SIZE")),),
    ),
)
