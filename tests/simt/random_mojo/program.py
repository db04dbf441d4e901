"""A whole kernel, its launch, and a file of several."""

import numpy as np

from tests.simt.random_mojo.aggregates import DEFINITIONS
from tests.simt.random_mojo.expressions import BLOCK, LARGEST, SIZES, THREADS, TOTALS, VARIABLES, State
from tests.simt.random_mojo.maker import Maker
from tests.simt.random_mojo.statements import indented

HEADER = """\"\"\"Random kernels.\"\"\"

from layout import TileTensor
from layout.tile_layout import row_major
from layout.tile_tensor import stack_allocation
from max.gpu import barrier, block_idx, thread_idx
from max.gpu.memory import AddressSpace
from max.gpu.primitives.warp import shuffle_xor
from std.atomic import Atomic
from std.builtin.device_passable import DevicePassable, DeviceTypeEncoder

"""


class Program:
    """A kernel `kernel_N(results, floats, halves, totals, inputs, settings)`."""

    def __init__(self, seed):
        self.seed = seed
        maker = Maker(seed)
        self.settings = maker.settings
        self.body = maker.block(0, 8, uniform=True)

    def source(self):
        """The kernel in Mojo."""
        width = len(VARIABLES)
        parameters = [
            f"    {name}: TileTensor[mut={name != 'inputs'}, DType.{dtype}, "
            f"type_of(row_major[{size}]()), "
            f"{'Immut' if name == 'inputs' else 'Mut'}AnyOrigin],"
            for name, (dtype, size) in SIZES.items()
        ]
        lines = [
            f"def kernel_{self.seed}(",
            *parameters,
            "    settings: Settings,",
            "):",
            "    var shared = stack_allocation[",
            "        dtype=DType.int32, address_space=AddressSpace.SHARED",
            f"    ](row_major[{BLOCK}]())",
            "    var thread = Int(thread_idx.x)",
            f"    var i = Int(block_idx.x) * {BLOCK} + thread",
            "    var a = inputs[2 * i]",
            "    var b = inputs[2 * i + 1]",
        ]
        for name, dtype in VARIABLES.items():
            if name > "b":
                masked = f"(b & {LARGEST[dtype]})" if "float" in dtype else "b"
                lines.append(f"    var {name} = {masked}.cast[DType.{dtype}]()")
        lines += indented(self.body)
        lines += [
            f"    results[{width} * i + {place}] = {name}.cast[DType.int64]()" for place, name in enumerate(VARIABLES)
        ]
        lines += ["    floats[i] = f * 0.25", "    halves[i] = h * 0.5"]
        return "\n".join(lines)

    def inputs(self):
        """Two whole numbers for each thread."""
        rng = np.random.default_rng(self.seed)
        values = rng.integers(-(2**31), 2**31, 2 * THREADS).astype(np.int32)
        small = rng.random(len(values)) < 0.6
        values[small] = rng.integers(-40, 300, small.sum())
        return values

    def arguments(self):
        """What comes after the outputs."""
        return [self.inputs(), self.settings.argument()]

    def outputs(self):
        """Arrays for a launch, in the order of the parameters."""
        return [
            np.full(THREADS * len(VARIABLES), -1, np.int64),
            np.full(THREADS, np.nan, np.float32),
            np.full(THREADS, np.nan, np.float16),
            np.zeros(TOTALS, np.int32),
        ]

    def evaluate(self):
        """What NumPy makes of the program: the same arrays as `outputs`, filled."""
        a, b = self.inputs().reshape(-1, 2).T.copy()
        values = {"a": a, "b": b}
        for name, dtype in VARIABLES.items():
            if name > "b":
                start = b & LARGEST[dtype] if "float" in dtype else b
                values[name] = start.astype(dtype)
        state = State(values, np.zeros(TOTALS, np.int32), np.arange(THREADS))
        everyone = np.ones(THREADS, bool)
        for one in self.body:
            one.run(state, everyone)
        columns = [state.values[name].astype(np.int64) for name in VARIABLES]
        f, h = state.values["f"], state.values["h"]
        return [np.stack(columns, 1).ravel(), f * np.float32(0.25), h * np.float16(0.5), state.totals]


def module_source(programs):
    """A Mojo file with all kernels."""
    return HEADER + DEFINITIONS + "\n\n\n".join(one.source() for one in programs) + "\n"
