"""Mistakes of puzzles 9 and 17 to 23: programs to mend, ops of MAX, their hosts and graphs, and functional patterns."""

from __future__ import annotations

from tests.learning.collection.entry import Entry

__all__ = ["OPS"]

_CHUNK = "var here = Coord(begin + group * simd_width)"
_LAUNCH = 'elementwise[simd_width, target="gpu"](add, Coord(size), ctx)'

OPS = (
    Entry("p09:first-case", "one-further", "a[i] + 10", "a[i + 1] + 10", "index", "a[i + 1]", "output[0]|[1]"),
    Entry("p09:first-case", "threads-short", "dim=THREADS_PER_BLOCK", "dim=THREADS_PER_BLOCK - 1", "launch", ""),
    Entry("p09:second-case", "shifted", "+ step - 1", "+ step - 2", "include", "step - 2|a[place]", "output["),
    Entry(
        "p09:second-case", "first-left-out", "if 0 <= place", "if 0 < place", "include", "total +=|0 < place", "a[0]"
    ),
    Entry(
        "p09:third-case",
        "no-barrier-after-load",
        "    barrier()\n\n    var before",
        "    var before",
        "barrier",
        "shared[i - 1]",
        "shared",
    ),
    Entry(
        "p09:third-case",
        "one-too-many",
        "if i < SIZE - 1:\n        shared[i] = a",
        "if i < SIZE:\n        shared[i] = a",
        "guard",
        "shared[i] = a[i]",
        "shared[3]",
    ),
    # The convolution.
    Entry(
        "p17", "edge-left-out", "if local_i < conv_size - 1:", "if local_i < conv_size - 2:", "fill", "shared_input["
    ),
    Entry(
        "p17",
        "no-barrier",
        "    barrier()\n\n    if global_i < input_size:\n        var sum",
        "    if global_i < input_size:\n        var sum",
        "barrier",
        "sum += shared_input",
        "shared_input",
    ),
    Entry(
        "p17",
        "unguarded",
        "input[global_i] if global_i < input_size else 0",
        "input[global_i]",
        "guard",
        "input[global_i]",
    ),
    Entry(
        "p17",
        "array-of-a-block",
        "row_major[TPB + conv_size - 1]()",
        "row_major[TPB]()",
        "size",
        "shared_input",
        "input",
    ),
    Entry("p17", "weights-reversed", "shared_kernel[j]", "shared_kernel[conv_size - 1 - j]", "weight", "- 1 - j]"),
    Entry(
        "p17",
        "first-weight-left-out",
        "range(conv_size)",
        "range(1, conv_size)",
        "include",
        "sum +=|range(1",
        "output[0]",
    ),
    Entry("p17", "weights-from-the-data", "](kernel.unsafe_ptr()", "](input.unsafe_ptr()", "include", "", "kernel[0]"),
    Entry("p17", "fewer-threads", "block_dim=(TPB, 1)", "block_dim=(TPB - 1, 1)", "launch", ""),
    Entry("p17", "blocks-for-elements", "grid_dim=BLOCKS_PER_GRID", "grid_dim=input_size", "launch", ""),
    Entry("p17", "names-another-op", 'name="conv1d"', 'name="conv_1d"', "graph", "ops.custom(", python=True),
    Entry(
        "p17", "inputs-swapped", "[input_value, kernel_value]", "[kernel_value, input_value]", "graph", "", python=True
    ),
    # The softmax.
    Entry(
        "p18",
        "no-barrier-after-load",
        "    barrier()\n\n    var stride",
        "    var stride",
        "barrier",
        "shared_max[local_i",
        "shared_max",
    ),
    Entry(
        "p18",
        "sum-starts-too-low",
        "    stride = BLOCK_DIM_X // 2",
        "    stride = BLOCK_DIM_X // 4",
        "include",
        "stride",
    ),
    Entry("p18", "own-sum", "power / shared_sum[0]", "power / shared_sum[local_i]", "index", "shared_sum[local_i]"),
    Entry("p18", "wrong-parameter", '"input_size": input_tensor.shape[0]', '"input_size": 1', "graph", "", python=True),
    Entry("p18", "not-executed", "model.execute(input_tensor)[0]", "model.execute()[0]", "graph", "", python=True),
    # The attention.
    Entry(
        "p19", "tile-not-turned", "tile[local_col, local_row]", "tile[local_row, local_col]", "index", "tile[local_row"
    ),
    Entry(
        "p19",
        "no-barrier",
        "    barrier()\n\n    # Neighbours in x",
        "    # Neighbours in x",
        "barrier",
        "tile[",
        "tile",
    ),
    Entry(
        "p19", "no-guard", "if row < rows and col < cols:", "if True:", "guard", "inp[row, col]", "inp[", further=True
    ),
    Entry(
        "p19",
        "softmax-left-out",
        "grid_dim=softmax_blocks_per_grid",
        "grid_dim=2 * softmax_blocks_per_grid",
        "launch",
        "",
    ),
    # The convolution again.
    Entry("p20", "no-halo", "if local_i < conv_size - 1:", "if local_i < 1:", "fill", "shared_input["),
    Entry(
        "p20", "one-weight-short", "range(conv_size)", "range(conv_size - 1)", "include", "sum +=|range(", "output[0]"
    ),
    # The embedding.
    Entry(
        "p21", "row-by-sequence", "divmod(global_idx, embed_dim)", "divmod(global_idx, seq_len)", "index", "", "output["
    ),
    Entry(
        "p21",
        "no-guard",
        "if global_idx >= batch_size * seq_len * embed_dim:",
        "if global_idx < 0:",
        "guard",
        "indices[",
        further=True,
    ),
    Entry("p21", "index-not-checked", "if 0 <= index < vocab_size:", "if True:", "guard", "weights[", "weights["),
    Entry("p21", "axes-swapped", "indices[batch_idx, seq_idx]", "indices[seq_idx, batch_idx]", "index", "indices[seq"),
    Entry("p21", "one-guard", " or embed_idx >= embed_dim:", ":", "guard", "weights[|output[", further=True),
    # The normalisation.
    Entry(
        "p22:unfused",
        "one-element-short",
        "in range(hidden_dim)",
        "in range(hidden_dim - 1)",
        "include",
        "sum +=|range(",
    ),
    Entry("p22:unfused", "first-scale", "ln_weight[hidden_idx]", "ln_weight[0]", "index", "ln_weight[0]|output["),
    Entry(
        "p22:fused",
        "no-bias",
        "rebind[Scalar[dtype]](linear_bias[out_idx])",
        "Scalar[dtype](0)",
        "include",
        "result",
        "bias[",
    ),
    Entry("p22:fused", "first-factors", "linear_weight[out_idx, h]", "linear_weight[0, h]", "index", "weight[0, h]"),
    Entry(
        "p22:backward",
        "one-result-short",
        "in range(output_dim):\n        _",
        "in range(output_dim - 1):\n        _",
        "include",
        "",
    ),
    # Functional patterns.
    Entry("p23:elementwise", "half-of-them", _LAUNCH, _LAUNCH.replace("size),", "size // 2),"), "write", "", "output"),
    Entry("p23:elementwise", "too-many", _LAUNCH, _LAUNCH.replace("size),", "size + 4),"), "guard", "a.load"),
    Entry(
        "p23:tiled",
        "first-tile-of-a",
        "a.tile[tile_size](Coord(tile))",
        "a.tile[tile_size](Coord(0))",
        "index",
        "first",
    ),
    Entry("p23:tiled", "half-of-a-tile", "0, tile_size, simd", "0, tile_size // 2, simd", "write", "", "output"),
    Entry("p23:manual-vectorized", "steps-of-one", _CHUNK, "var here = Coord(begin + group)", "write", "", "output"),
    Entry("p23:vectorized", "no-beginning", "Coord(begin + i)", "Coord(i)", "write", "", "output"),
)
