"""Puzzle 22: a layer normalisation and a linear layer, in one kernel and in four, and their gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from harness.catalogue.parts import TORCH_OPS
from harness.catalogue.promises import WRITTEN_ONCE
from harness.model.case import Arrays, Case, CounterClaim, Dataset, Host, Instance, Launched, TensorArgument, Within
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(TORCH_OPS, ("p16", "p18"))

SIDE, EPSILON = 16, 1e-5
# Sequences, positions of each, elements of a position, and its results.
Extents = tuple[int, int, int, int]
DOCUMENTED: Extents = (4, 4, 8, 16)
# In the documents there are as many sequences as positions, and a block takes all rows and columns: here it does not.
_WIDE: Extents = (3, 7, 32, 17)
_WIDE_BACKWARD: Extents = (3, 7, 16, 5)
_ENDS = ("", "_wide")
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


def _tensor(name: str, extents: Extents, end: str, results: Sequence[str]) -> TensorArgument:
    shape = _shapes(extents)[name.removeprefix("grad_")]
    return TensorArgument(f"{name}{end}", "output" if name in results else "input", shape, form="op")


def _drawn(shape: tuple[int, ...], generator: np.random.Generator, most: float) -> np.ndarray:
    """Odd multiples of 1/64 of both signs below `most`: means of 8, 16 and 32 are exact, however far off all are."""
    half = int(most * 32)
    return ((generator.integers(-half, half, shape) * 2 + 1) / 64).astype(np.float32)


_MOST = {"input": 2.0, "ln_weight": 1.0, "ln_bias": 1.0, "linear_weight": 0.25, "linear_bias": 1.0, "grad_output": 0.25}


Tensors = Sequence[TensorArgument]


def _op_name(name: str) -> str:
    """How the op calls a tensor of either call."""
    return name.removesuffix("_wide")


def _random(given: Tensors, generator: np.random.Generator) -> dict[str, np.ndarray]:
    return {tensor.name: _drawn(tensor.shape, generator, _MOST[_op_name(tensor.name)]) for tensor in given}


def _documented(given: Tensors) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(42)
    makers: dict[str, Callable[[tuple[int, ...]], np.ndarray]] = {
        "input": generator.standard_normal,
        "linear_weight": lambda shape: generator.standard_normal(shape) * 0.02,
        "ln_weight": np.ones,
        "grad_output": np.ones,
    }
    return {
        tensor.name: makers.get(_op_name(tensor.name), np.zeros)(tensor.shape).astype(np.float32) for tensor in given
    }


def _datasets(given: Tensors) -> tuple[Dataset, ...]:
    random = _random(given, np.random.default_rng(22))

    def data(name: str, catches: str, changed: Callable[[np.ndarray], np.ndarray]) -> Dataset:
        inputs = {key: changed(random[key]).astype(np.float32) for key in ("input", "input_wide")}
        return Dataset(name, random | inputs, catches)

    return (
        Dataset("documented", _documented(given), "the documents' own data, which are random but for the parameters"),
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


def _instance(names: str, results: Sequence[str], wide: Extents) -> Callable[[int], Instance]:
    arguments = tuple(
        _tensor(name, extents, end, results)
        for extents, end in zip((DOCUMENTED, wide), _ENDS, strict=True)
        for name in names.split()
    )

    def instance(width: int) -> Instance:
        return Instance(
            width=width,
            arguments=arguments,
            constants={"MATMUL_BLOCK_DIM_XY": SIDE, "TRANSPOSE_BLOCK_DIM_XY": SIDE},
            datasets=_datasets([tensor for tensor in arguments if tensor.given]),
        )

    return instance


def _normal(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Elements without the mean of their position over its deviation, and one over the deviation."""
    left = x - x.mean(axis=-1, keepdims=True)
    inverse = 1 / np.sqrt((left**2).mean(axis=-1, keepdims=True) + EPSILON)
    return left * inverse, inverse


def _wide(inputs: Arrays, end: str) -> dict[str, np.ndarray]:
    """What one of the calls gets, in float64, under the names of the op."""
    own = [name for name in inputs if name.endswith("_wide") == bool(end)]
    return {_op_name(name): inputs[name].astype(np.float64) for name in own}


def _results(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    made: dict[str, np.ndarray] = {}
    for end in _ENDS:
        given = _wide(inputs, end)
        taken = _normal(given["input"])[0] * given["ln_weight"] + given["ln_bias"]
        made[f"output{end}"] = taken @ given["linear_weight"].T + given["linear_bias"]
    return made


def _gradients(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    made: dict[str, np.ndarray] = {}
    for end in _ENDS:
        given = _wide(inputs, end)
        grad, (normal, inverse) = given["grad_output"], _normal(given["input"])
        taken = normal * given["ln_weight"] + given["ln_bias"]
        back = grad @ given["linear_weight"]
        scaled = back * given["ln_weight"]
        shared = scaled.mean(axis=-1, keepdims=True) + normal * (scaled * normal).mean(axis=-1, keepdims=True)
        made |= {
            f"grad_input{end}": (scaled - shared) * inverse,
            f"grad_ln_weight{end}": (back * normal).sum(axis=(0, 1)),
            f"grad_ln_bias{end}": back.sum(axis=(0, 1)),
            f"grad_weight{end}": np.einsum("bso,bsh->oh", grad, taken),
            f"grad_bias{end}": grad.sum(axis=(0, 1)),
        }
    return made


def _printed(_width: int, got: np.ndarray, expected: np.ndarray, ok: bool) -> Sequence[str]:
    furthest = float(np.abs(got - expected).max())
    return (f"   Max difference: {furthest:.2e}", f"   Result: {'✅ CORRECT' if ok else '❌ INCORRECT'}")


def _printed_gradients(_width: int, got: np.ndarray, expected: np.ndarray, _ok: bool) -> Sequence[str]:
    shapes = _shapes(DOCUMENTED)
    ends = np.cumsum([np.prod(shapes[name.removeprefix("grad_")]) for name in _GRADIENTS])[:-1]
    lines = []
    for name, apart in zip(_GRADIENTS, np.split(np.abs(got - expected), ends), strict=True):
        shown = name.replace("grad_weight", "grad_linear_weight").replace("grad_bias", "grad_linear_bias")
        lines.append(f"   {shown}: {apart.max():.2e} {'✅' if apart.max() < _TOLERANCE else '❌'}")
    return lines


def _within(results: Sequence[str]) -> dict[str, Within]:
    bound = Within(
        _TOLERANCE,
        _TOLERANCE,
        "the documents' own. What is added up has at most 32 * 17 terms of magnitudes that add up to less than 25, and "
        "a term comes of fewer than 66 roundings of 2^-24 each: 1e-4; means are exact where they are large",
        fused=True,
    )
    written_once = ("output", "grad_input")
    return {f"{name}{end}": replace(bound, unordered=name not in written_once) for end in _ENDS for name in results}


def _case(
    mode: str,
    title: str,
    called: Callable[[Extents, str], Host],
    names: str,
    results: Sequence[str],
    wide: Extents = _WIDE,
    **more: Any,
) -> Case:
    return Case(
        puzzle="p22",
        mode=mode,
        title=title,
        steps=tuple(map(called, (DOCUMENTED, wide), _ENDS)),
        resolve=_instance(names, results, wide),
        within=_within(results),
        draw=lambda instance, generator: _random(instance.given, generator),
        **more,
    )


def _forward(algorithm: str, launches: Callable[[Extents], tuple[Launched, ...]]) -> Callable[[Extents, str], Host]:
    def called(extents: Extents, end: str) -> Host:
        arguments = " ".join(f"{name}{end}" for name in _FORWARD.split())
        parameters = ('"gpu"', f'"{algorithm}"', *map(str, extents))
        return Host("LayerNormLinearCustomOp.execute", arguments, parameters, launches(extents))

    return called


def _backward(extents: Extents, end: str) -> Host:
    arguments = " ".join(f"{name}{end}" for name in _BACKWARD.split())
    launched = Launched("minimal_fused_kernel_backward", grid=extents[:2])
    return Host("LayerNormLinearBackwardCustomOp.execute", arguments, ('"gpu"', *map(str, extents)), (launched,))


def _fused(extents: Extents) -> tuple[Launched, ...]:
    return (Launched("minimal_fused_kernel", grid=extents[:2]),)


def _unfused(extents: Extents) -> tuple[Launched, ...]:
    sequences, positions, hidden, out = extents
    tiles = {"rows": sequences * positions, "hidden": hidden, "out": out}
    blocks = {name: -(-extent // SIDE) for name, extent in tiles.items()}
    return (
        Launched("layernorm_kernel", grid=(sequences, positions), block=hidden),
        Launched("transpose_kernel", grid=(blocks["hidden"], blocks["out"]), block=(SIDE, SIDE)),
        Launched("matmul_idiomatic_tiled", grid=(blocks["out"], blocks["rows"]), block=(SIDE, SIDE)),
        Launched("add_bias_kernel", grid=(sequences, positions), block=out),
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
        oracle=_results,
        printed=_printed,
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
        oracle=_results,
        printed=_printed,
        claims=(
            _stored(0, "what is normalised goes to global memory", _POSITIONS * DOCUMENTED[2]),
            _stored(1, "the transposed matrix goes to global memory", DOCUMENTED[2] * DOCUMENTED[3]),
            _stored(2, "the product goes to global memory", _POSITIONS * DOCUMENTED[3]),
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
        _WIDE_BACKWARD,
        oracle=_gradients,
        printed=_printed_gradients,
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
