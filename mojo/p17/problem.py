"""Puzzle 17: a MAX graph that calls the op of the Mojo file beside this one."""

from pathlib import Path

import numpy as np
from max.driver import CPU, Buffer, Device
from max.dtype import DType
from max.engine import InferenceSession
from max.graph import DeviceRef, Graph, TensorType, ops


def conv_1d(input: np.ndarray, kernel: np.ndarray, session: InferenceSession, device: Device) -> Buffer:
    """Convolves a vector on a device, through a graph with one custom op.

    Args:
        input: The vector, float32.
        kernel: The weights, float32.
        session: Compiles the graph.
        device: Where the op runs.

    Returns:
        The weighted sums, of the vector's shape, in the host's memory.
    """
    dtype, ref = DType.float32, DeviceRef.from_device(device)
    input_tensor = Buffer.from_numpy(input).to(device)
    kernel_tensor = Buffer.from_numpy(kernel).to(device)
    with Graph(
        "conv_1d_graph",
        input_types=[
            TensorType(dtype, shape=input_tensor.shape, device=ref),
            TensorType(dtype, shape=kernel_tensor.shape, device=ref),
        ],
        custom_extensions=[Path(__file__).parent / "op"],
    ) as graph:
        # FILL ME IN: the graph's two inputs, the op that takes them, and its result: about 15 lines
        pass
        # END OF FILL ME IN
    model = session.load(graph)
    result = model.execute(input_tensor, kernel_tensor)[0]
    return result.to(CPU())
