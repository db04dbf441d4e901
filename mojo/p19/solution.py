"""Puzzle 19: a MAX graph that calls the op of the Mojo file beside this one, on a GPU or on the processor."""

from pathlib import Path

import numpy as np
from max.driver import CPU, Buffer, Device
from max.dtype import DType
from max.engine import InferenceSession
from max.graph import DeviceRef, Graph, TensorType, ops


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, session: InferenceSession, device: Device) -> Buffer:
    """Weighs values by how much a query is like their keys, on a device, through a graph with one custom op.

    Args:
        q: The query, float32, shape (d).
        k: The keys, float32, shape (seq_len, d).
        v: The values, float32, shape (seq_len, d).
        session: Compiles the graph.
        device: Where the op runs.

    Returns:
        The weighted sum of the values, shape (d), in the host's memory.
    """
    dtype, ref = DType.float32, DeviceRef.from_device(device)
    seq_len, d = k.shape
    tensors = [Buffer.from_numpy(array).to(device) for array in (q, k, v)]
    with Graph(
        "attention_graph",
        input_types=[TensorType(dtype, shape=tensor.shape, device=ref) for tensor in tensors],
        custom_extensions=[Path(__file__).parent / "op"],
    ) as graph:
        output = ops.custom(
            name="attention",
            device=ref,
            values=list(graph.inputs),
            out_types=[TensorType(dtype, shape=(d,), device=ref)],
            parameters={"seq_len": seq_len, "d": d, "dtype": dtype},
        )[0].tensor
        graph.output(output)
    model = session.load(graph)
    result = model.execute(*tensors)[0]
    return result.to(CPU())
