"""Cases of puzzle 27: block operations for dot products, a histogram and a normalisation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from harness.catalogue.data import make_dataset, random_factors, random_fractions
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import BLOCK_OPERATIONS
from harness.catalogue.promises import READ_ONCE, WRITTEN_ONCE, promise_shared
from harness.catalogue.simple import make_simple_case
from harness.catalogue.sizes import cut_to_size, pad_masked
from harness.model.case import (
    Arrays,
    Case,
    CounterClaim,
    Dataset,
    Instance,
    Kernel,
    ScalarArgument,
    Size,
    TensorArgument,
    Within,
)
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(BLOCK_OPERATIONS, ("p12", "p14", "p24"))

SIZE, TPB, NUM_BINS, TARGET_BIN = 128, 128, 8, 0
# Of the further launch: fewer elements than the block has threads, and another number of bins than the file states.
FEWER, FEWER_TPB, FEWER_BINS, FEWER_TARGET = 50, 64, 5, 3
_HEAD = (f"SIZE: {SIZE}", f"TPB: {TPB}")
_COMPLETE = "Puzzle 27 complete ✅"
_SIZE = "size_dev"
# One result has room behind it.
_REDEFINED: dict[str, int | str] = {"SIZE": FEWER, "TPB": FEWER_TPB, "out_layout": "row_major[2]()"}


def _constants(size: int, tpb: int) -> dict[str, int]:
    return {"SIZE": size, "TPB": tpb}


def _result_length(size: int) -> int:
    """Return the length of the result: 1 at the documented size, 2 at others; only the first element may be written."""
    return 1 if size == SIZE else 2


def _with_idle_threads(make: Callable[[int, int], Case]) -> Case:
    """Make a case from a function of elements and threads, with a further launch that has idle threads."""
    return with_further(make(SIZE, TPB), make_further(make(FEWER, FEWER_TPB), _REDEFINED))


def _make_dot_case(
    mode: str, title: str, kernel: str, label: str, passed: tuple[str, ...], *claims: CounterClaim
) -> Callable[[int, int], Case]:
    """Return a function of (elements, threads) that makes a dot product's case; a right result also prints `passed`."""

    def printed(_width: int, actual: np.ndarray, expected: np.ndarray, ok: bool) -> Sequence[str]:
        result, promised = (np.float32(values[0]) for values in (actual, expected))
        lines = (*_HEAD, f"Expected result: {promised}", f"{label} result: {result}")
        return (*lines, _COMPLETE, *passed) if ok else lines

    def at(size: int, tpb: int) -> Case:
        counted = np.arange(size, dtype=np.float32)
        entry = make_simple_case(
            "p27",
            title,
            Kernel(kernel, "output a b size_dev", block=tpb, parameters={"tpb": tpb}),
            {"a": counted, "b": 2 * counted},
            lambda a, b: pad_masked((a * b).sum(keepdims=True), (_result_length(size),)),
            mode=mode,
            size=Size(_SIZE, size),
            constants=_constants(size, tpb),
            claims=(READ_ONCE, WRITTEN_ONCE, _ONE_WRITER, *claims),
            random=random_factors,
        )
        return replace(entry, printed=printed)

    return at


def _format_first(values: np.ndarray, most: int) -> str:
    """Format the first `most` numbers as the documented programs print them."""
    return " ".join([*(str(np.float32(value)) for value in values[:most]), *(["..."] if len(values) > most else [])])


# The documents launch bin after bin, on unwritten results.
_DOCUMENTED_BINS = (np.arange(SIZE) % 80).astype(np.float32) / np.float32(100)
# The ends of bins, what lies outside of all of them, and what would be rounded into the next one.
_EDGES = np.resize([*np.arange(9) / 8, -0.125, 1.125, -64, 64, *(np.arange(1, 9) / 8 - 1 / 64)], SIZE)


def _make_histogram_data() -> tuple[Dataset, ...]:
    """Make data sets: the documented numbers once per bin, others for one bin each (`target_bin_dev`, a scalar)."""

    def data(name: str, values: np.ndarray, catches: str, target: int) -> Dataset:
        inputs = {"input_data": np.array(values, np.float32)}
        return Dataset(f"{name}-bin-{target}" if target else name, inputs, catches, {"target_bin_dev": target})

    return (
        *(
            data("documented", _DOCUMENTED_BINS, "the documents' own data: 0.00 to 0.79, again and again", target)
            for target in range(NUM_BINS)
        ),
        data("edges", _EDGES, "what is below 0 lost", 0),
        data("edges", _EDGES, "an edge in the bin before it", 3),
        data("edges", _EDGES, "what is 1 or more lost", NUM_BINS - 1),
        data("none", np.full(SIZE, 0.25), "a count of elements that are not there", 1),
        data("all", np.linspace(0.25, 0.375, SIZE, endpoint=False), "a count without the last thread", 2),
        data("random-27", _draw_bins(SIZE, np.random.default_rng(27)), "anything that the patterns above hide", 5),
    )


def _draw_bins(size: int, generator: np.random.Generator) -> np.ndarray:
    """Draw odd multiples of 1/64 from -1/8 to 9/8."""
    return ((generator.integers(-4, 36, size) * 2 + 1) / 64).astype(np.float32)


def _make_histogram_case(size: int, tpb: int, bins: int, target: int) -> Case:
    """Make the case that extracts the elements of bin `target` of `bins`; it has data sets only at size `SIZE`."""

    def instance(width: int) -> Instance:
        return Instance(
            width=width,
            arguments=(
                TensorArgument("input_data", "input", (size,)),
                TensorArgument("bin_output", "partial", (size,)),
                TensorArgument("count_output", "output", (_result_length(size),), np.dtype(np.int32)),
                ScalarArgument(_SIZE, size),
                ScalarArgument("target_bin_dev", target),
                ScalarArgument("num_bins_dev", bins),
            ),
            constants={**_constants(size, tpb), "NUM_BINS": NUM_BINS},
            datasets=_make_histogram_data() if size == SIZE else (),
        )

    def extracted(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
        from numpy import ma  # nobody else needs it

        values = cut_to_size(inputs["input_data"], inputs, Size(_SIZE, size))
        bin_numbers = np.clip(np.floor(values * np.float32(bins)), 0, bins - 1)  # in float32, as threads do
        selected = values[bin_numbers == inputs.get("target_bin_dev", np.asarray(target))].astype(np.float64)
        padded = np.concatenate([selected, np.zeros(size - selected.size)])
        return {
            "bin_output": ma.masked_array(padded, np.arange(size) >= selected.size),
            "count_output": pad_masked(np.array([selected.size], np.float64), (_result_length(size),)),
        }

    return Case(
        puzzle="p27",
        mode="histogram",
        title="elements of a bin, by `block.prefix_sum`",
        steps=(Kernel("block_histogram_bin_extract", block=tpb, parameters={"tpb": tpb}),),
        resolve=instance,
        oracle=extracted,
        draw=lambda _, generator: {"input_data": _draw_bins(size, generator)},
        size=Size(_SIZE, size),
        printed=_print_first_bin,
        printed_output="count_output bin_output",
        claims=(
            READ_ONCE,
            CounterClaim(
                "the elements of the bin are stored, and their number", "distinct_global_stores", lambda _: 27
            ),
        ),
    )


def _print_first_bin(_width: int, actual: np.ndarray, _expected: np.ndarray, _ok: bool) -> Sequence[str]:
    count, elements = int(actual[0]), actual[1:]
    return (
        *_HEAD,
        f"NUM_BINS: {NUM_BINS}",
        "",
        f"Input sample: {_format_first(_DOCUMENTED_BINS, 16)}",
        "",
        f"=== Processing Bin 0 (range [ 0.0 , {1 / NUM_BINS} )) ===",
        f"Bin 0 count: {count}",
        f"Bin 0 extracted elements: {_format_first(elements[: max(0, count)], 8)}",
    )


_DOCUMENTED_VECTOR = (np.arange(SIZE) % 8 + 1).astype(np.float32)


def _normalize_data() -> tuple[Dataset, ...]:
    fractions = random_fractions((SIZE,), seed=27)
    positive = np.abs(fractions)
    opposite = np.concatenate([fractions[: SIZE // 2], -fractions[: SIZE // 2]])
    data = partial(make_dataset, "input_data")
    return (
        data("documented", _DOCUMENTED_VECTOR, "the documents' own data: 1..8, again and again"),
        data("one-large", np.where(np.arange(SIZE) == SIZE - 1, 1921.0, 1.0), "a mean of some threads alone"),
        data("sum-of-zero", opposite, "a division by zero: the mean of what adds up to nothing counts as 1"),
        data("sum-below-zero", -positive, "a mean that is negative: it counts as 1"),
        data("positive-27", positive, "a mean that is known before"),
        data("random-27", np.where(fractions.sum() > 0, fractions, -fractions), "a sum without what is negative"),
    )


def _make_normalize_case(size: int, tpb: int) -> Case:
    """Make the case of the normalisation in a block of `tpb` threads; it has data sets only at size `SIZE`."""

    def instance(width: int) -> Instance:
        return Instance(
            width=width,
            arguments=(
                TensorArgument("input_data", "input", (size,)),
                TensorArgument("output_data", "output", (size,)),
                ScalarArgument(_SIZE, size),
            ),
            constants=_constants(size, tpb),
            datasets=_normalize_data() if size == SIZE else (),
        )

    def normalized(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
        values = cut_to_size(inputs["input_data"].astype(np.float64), inputs, Size(_SIZE, size))
        total = values.sum()
        return {"output_data": pad_masked(values / (total / values.size if total > 0 else 1.0), (size,))}

    return Case(
        puzzle="p27",
        mode="normalize",
        title="elements over their mean, by `block.broadcast`",
        steps=(Kernel("block_normalize_vector", block=tpb, parameters={"tpb": tpb}),),
        resolve=instance,
        oracle=normalized,
        within={"output_data": _ROUNDED},
        size=Size(_SIZE, size),
        printed=_print_sample,
        printed_output="output_data",
        claims=(
            READ_ONCE,
            WRITTEN_ONCE,
            CounterClaim(
                "shared memory for an element of each warp and the mean",
                "shared_bytes_per_block",
                lambda width: (tpb // width + 1) * 4,
                why="thread 0 alone divides, and hands the mean to the others through shared memory",
            ),
        ),
    )


def _print_sample(_width: int, actual: np.ndarray, _expected: np.ndarray, ok: bool) -> Sequence[str]:
    total = _DOCUMENTED_VECTOR.sum()
    # One after the other, as the documented program adds.
    total_of_output = np.float32(actual).cumsum(dtype=np.float32)[-1]
    lines = (
        *_HEAD,
        "",
        f"Input sample: {_format_first(_DOCUMENTED_VECTOR, 16)}",
        f"Sum value: {total}",
        f"Mean value: {total / SIZE}",
        "",
        "Mean Normalization Results:",
        f"Normalized sample: {_format_first(actual, 16)}",
        "",
        f"Output sum: {total_of_output}",
        f"Output mean: {total_of_output / SIZE}",
    )
    return (*lines, "✅ Success: Output mean is 1.0 (should be close to 1.0)", _COMPLETE) if ok else lines


_ROUNDED = Within(
    rtol=2.0**-21,
    atol=0,
    why="the sum is exact and so is its 128th part (at another size it is rounded); the division by it rounds once, or "
    "twice by way of its inverse, and hardware may divide to within two units in the last place",
)
_ONE_WRITER = CounterClaim("one thread writes the sum", "output_writers", lambda _: 1)

CASES = (
    _with_idle_threads(
        _make_dot_case(
            "traditional-dot-product",
            "dot product of a block, by hand",
            "traditional_dot_product",
            "Traditional",
            ("Complex: shared memory + barriers + tree reduction",),
            CounterClaim(
                "log2(TPB) steps",
                "reduction_steps",
                lambda _: 7,
                why="a tree adds side by side: 7 steps for 128 values, where one thread takes 127",
            ),
            promise_shared(TPB),
        ),
    ),
    _with_idle_threads(
        _make_dot_case(
            "block-sum-dot-product",
            "dot product of a block, by `block.sum`",
            "block_sum_dot_product",
            "Block.sum",
            (
                "Block.sum() gives identical results!",
                "Compare the code: 15+ lines of barriers → 1 line of block.sum()!",
                "Just like warp.sum() but for the entire block",
            ),
            CounterClaim(
                "shared memory for an element of each warp",
                "shared_bytes_per_block",
                lambda width: TPB // width * 4,
                why="warps add between registers, and meet once to add their sums",
            ),
        ),
    ),
    with_further(
        _make_histogram_case(SIZE, TPB, NUM_BINS, TARGET_BIN),
        make_further(_make_histogram_case(FEWER, FEWER_TPB, FEWER_BINS, FEWER_TARGET), _REDEFINED),
    ),
    _with_idle_threads(_make_normalize_case),
)
