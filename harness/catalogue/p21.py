"""Case of puzzle 21: an embedding, with coalesced accesses and without."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from harness.catalogue.data import ScalableDraw, random_fractions
from harness.catalogue.further import make_further, with_further
from harness.catalogue.parts import TORCH_OPS
from harness.catalogue.promises import WRITTEN_ONCE
from harness.catalogue.sizes import at_sizes, lazy_inputs
from harness.model.case import (
    Arrays,
    Case,
    CounterClaim,
    Dataset,
    ExpectedLaunch,
    HostStep,
    Instance,
    TensorArgument,
)
from harness.model.place import CoursePlace

__all__ = ["CASES", "PLACE"]

PLACE = CoursePlace(TORCH_OPS, ("p07", "p17"))

SECTOR = 32 // 4  # elements that the memory moves together

# Sequences, positions of each, rows of the table, and elements of a row.
Extents = tuple[int, int, int, int]
DOCUMENTED: Extents = (8, 512, 10000, 512)
_SMALL: Extents = (8, 8, 100, 64)
# In the documents every block is full: with these the last one of each axis is not.
_ODD: Extents = (2, 13, 17, 10)

# Threads of a block in a row, and of one in a plane in x and in y.
Blocks = tuple[int, int, int]
_BLOCKS: Blocks = (256, 16, 16)
# So much wider than high that what is taken for the other leaves elements out, whichever it is.
_ODD_BLOCKS: Blocks = (36, 6, 4)
SIDE = _BLOCKS[1]


def _positions(extents: Extents) -> int:
    return extents[0] * extents[1]


def _called(struct: str, extents: Extents, result: str, launched: ExpectedLaunch) -> HostStep:
    return HostStep(f"{struct}.execute", f"{result} indices weights", ('"gpu"', *map(str, extents)), (launched,))


def _in_a_row(extents: Extents, blocks: Blocks) -> HostStep:
    grid = -(-_positions(extents) * extents[3] // blocks[0])
    launched = ExpectedLaunch("embedding_kernel_coalesced", grid=grid, block=blocks[0])
    return _called("EmbeddingCustomOp", extents, "output", launched)


def _in_a_plane(extents: Extents, blocks: Blocks) -> HostStep:
    _, x, y = blocks
    grid = -(-_positions(extents) // x), -(-extents[3] // y)
    launched = ExpectedLaunch("embedding_kernel_2d", grid=grid, block=(x, y))
    return _called("Embedding2DCustomOp", extents, "output_2d", launched)


def _table(extents: Extents, seed: int, infinite: tuple[int, ...] = ()) -> np.ndarray:
    table = random_fractions(extents[2:], seed, addends=1)
    table[list(infinite)] = np.inf
    return table


def _documented_indices(extents: Extents, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, extents[2], extents[:2], np.int32)


def _repeat_rows(extents: Extents, numbers: Callable[[int], Sequence[int]]) -> np.ndarray:
    """Return row numbers in the given order, repeated to the shape of the indices.

    Args:
        extents: The extents of the case.
        numbers: Returns the row numbers for a table of so many rows.
    """
    return np.resize(np.array(numbers(extents[2]), np.int32), extents[:2])


def _ends(rows: int) -> Sequence[int]:
    return (0, rows - 1, rows - 1, 0, rows // 2)


def _outside(rows: int) -> Sequence[int]:
    return (-1, rows, 1, -rows, rows - 2, 2**31 - 1, -(2**31))


def _make_dataset(
    name: str, extents: Extents, indices: Callable[[Extents], np.ndarray], catches: str, *rows: int
) -> Dataset:
    """Make a data set of the row numbers that `indices` returns and of a table, each computed when it is first read.

    In the table, `rows` (-1 is the last row) hold infinities; the other rows hold fractions that are always the same.
    """
    inputs = lazy_inputs(indices=partial(indices, extents), weights=partial(_table, extents, 21, rows))
    return Dataset(name, inputs, catches)


def _instance(extents: Extents, blocks: Blocks, width: int) -> Instance:
    return Instance(
        width=width,
        arguments=(
            *(
                TensorArgument(result, "output", (*extents[:2], extents[3]), form="op")
                for result in ("output", "output_2d")
            ),
            TensorArgument("indices", "input", extents[:2], np.dtype(np.int32), form="op"),
            TensorArgument("weights", "input", extents[2:], form="op"),
        ),
        constants=_constants(blocks),
        datasets=(
            _make_dataset(
                "documented",
                extents,
                partial(_documented_indices, seed=42),
                "the documents' own data, which are random",
            ),
            _make_dataset(
                "ends", extents, partial(_repeat_rows, numbers=_ends), "a first or last row that counts as outside"
            ),
            _make_dataset(
                "outside",
                extents,
                partial(_repeat_rows, numbers=_outside),
                "an index that is not checked on both sides",
            ),
            _make_dataset(
                "outside-infinity",
                extents,
                partial(_repeat_rows, numbers=_outside),
                "zeros that are made by a product with a row that the index does not name",
                0,
                -1,
            ),
        ),
    )


def _constants(blocks: Blocks) -> dict[str, int]:
    return dict(zip(("THREADS_PER_BLOCK", "BLOCK_X", "BLOCK_Y"), blocks, strict=True))


def _look_up_rows(inputs: Arrays, _width: int) -> dict[str, np.ndarray]:
    indices, weights = inputs["indices"], inputs["weights"]
    inside = (indices >= 0) & (indices < len(weights))
    rows = np.where(inside[..., None], weights[np.where(inside, indices, 0)], 0).astype(np.float64)
    return {"output": rows, "output_2d": rows}


def _draw(instance: Instance, generator: np.random.Generator) -> dict[str, np.ndarray]:
    """Draw row numbers from -1 to the number of rows, so inside and outside of the table, and a table of fractions."""
    shapes = {tensor.name: tensor.shape for tensor in instance.initialized}
    indices = generator.integers(-1, shapes["weights"][0] + 1, shapes["indices"], np.int32)
    return {
        "indices": indices,
        "weights": random_fractions(shapes["weights"], int(generator.integers(1 << 32)), addends=1),
    }


def _print_lines(_width: int, actual: np.ndarray, expected: np.ndarray, ok: bool) -> Sequence[str]:
    with np.errstate(invalid="ignore"):
        furthest = [float(np.abs(part).max()) for part in np.split(actual - expected, 2)]
    return (
        "Testing Correctness...",
        f"   1D Coalesced - Max difference: {furthest[0]:.2e}",
        f"   2D Non-coalesced - Max difference: {furthest[1]:.2e}",
        "   ✅ Both implementations CORRECT" if ok else "   ❌ One or both implementations INCORRECT",
    )


def _make_claims(extents: Extents) -> tuple[CounterClaim, ...]:
    """Return the promises: each element is written once, and the sectors of results, rows and indices that warps
    access.

    Two promises are of the kernel in a row (step 0), two of the one in a plane (step 1).
    """
    elements = _positions(extents) * extents[3]

    def in_a_row(width: int) -> int:
        return elements // width * (2 * width // SECTOR + 1)

    def in_a_plane(width: int) -> int:
        together = _documented_indices(extents, 42).reshape(-1, SIDE)  # positions of a warp
        distinct_rows = sum(len(set(positions)) for positions in together.tolist())
        return (distinct_rows + len(together) * (SIDE + SIDE // SECTOR)) * extents[3] * SIDE // width

    return (
        WRITTEN_ONCE,
        CounterClaim("each element is written once in a plane too", "writes_per_output_element", lambda _: 1, step=1),
        CounterClaim(
            "a warp in a row touches neighbouring elements, and one index",
            "global_transactions",
            in_a_row,
            why="what a warp touches side by side the memory moves at once",
        ),
        CounterClaim(
            "a warp in a plane touches another row for each of 16 positions",
            "global_transactions",
            in_a_plane,
            why="the puzzle is about what it costs when lanes are a row apart",
            step=1,
        ),
    )


def _case(extents: Extents, blocks: Blocks) -> Case:
    return Case(
        puzzle="p21",
        mode=None,
        title="an embedding, with coalesced accesses and without",
        steps=(_in_a_row(extents, blocks), _in_a_plane(extents, blocks)),
        resolve=partial(_instance, extents, blocks),
        oracle=_look_up_rows,
        printed=_print_lines,
        printed_output="output output_2d",
        draw=ScalableDraw(_draw),
        claims=_make_claims(extents),
    )


def _at(positions: int) -> Case:
    extents = DOCUMENTED if positions == DOCUMENTED[1] else _SMALL
    return with_further(_case(extents, _BLOCKS), make_further(_case(_ODD, _ODD_BLOCKS), _constants(_ODD_BLOCKS)))


CASES = (at_sizes(_at, "SEQ_LEN", documented=DOCUMENTED[1], small=_SMALL[1]),)
