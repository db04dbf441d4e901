"""Case of puzzle 19: attention as a custom op of MAX."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import MAX_OPS
from harness.model.case import (
    Arrays,
    Case,
    CounterClaim,
    Dataset,
    ExpectedLaunch,
    Graph,
    HostStep,
    Instance,
    TensorArgument,
    Within,
)
from harness.model.handout import Complete
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(MAX_OPS, ("p16", "p18"))

SEQ_LEN = D = SIDE = 16  # elements of a key and keys, and the threads in x and in y of a block
_RESULT = 3  # the launch that writes it
_LARGEST = {"q": 1, "k": 2, "v": 2}  # of what is drawn, so that several weights count
_WITHIN = Within(
    1e-5,
    1e-5,
    "a tenth of the documents' own. Scores of what is drawn are exact. A power of x is off by x * 2^-24 and a few of "
    "2^-23, and the larger x is, the less it weighs; each sum of up to 16 adds 16 of 2^-24: together below 3e-6 of the "
    "largest value, which is 2, or in the documents 0.4",
)


def _draw_inputs(shapes: dict[str, tuple[int, ...]], generator: np.random.Generator) -> dict[str, np.ndarray]:
    """Draw float32 odd multiples of 1/16 of both signs by name: magnitudes below 1 for `q`, below 2 for `k` and `v`."""
    most = {name: _LARGEST[name] * 8 for name in shapes}
    return {
        name: ((generator.integers(-most[name], most[name], shape) * 2 + 1) / 16).astype(np.float32)
        for name, shape in shapes.items()
    }


def _documented(shapes: dict[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    state = np.random.RandomState(42)
    return {name: state.randn(*shape).astype(np.float32) * np.float32(0.1) for name, shape in shapes.items()}


def _set_first_elements(arrays: Arrays, **changed: float) -> dict[str, np.ndarray]:
    """Return a copy of the data with the first element of the query, or of each key, set to a value given by name."""
    copies = {name: array.copy() for name, array in arrays.items()}
    for name, value in changed.items():
        copies[name][..., 0] = value
    return copies


def _datasets(shapes: dict[str, tuple[int, ...]]) -> tuple[Dataset, ...]:
    random = _draw_inputs(shapes, np.random.default_rng(19))
    one_key = {name: array.copy() for name, array in random.items()}
    one_key["k"][:] = 0
    one_key["k"][5] = 64 * np.sign(random["q"])
    flat = {name: np.zeros_like(array) if name == "q" else array for name, array in random.items()}
    return (
        Dataset("documented", _documented(shapes), "the documents' own data"),
        Dataset("random-19", random, "the mean of the values, which is near where scores are small; scores divided"),
        Dataset(
            "far-right", _set_first_elements(random, q=32, k=32), "powers of the scores themselves, which are too large"
        ),
        Dataset("far-left", _set_first_elements(random, q=32, k=-32), "a largest score that begins at zero"),
        Dataset("alike", flat, "weights that leave keys out, or count such as are not there"),
        Dataset("one-key", one_key, "a value that is taken for another"),
    )


def _attention(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    q, k, v = (inputs[name].astype(np.float64) for name in "qkv")
    scores = k @ q
    powers = np.exp(scores - scores.max())
    return {"output": np.asarray(powers @ v / powers.sum())}


def _print_lines(_width: int, actual: np.ndarray, expected: np.ndarray, ok: bool) -> Sequence[str]:
    lines = (
        f"GPU attention output[:5]: {actual[:5]}",
        f"Expected output[:5]: {expected[:5].astype(np.float32)}",
        f"GPU matches NumPy: {np.allclose(actual, expected, rtol=1e-4, atol=1e-4)}",
    )
    return (*lines, "✓ GPU implementation PASSED") if ok else lines


def _make_case(seq_len: int, d: int, transpose_side: int, matmul_side: int, **first: float) -> Case:
    """Make the case of `seq_len` keys of `d` elements; one block of `SIDE` threads computes the softmax. Sizes
    other than the documented ones have no data sets.

    Args:
        seq_len: The number of keys.
        d: The elements of a key.
        transpose_side: The threads in x and in y of a block that transposes.
        matmul_side: The threads in x and in y of a block that multiplies.
        first: The first element of the query (`q`) or of each key (`k`) in drawn data; random if left out.
    """
    shapes: dict[str, tuple[int, ...]] = {"q": (d,), "k": (seq_len, d), "v": (seq_len, d)}
    documented = (seq_len, d) == (SEQ_LEN, D)

    def instance(width: int) -> Instance:
        return Instance(
            width=width,
            arguments=(
                TensorArgument("output", "output", (d,), form="op"),
                *(TensorArgument(name, "input", shape, form="op") for name, shape in shapes.items()),
            ),
            constants={
                "SEQ_LEN": seq_len,
                "D": d,
                "TRANSPOSE_BLOCK_DIM_XY": transpose_side,
                "MATMUL_BLOCK_DIM_XY": matmul_side,
                # The file makes it of `SEQ_LEN`, and not too small: that is judged at a further launch.
                **({"SOFTMAX_BLOCK_DIM_X": SIDE} if documented else {}),
            },
            datasets=_datasets(shapes) if documented else (),
        )

    tile = (matmul_side, matmul_side)
    return Case(
        puzzle="p19",
        mode=None,
        title="attention as an op of MAX",
        steps=(
            HostStep(
                "AttentionCustomOp.execute",
                "output q k v",
                ('"gpu"', str(seq_len), str(d)),
                (
                    ExpectedLaunch(
                        "transpose_kernel",
                        grid=(-(-d // transpose_side), -(-seq_len // transpose_side)),
                        block=(transpose_side, transpose_side),
                    ),
                    ExpectedLaunch("matmul_idiomatic_tiled", grid=-(-seq_len // matmul_side), block=tile),
                    ExpectedLaunch("softmax_gpu_kernel", block=SIDE),
                    ExpectedLaunch("matmul_idiomatic_tiled", grid=-(-d // matmul_side), block=tile),
                ),
            ),
        ),
        resolve=instance,
        oracle=_attention,
        draw=lambda _instance, generator: _set_first_elements(_draw_inputs(shapes, generator), **first),
        within={"output": _WITHIN},
        printed=_print_lines,
        graph=Graph(
            "attention",
            "attention",
            "q k v",
            parameters={"seq_len": seq_len, "d": d},
            defaults={"dtype": np.dtype(np.float32)},
            devices=("gpu", "cpu"),
            handout=Complete(),
        ),
        claims=(
            CounterClaim(
                "the tile that is turned lies in shared memory",
                "shared_bytes_per_block",
                lambda _: transpose_side * transpose_side * 4,
            ),
            CounterClaim(
                "the keys are read along their rows, and written along the rows that they become",
                "coalescing",
                lambda _: 1,
                why="what the threads of a warp touch side by side comes in few transactions",
            ),
            CounterClaim("each element is written once", "writes_per_output_element", lambda _: 1, step=_RESULT),
        ),
    )


# In the documents there are as many keys as elements, which hides a matrix that lies the wrong way round, and no block
# has an idle thread. Scores far below zero show a largest score that begins at zero in a thread without a key.
_FURTHER = _make_case(seq_len=11, d=22, transpose_side=8, matmul_side=4, q=32, k=-32)
_REDEFINED = {"SEQ_LEN": 11, "D": 22, "TRANSPOSE_BLOCK_DIM_XY": 8, "MATMUL_BLOCK_DIM_XY": 4}
CASES = (with_further(_make_case(SEQ_LEN, D, SIDE, SIDE), make_further(_FURTHER, _REDEFINED)),)
