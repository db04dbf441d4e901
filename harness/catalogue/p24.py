"""Cases of puzzle 24: dot product of a warp, in shared memory, in registers and by a library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from harness.catalogue.data import FACTOR_DRAW, format_floats, make_datasets, random_factors
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import WARPS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE
from harness.catalogue.sizes import pad_masked
from harness.catalogue.warps import LARGER, NO_BARRIER, NO_SHARED_MEMORY, WARPS_OF_A_BLOCK, halvings_of_warp
from harness.model.case import Arrays, Case, CounterClaim, HostStep, Instance, Kernel, Step, TensorArgument
from harness.model.place import CoursePlace
from harness.model.steps import Extents

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(WARPS, ("p12", "p23"))

# At further launches. With 32 lanes in a warp, and with 64, the last warp has elements for some of its lanes alone, and
# each other one for all.
SIZE, THREADS = 364, 384
_SPARE = 1  # places behind the products, so that there are not as many as blocks of one warp


def _bare(width: int, size: int, products: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (products,)),
            TensorArgument("a", "input", (size,)),
            TensorArgument("b", "input", (size,)),
        ),
        constants={"SIZE": size},
        datasets=(),
    )


def _instance(width: int) -> Instance:
    counted = np.arange(width)
    datasets = make_datasets({"a": counted, "b": counted}, seed=24, random=random_factors)
    return replace(_bare(width, width, 1), datasets=datasets)


def _product(inputs: Arrays, width: int, spare: int = 0) -> dict[str, np.ndarray]:
    products = inputs["a"].astype(np.float64) * inputs["b"]
    sums = np.pad(products, (0, -products.size % width)).reshape(-1, width).sum(axis=1)
    return {"output": pad_masked(sums, (sums.size + spare,))}


def _print_lines(width: int, actual: np.ndarray, expected: np.ndarray, ok: bool) -> Sequence[str]:
    lines = (
        f"SIZE: {width}",
        f"WARP_SIZE: {width}",
        "SIMD_WIDTH: 8",  # of the processor that the documents' lines come from
        "=== RESULT ===",
        f"actual: HostBuffer({format_floats(actual)})",
        f"expected: HostBuffer({format_floats(expected)})",
    )
    return (*lines, "Puzzle 24 complete ✅") if ok else lines


def _make_launch(kernel: str, elements: Callable[[int], int], grid: Extents, block: Extents, spare: int = 0) -> Kernel:
    """Return the launch on `elements(width)` elements; its output has `spare` places after the sums of warps."""

    def parameters(width: int) -> dict[str, int | str]:
        size = elements(width)
        layouts = {"InLayoutT": size, "OutLayoutT": -(-size // width) + spare}
        types = {name: f"type_of(row_major[{count}]())" for name, count in layouts.items()}
        return {**types, "size": size}

    return Kernel(kernel, grid=grid, block=block, parameters=parameters)


def _case(mode: str, title: str, step: Step, *claims: CounterClaim) -> Case:
    return Case(
        puzzle="p24",
        mode=mode,
        title=title,
        steps=(step,),
        resolve=_instance,
        oracle=_product,
        draw=FACTOR_DRAW,
        printed=_print_lines,
        claims=(READ_ONCE, WRITTEN_ONCE, *claims),
    )


def _make_kernel_mode(mode: str, title: str, kernel: str, warps: int, *claims: CounterClaim) -> Case:
    """Make a mode that launches a kernel; at the further launch, blocks have `warps` warps."""
    spare = _SPARE if warps == 1 else 0
    documented = _make_launch(kernel, lambda width: width, 1, lambda width: width)
    larger = _make_launch(
        kernel, lambda _: SIZE, lambda width: THREADS // (warps * width), lambda width: warps * width, spare
    )
    entry = _case(mode, title, documented, *claims)
    over_blocks = replace(
        entry,
        steps=(larger,),
        resolve=lambda width: _bare(width, SIZE, THREADS // width + spare),
        oracle=partial(_product, spare=spare),
    )
    redefined: dict[str, int | str] = {
        "SIZE": SIZE,
        "BLOCKS_PER_GRID": f"({THREADS} // ({warps} * WARP_SIZE), 1)",
        **({"THREADS_PER_BLOCK": f"({warps} * WARP_SIZE, 1)"} if warps > 1 else {}),
        "out_layout": f"row_major[{THREADS} // WARP_SIZE{f' + {spare}' if spare else ''}]()",
    }
    return with_further(entry, make_further(over_blocks, redefined))


def _make_library_mode(mode: str, title: str, step: Step) -> Case:
    """Make a mode whose launch is a library's, with a further launch of `LARGER` elements.

    They fill all warps, because the library skips lanes without elements.
    """
    entry = _case(mode, title, step)
    over_blocks = replace(entry, resolve=lambda width: _bare(width, LARGER, LARGER // width))
    redefined: dict[str, int | str] = {"SIZE": LARGER, "out_layout": f"row_major[{LARGER} // WARP_SIZE]()"}
    return with_further(entry, make_further(over_blocks, redefined))


_TREE = "a tree adds side by side: log2(W) steps, where one lane takes W - 1"

_FUNCTIONAL = HostStep("functional_warp_dot_product", "output a b", ("file.dtype", "file.SIMD_WIDTH", "1", "file.SIZE"))

CASES = (
    _make_kernel_mode(
        "traditional",
        "dot product of a warp through shared memory",
        "traditional_dot_product_p12_style",
        1,
        CounterClaim("log2(W) steps", "reduction_steps", halvings_of_warp, why=_TREE),
        CounterClaim("a block uses W elements of shared memory", "shared_bytes_per_block", lambda width: 4 * width),
        CounterClaim("one thread writes the sum", "output_writers", lambda _: 1),
    ),
    _make_kernel_mode(
        "kernel",
        "dot product of a warp between registers",
        "simple_warp_dot_product",
        WARPS_OF_A_BLOCK,
        CounterClaim("log2(W) shuffles for each lane", "shuffles_per_lane", halvings_of_warp, why=_TREE),
        NO_SHARED_MEMORY,
        NO_BARRIER,
        CounterClaim("one thread writes the sum", "output_writers", lambda _: 1),
    ),
    _make_library_mode("functional", "dot product of a warp, launched by a library", _FUNCTIONAL),
)
