"""Puzzle 26: butterfly exchange with `shuffle_xor`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from harness.catalogue.data import float_list, infinities, one_hot, random_fractions
from harness.model.case import Arrays, Case, CodeClaim, CounterClaim, Dataset, Instance, Kernel, TensorArgument

__all__ = ["CASES"]

SIZE_2 = 64  # whatever the warp width


def _steps(width: int) -> int:
    return width.bit_length() - 1


def _data(name: str, values: np.ndarray, catches: str) -> Dataset:
    return Dataset(name, {"input": np.asarray(values, np.float32)}, catches)


def _kernel(name: str, size: Callable[[int], int], blocks: int = 1) -> tuple[Kernel, ...]:
    """The launch of a butterfly: a warp for each block."""
    return (
        Kernel(
            name,
            "output input",
            grid=blocks,
            block=lambda width: width,
            parameters=lambda width: {"size": size(width)},
        ),
    )


def _instance(width: int, name: str, size: int, datasets: tuple[Dataset, ...]) -> Instance:
    return Instance(
        width=width,
        arguments=(TensorArgument("output", "output", (size,)), TensorArgument("input", "input", (size,))),
        constants={name: size},
        datasets=datasets,
    )


def _pair_swap_instance(width: int) -> Instance:
    lanes = np.arange(width)
    return _instance(
        width,
        "SIZE",
        width,
        (
            _data("documented", lanes, "the documents' own data: 0..W-1"),
            _data("squares-descending", -((width - lanes) ** 2), "an exchange that computes i ^ 1"),
            _data("infinities", infinities(lanes, {0: np.inf, width - 1: -np.inf}), "a detour through arithmetic"),
            _data("random-26", random_fractions((width,), seed=26), "anything that the patterns above hide"),
        ),
    )


def _parallel_max_instance(width: int) -> Instance:
    lanes = np.arange(width)
    documented = 2 * lanes
    documented[-1] = 1000
    peaks = (0, width // 2 - 1, width // 2, width - 1)
    return _instance(
        width,
        "SIZE",
        width,
        (
            _data("documented", documented, "the documents' own data: 2 * i, the last one 1000"),
            *(
                _data(f"peak-at-lane-{lane}", one_hot((width,), lane, 7.0), "a butterfly without one of its steps")
                for lane in peaks
            ),
            _data("negatives", -1 - lanes, "a maximum that starts from zero"),
            _data("infinities", infinities(-lanes, {1: -np.inf, 2: np.inf}), "a maximum with a finite start"),
            _data("random-26", random_fractions((width,), seed=26), "anything that the patterns above hide"),
        ),
    )


def _conditional_documented() -> np.ndarray:
    first = [3, 1, 7, 2, 9, 4, 8, 5, 6]
    return np.array([*first, *(i % 10 for i in range(9, 32)), *range(32, SIZE_2)])


def _conditional_max_instance(width: int) -> Instance:
    index = np.arange(SIZE_2)
    peaks = (0, 15, 16, 31)
    ranges = np.where(index < 32, index, 100 + index)
    return _instance(
        width,
        "SIZE_2",
        SIZE_2,
        (
            _data("documented", _conditional_documented(), "the documents' own data, ranges apart in the two halves"),
            _data("ranges-by-warp", ranges[::-1], "a maximum over the grid instead of the warp"),
            *(
                _data(
                    f"extremes-at-lane-{lane}",
                    one_hot((SIZE_2,), lane, 9.0) + one_hot((SIZE_2,), 63 - lane, -9.0),
                    "a butterfly without one of its steps",
                )
                for lane in peaks
            ),
            _data("negatives", -5 - index, "an extreme that starts from zero"),
            _data("infinities", infinities(index, {3: np.inf, 40: -np.inf}), "an extreme with a finite start"),
            _data("random-26", random_fractions((SIZE_2,), seed=26), "anything that the patterns above hide"),
        ),
    )


def _pair_swap(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    values = inputs["input"].astype(np.float64)
    return {"output": values[np.arange(values.size) ^ 1]}


def _parallel_max(inputs: Arrays, width: int) -> dict[str, np.ndarray]:
    warps = inputs["input"].astype(np.float64).reshape(-1, width)
    return {"output": np.repeat(warps.max(axis=1), width)}


def _conditional_max(inputs: Arrays, width: int) -> dict[str, np.ndarray]:
    warps = inputs["input"].astype(np.float64).reshape(-1, width)
    even = np.arange(width) % 2 == 0
    output = np.where(even, warps.max(axis=1, keepdims=True), warps.min(axis=1, keepdims=True))
    return {"output": output.ravel()}


def _printer(size_name: str, test: str) -> Callable[[int, np.ndarray, np.ndarray, bool], Sequence[str]]:
    def lines(width: int, got: np.ndarray, expected: np.ndarray, ok: bool) -> Sequence[str]:
        head = (
            f"WARP_SIZE:  {width}",
            f"{size_name}:  {expected.size}",
            f"output: {float_list(got)}",
            f"expected: {float_list(expected)}",
        )
        return (*head, f"✅ {test} test passed!") if ok else head

    return lines


def _extremes_in_torch(torch: Any, values: Any, _output: Any) -> Callable[[], object]:
    warps = values.view(2, -1)
    even = torch.arange(warps.shape[1], device="cuda") % 2 == 0
    return lambda: torch.where(even, torch.amax(warps, 1, True), torch.amin(warps, 1, True))


_BUTTERFLY = "the puzzle is about `shuffle_xor`, by which a lane reads another one's register without any memory"
_REGISTERS = "the lanes of a warp exchange registers without shared memory, and without waiting for one another"


def _claims(shuffles: Callable[[int], int], steps: str) -> tuple[CounterClaim | CodeClaim, ...]:
    return (
        CounterClaim(steps, "shuffles_per_lane", shuffles, why=_BUTTERFLY),
        CounterClaim("no shared memory", "shared_bytes_per_block", lambda _: 0, why=_REGISTERS),
        CounterClaim("no barrier", "barriers_per_thread", lambda _: 0, why=_REGISTERS),
        CounterClaim("each input element is read once", "reads_per_input_element", lambda _: 1),
        CounterClaim("each element is written once", "writes_per_output_element", lambda _: 1),
        CounterClaim(
            "blocks do not communicate",
            "communicating_blocks",
            lambda _: 0,
            why="blocks run in any order, so that none can rely on another",
        ),
        CodeClaim(
            "the exchange is a shuffle",
            "nvidia",
            has=("shfl.sync.bfly",),
            lacks=("bar.sync", "barrier.sync", ".shared"),
            why=_BUTTERFLY,
        ),
        CodeClaim(
            "the exchange is a permutation of registers",
            "amd",
            has=("ds_bpermute_b32",),
            lacks=("s_barrier",),
            why=_BUTTERFLY,
        ),
        CodeClaim(
            "the exchange is a SIMD-group shuffle",
            "apple",
            has=("simd_shuffle_xor",),
            lacks=("wg.barrier",),
            why=_BUTTERFLY,
        ),
    )


CASES = (
    Case(
        puzzle="p26",
        mode="pair-swap",
        title="butterfly pair swap",
        steps=_kernel("butterfly_pair_swap", lambda width: width),
        resolve=_pair_swap_instance,
        oracle=_pair_swap,
        printed=_printer("SIZE", "Butterfly pair swap"),
        peers={"torch": lambda torch, input, _: lambda: torch.flip(input.view(-1, 2), (1,))},
        claims=_claims(lambda _: 1, "one shuffle for each lane"),
    ),
    Case(
        puzzle="p26",
        mode="parallel-max",
        title="butterfly maximum",
        steps=_kernel("butterfly_parallel_max", lambda width: width),
        resolve=_parallel_max_instance,
        oracle=_parallel_max,
        printed=_printer("SIZE", "Butterfly parallel max"),
        peers={"torch": lambda torch, input, _: lambda: torch.amax(input, 0)},
        claims=_claims(_steps, "log2(W) steps, every lane in every step"),
    ),
    Case(
        puzzle="p26",
        mode="conditional-max",
        title="butterfly maximum and minimum",
        steps=_kernel("butterfly_conditional_max", lambda _: SIZE_2, blocks=2),
        resolve=_conditional_max_instance,
        oracle=_conditional_max,
        printed=_printer("SIZE_2", "Butterfly conditional max"),
        peers={"torch": _extremes_in_torch},
        claims=_claims(lambda width: 2 * _steps(width), "log2(W) steps with two values in registers"),
    ),
)
