"""Puzzle 19: attention as a custom op of MAX; in the documents a key has as many elements as there are keys."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harness.catalogue.parts import MAX_OPS
from harness.model.case import (
    Arrays,
    Case,
    CounterClaim,
    Dataset,
    Graph,
    Host,
    Instance,
    Launched,
    TensorArgument,
    Within,
)
from harness.model.given import Complete
from harness.model.place import Place

__all__ = ["CASES", "PLACE"]

PLACE = Place(MAX_OPS, ("p16", "p18"))

SEQ_LEN = D = SIDE = 16  # elements of a key and keys, and the threads in x and in y of a block
# The op is called for other sizes too: as many keys as elements hide a matrix that lies the wrong way round.
SEQ_LEN_WIDE, D_WIDE = 12, 40
_SHAPES = {
    "q": (D,),
    "k": (SEQ_LEN, D),
    "v": (SEQ_LEN, D),
    "q_wide": (D_WIDE,),
    "k_wide": (SEQ_LEN_WIDE, D_WIDE),
    "v_wide": (SEQ_LEN_WIDE, D_WIDE),
}
_RESULT = 3  # the launch that writes it
_LARGEST = {"q": 1, "k": 2, "v": 2}  # of what is drawn, so that several weights count
_WITHIN = Within(
    1e-5,
    1e-5,
    "a tenth of the documents' own. Scores of what is drawn are exact. A power of x is off by x * 2^-24 and a few of "
    "2^-23, and the larger x is, the less it weighs; each sum of 16 adds 16 of 2^-24: together below 3e-6 of the "
    "largest value, which is 2, or in the documents 0.4",
)


def _called(seq_len: int, d: int, end: str = "") -> Host:
    across = -(-d // SIDE)
    return Host(
        "AttentionCustomOp.execute",
        f"output{end} q{end} k{end} v{end}",
        ('"gpu"', str(seq_len), str(d)),
        (
            Launched("transpose_kernel", grid=(across, 1), block=(SIDE, SIDE)),
            Launched("matmul_idiomatic_tiled", grid=1, block=(SIDE, SIDE)),
            Launched("softmax_gpu_kernel", grid=1, block=SIDE),
            Launched("matmul_idiomatic_tiled", grid=across, block=(SIDE, SIDE)),
        ),
    )


def _drawn(generator: np.random.Generator) -> dict[str, np.ndarray]:
    """Odd multiples of 1/16 of both signs."""
    most = {name: _LARGEST[name[0]] * 8 for name in _SHAPES}
    return {
        name: ((generator.integers(-most[name], most[name], shape) * 2 + 1) / 16).astype(np.float32)
        for name, shape in _SHAPES.items()
    }


def _documented() -> dict[str, np.ndarray]:
    state = np.random.RandomState(42)
    return {name: state.randn(*shape).astype(np.float32) * np.float32(0.1) for name, shape in _SHAPES.items()}


def _with(arrays: Arrays, **changed: float) -> dict[str, np.ndarray]:
    """Data with the first element of each query or key at a value."""
    made = {name: array.copy() for name, array in arrays.items()}
    for name, value in changed.items():
        for each in (name, f"{name}_wide"):
            made[each][..., 0] = value
    return made


def _datasets() -> tuple[Dataset, ...]:
    drawn = _drawn(np.random.default_rng(19))
    one = {name: array.copy() for name, array in drawn.items()}
    for name in ("k", "k_wide"):
        one[name][:] = 0
        one[name][5] = 64 * np.sign(drawn[name.replace("k", "q")])
    flat = {name: np.zeros_like(array) if name[0] == "q" else array for name, array in drawn.items()}
    return (
        Dataset("documented", _documented(), "the documents' own data"),
        Dataset("random-19", drawn, "the mean of the values, which is near where scores are small; scores divided"),
        Dataset("far-right", _with(drawn, q=32, k=32), "powers of the scores themselves, which are too large"),
        Dataset("far-left", _with(drawn, q=32, k=-32), "a largest score that begins at zero"),
        Dataset("alike", flat, "weights that leave keys out, or count such as are not there"),
        Dataset("one-key", one, "a value that is taken for another"),
    )


def _instance(width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            TensorArgument("output", "output", (D,), form="op"),
            TensorArgument("output_wide", "output", (D_WIDE,), form="op"),
            *(TensorArgument(name, "input", shape, form="op") for name, shape in _SHAPES.items()),
        ),
        constants={
            "SEQ_LEN": SEQ_LEN,
            "D": D,
            "TRANSPOSE_BLOCK_DIM_XY": SIDE,
            "MATMUL_BLOCK_DIM_XY": SIDE,
            "SOFTMAX_BLOCK_DIM_X": SIDE,
        },
        datasets=_datasets(),
    )


def _attention(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    def weighed(end: str) -> np.ndarray:
        q, k, v = (inputs[f"{name}{end}"].astype(np.float64) for name in "qkv")
        scores = k @ q
        powers = np.exp(scores - scores.max())
        return np.asarray(powers @ v / powers.sum())

    return {"output": weighed(""), "output_wide": weighed("_wide")}


def _printed(_width: int, got: np.ndarray, expected: np.ndarray, ok: bool) -> Sequence[str]:
    lines = (
        f"GPU attention output[:5]: {got[:5]}",
        f"Expected output[:5]: {expected[:5].astype(np.float32)}",
        f"GPU matches NumPy: {np.allclose(got, expected, rtol=1e-4, atol=1e-4)}",
    )
    return (*lines, "✓ GPU implementation PASSED") if ok else lines


CASES = (
    Case(
        puzzle="p19",
        mode=None,
        title="attention as an op of MAX",
        steps=(_called(SEQ_LEN, D), _called(SEQ_LEN_WIDE, D_WIDE, "_wide")),
        resolve=_instance,
        oracle=_attention,
        draw=lambda _instance, generator: _drawn(generator),
        within={"output": _WITHIN, "output_wide": _WITHIN},
        printed=_printed,
        graph=Graph(
            "attention",
            "attention",
            "q k v",
            parameters={"seq_len": SEQ_LEN, "d": D},
            defaults={"dtype": np.dtype(np.float32)},
            devices=("gpu", "cpu"),
            given=Complete(),
        ),
        claims=(
            CounterClaim(
                "the tile that is turned lies in shared memory",
                "shared_bytes_per_block",
                lambda _: SIDE * SIDE * 4,
            ),
            CounterClaim(
                "the keys are read along their rows, and written along the rows that they become",
                "coalescing",
                lambda _: 1,
                why="what the threads of a warp touch side by side comes in few transactions",
            ),
            CounterClaim("each element is written once", "writes_per_output_element", lambda _: 1, step=_RESULT),
        ),
    ),
)
