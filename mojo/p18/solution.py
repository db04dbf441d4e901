"""Puzzle 18: a MAX graph that calls the op of the Mojo file beside this one, on a GPU or on the processor."""

from pathlib import Path

import numpy as np
from max.driver import CPU, Buffer, Device
from max.dtype import DType
from max.engine import InferenceSession
from max.graph import DeviceRef, Graph, TensorType, ops


def softmax(input: np.ndarray, session: InferenceSession, device: Device) -> Buffer:
    """Takes the softmax of a vector on a device, through a graph with one custom op.

    Args:
        input: The vector, float32.
        session: Compiles the graph.
        device: Where the op runs.

    Returns:
        The shares of the elements, of the vector's shape, in the host's memory.
    """
    dtype, ref = DType.float32, DeviceRef.from_device(device)
    input_tensor = Buffer.from_numpy(input).to(device)
    with Graph(
        "softmax_graph",
        input_types=[TensorType(dtype, shape=input_tensor.shape, device=ref)],
        custom_extensions=[Path(__file__).parent / "op"],
    ) as graph:
        # FILL ME IN: the graph's input, the op that takes it, and its result: about 10 lines
        input_value = graph.inputs[0]
        output = ops.custom(
            name="softmax",
            device=ref,
            values=[input_value],
            out_types=[TensorType(dtype, shape=input_value.tensor.shape, device=ref)],
            parameters={"input_size": input_tensor.shape[0], "dtype": dtype},
        )[0].tensor
        graph.output(output)
        # END OF FILL ME IN
    # FILL ME IN: the graph compiled, and executed on the vector: 2 lines
    model = session.load(graph)
    result = model.execute(input_tensor)[0]
    # END OF FILL ME IN
    return result.to(CPU())
