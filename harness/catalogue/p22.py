"""Cases of puzzle 22: a layer normalisation and a linear layer, in one kernel and in four, and gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import TORCH_OPS
from harness.catalogue.promises import WRITTEN_ONCE
from harness.model.case import (
    Arrays,
    Case,
    CounterClaim,
    Dataset,
    ExpectedLaunch,
    HostStep,
    Instance,
    TensorArgument,
    Within,
)
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(TORCH_OPS, ("p16", "p18"))

SIDE, EPSILON = 16, 1e-5
# Sequences, positions of each, elements of a position, and its results.
Extents = tuple[int, int, int, int]
DOCUMENTED: Extents = (4, 4, 8, 16)
# In the documents there are as many sequences as positions, a block takes all rows and columns, and all blocks are as
# wide: here it is not so. A mean of 16 elements is exact too.
_WIDE: Extents = (2, 10, 16, 7)
# Threads in x and in y of a block that multiplies, and of one that transposes.
Sides = tuple[int, int]
_SIDES: Sides = (SIDE, SIDE)
_WIDE_SIDES: Sides = (3, 6)
_TOLERANCE = 1e-4

_FORWARD = "output input ln_weight ln_bias linear_weight linear_bias"
_BACKWARD = (
    "grad_input grad_ln_weight grad_ln_bias grad_weight grad_bias grad_output input ln_weight ln_bias linear_weight"
)
_GRADIENTS = _BACKWARD.split()[:5]


def _shapes(extents: Extents) -> dict[str, tuple[int, ...]]:
    sequences, positions, hidden, out = extents
    return {
        "input": (sequences, positions, hidden),
        "output": (sequences, positions, out),
        "ln_weight": (hidden,),
        "ln_bias": (hidden,),
        "linear_weight": (out, hidden),
        "weight": (out, hidden),
        "linear_bias": (out,),
        "bias": (out,),
    }


def _tensor(name: str, extents: Extents, results: Sequence[str]) -> TensorArgument:
    shape = _shapes(extents)[name.removeprefix("grad_")]
    return TensorArgument(name, "output" if name in results else "input", shape, form="op")


def _draw_fractions(shape: tuple[int, ...], generator: np.random.Generator, most: float) -> np.ndarray:
    """Draw odd multiples of 1/64 of both signs below `most` in magnitude: means of 8 and 16 of them are exact, whatever
    their offset.
    """
    half = int(most * 32)
    return ((generator.integers(-half, half, shape) * 2 + 1) / 64).astype(np.float32)


_MOST = {"input": 2.0, "ln_weight": 1.0, "ln_bias": 1.0, "linear_weight": 0.25, "linear_bias": 1.0, "grad_output": 0.25}


Tensors = Sequence[TensorArgument]


def _draw_inputs(tensors: Tensors, generator: np.random.Generator) -> dict[str, np.ndarray]:
    return {tensor.name: _draw_fractions(tensor.shape, generator, _MOST[tensor.name]) for tensor in tensors}


def _draw_documented(tensors: Tensors) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(42)
    makers: dict[str, Callable[[tuple[int, ...]], np.ndarray]] = {
        "input": generator.standard_normal,
        "linear_weight": lambda shape: generator.standard_normal(shape) * 0.02,
        "ln_weight": np.ones,
        "grad_output": np.ones,
    }
    return {tensor.name: makers.get(tensor.name, np.zeros)(tensor.shape).astype(np.float32) for tensor in tensors}


def _datasets(tensors: Tensors) -> tuple[Dataset, ...]:
    random = _draw_inputs(tensors, np.random.default_rng(22))

    def data(name: str, catches: str, changed: Callable[[np.ndarray], np.ndarray]) -> Dataset:
        return Dataset(name, random | {"input": changed(random["input"]).astype(np.float32)}, catches)

    return (
        Dataset(
            "documented", _draw_documented(tensors), "the documents' own data, which are random but for the parameters"
        ),
        data("random-22", "parameters that are left out, since the documents' are ones and zeros", lambda x: x),
        data("opposite", "a result that drops the negative", lambda x: -x[::-1]),
        data(
            "far-right",
            "a variance as the mean of the squares less the square of the mean, of which little is left",
            lambda x: x + 1000,
        ),
        data("alike", "a division by a variance of zero", lambda x: np.broadcast_to(x[..., :1], x.shape)),
        data("nearly-alike", "another number that is added to the variance", lambda x: x / 32),
    )


def _constants(sides: Sides) -> dict[str, int]:
    return dict(zip(("MATMUL_BLOCK_DIM_XY", "TRANSPOSE_BLOCK_DIM_XY"), sides, strict=True))


def _instance(names: str, results: Sequence[str], extents: Extents, sides: Sides, width: int) -> Instance:
    arguments = tuple(_tensor(name, extents, results) for name in names.split())
    return Instance(
        width=width,
        arguments=arguments,
        constants=_constants(sides),
        datasets=_datasets([tensor for tensor in arguments if tensor.has_data]),
    )


def _normalize(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return `x` normalised along its last axis and 1 / sqrt(variance + `EPSILON`), with a last axis of length 1."""
    centered = x - x.mean(axis=-1, keepdims=True)
    inverse = 1 / np.sqrt((centered**2).mean(axis=-1, keepdims=True) + EPSILON)
    return centered * inverse, inverse


def _compute_results(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    arrays = {name: values.astype(np.float64) for name, values in inputs.items()}
    normalized = _normalize(arrays["input"])[0] * arrays["ln_weight"] + arrays["ln_bias"]
    return {"output": normalized @ arrays["linear_weight"].T + arrays["linear_bias"]}


def _compute_gradients(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    arrays = {name: values.astype(np.float64) for name, values in inputs.items()}
    grad, (normal, inverse) = arrays["grad_output"], _normalize(arrays["input"])
    scaled_input = normal * arrays["ln_weight"] + arrays["ln_bias"]
    back = grad @ arrays["linear_weight"]
    scaled = back * arrays["ln_weight"]
    shared = scaled.mean(axis=-1, keepdims=True) + normal * (scaled * normal).mean(axis=-1, keepdims=True)
    return {
        "grad_input": (scaled - shared) * inverse,
        "grad_ln_weight": (back * normal).sum(axis=(0, 1)),
        "grad_ln_bias": back.sum(axis=(0, 1)),
        "grad_weight": np.einsum("bso,bsh->oh", grad, scaled_input),
        "grad_bias": grad.sum(axis=(0, 1)),
    }


def _print_lines(_width: int, actual: np.ndarray, expected: np.ndarray, ok: bool) -> Sequence[str]:
    furthest = float(np.abs(actual - expected).max())
    return (f"   Max difference: {furthest:.2e}", f"   Result: {'✅ CORRECT' if ok else '❌ INCORRECT'}")


def _print_gradients(_width: int, actual: np.ndarray, expected: np.ndarray, _ok: bool) -> Sequence[str]:
    shapes = _shapes(DOCUMENTED)
    ends = np.cumsum([np.prod(shapes[name.removeprefix("grad_")]) for name in _GRADIENTS])[:-1]
    lines = []
    for name, apart in zip(_GRADIENTS, np.split(np.abs(actual - expected), ends), strict=True):
        documented_name = name.replace("grad_weight", "grad_linear_weight").replace("grad_bias", "grad_linear_bias")
        lines.append(f"   {documented_name}: {apart.max():.2e} {'✅' if apart.max() < _TOLERANCE else '❌'}")
    return lines


def _within(results: Sequence[str]) -> dict[str, Within]:
    bound = Within(
        _TOLERANCE,
        _TOLERANCE,
        "the documents' own. What is added up has at most 16 * 16 terms of magnitudes that add up to less than 25, and "
        "a term comes of fewer than 66 roundings of 2^-24 each: 1e-4; means are exact where they are large",
        fused=True,
    )
    written_once = ("output", "grad_input")
    return {name: replace(bound, unordered=name not in written_once) for name in results}


def _case(
    mode: str,
    title: str,
    called: Callable[[Extents, Sides], HostStep],
    names: str,
    results: Sequence[str],
    **more: Any,
) -> Case:
    def at(extents: Extents, sides: Sides) -> Case:
        return Case(
            puzzle="p22",
            mode=mode,
            title=title,
            steps=(called(extents, sides),),
            resolve=partial(_instance, names, results, extents, sides),
            within=_within(results),
            draw=lambda instance, generator: _draw_inputs(instance.initialized, generator),
            **more,
        )

    return with_further(at(DOCUMENTED, _SIDES), make_further(at(_WIDE, _WIDE_SIDES), _constants(_WIDE_SIDES)))


def _forward(
    algorithm: str, launches: Callable[[Extents, Sides], tuple[ExpectedLaunch, ...]]
) -> Callable[[Extents, Sides], HostStep]:
    def called(extents: Extents, sides: Sides) -> HostStep:
        parameters = ('"gpu"', f'"{algorithm}"', *map(str, extents))
        return HostStep("LayerNormLinearCustomOp.execute", _FORWARD, parameters, launches(extents, sides))

    return called


def _backward(extents: Extents, _sides: Sides) -> HostStep:
    launched = ExpectedLaunch("minimal_fused_kernel_backward", grid=extents[:2])
    return HostStep("LayerNormLinearBackwardCustomOp.execute", _BACKWARD, ('"gpu"', *map(str, extents)), (launched,))


def _fused(extents: Extents, _sides: Sides) -> tuple[ExpectedLaunch, ...]:
    return (ExpectedLaunch("minimal_fused_kernel", grid=extents[:2]),)


def _unfused(extents: Extents, sides: Sides) -> tuple[ExpectedLaunch, ...]:
    sequences, positions, hidden, out = extents
    multiplied, turned = sides
    rows = sequences * positions
    return (
        ExpectedLaunch("layernorm_kernel", grid=(sequences, positions), block=hidden),
        ExpectedLaunch("transpose_kernel", grid=(-(-hidden // turned), -(-out // turned)), block=(turned, turned)),
        ExpectedLaunch(
            "matmul_idiomatic_tiled",
            grid=(-(-out // multiplied), -(-rows // multiplied)),
            block=(multiplied, multiplied),
        ),
        ExpectedLaunch("add_bias_kernel", grid=(sequences, positions), block=out),
    )


_POSITIONS = DOCUMENTED[0] * DOCUMENTED[1]
_SHARES = DOCUMENTED[3] * DOCUMENTED[2] + DOCUMENTED[3] + 2 * DOCUMENTED[2]


def _stored(step: int, sentence: str, elements: int) -> CounterClaim:
    return CounterClaim(
        sentence, "global_stores", lambda _: elements, "kernels hand on to one another what lies there", step
    )


def _tiled(step: int, sentence: str, tiles: int) -> CounterClaim:
    why = "the puzzle is about kernels that read and write neighbouring elements"
    return CounterClaim(sentence, "shared_bytes_per_block", lambda _: tiles * SIDE * SIDE * 4, why, step)


CASES = (
    _case(
        "fused",
        "normalisation and linear layer in one kernel",
        _forward("fused", _fused),
        _FORWARD,
        ["output"],
        oracle=_compute_results,
        printed=_print_lines,
        claims=(
            WRITTEN_ONCE,
            CounterClaim(
                "nothing but the results goes to global memory",
                "global_stores",
                lambda _: _POSITIONS * DOCUMENTED[3],
                why="the puzzle is about what one kernel need not hand to the next",
            ),
        ),
    ),
    _case(
        "unfused",
        "normalisation and linear layer in four kernels",
        _forward("unfused", _unfused),
        _FORWARD,
        ["output"],
        oracle=_compute_results,
        printed=_print_lines,
        claims=(
            _stored(0, "what is normalised goes to global memory", _POSITIONS * DOCUMENTED[2]),
            _stored(1, "the transposed matrix goes to global memory", DOCUMENTED[2] * DOCUMENTED[3]),
            _stored(2, "the product goes to global memory", _POSITIONS * DOCUMENTED[3]),
            _stored(3, "the product with its bias goes to global memory", _POSITIONS * DOCUMENTED[3]),
            _tiled(1, "the transposition has a tile in shared memory", 1),
            _tiled(2, "the product has a tile of each factor in shared memory", 2),
        ),
    ),
    _case(
        "backward",
        "gradients of normalisation and linear layer",
        _backward,
        _BACKWARD,
        _GRADIENTS,
        oracle=_compute_gradients,
        printed=_print_gradients,
        printed_output=" ".join(_GRADIENTS),
        claims=(
            CounterClaim(
                "each position adds its share to each gradient of a parameter, and writes those of its elements",
                "global_stores",
                lambda _: _POSITIONS * (_SHARES + DOCUMENTED[2]),
                why="the puzzle is about shares that blocks add up in global memory",
            ),
        ),
    ),
)
