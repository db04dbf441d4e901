"""An op that is called by a graph of MAX, with its case: on a GPU, and on the host's processor."""

from __future__ import annotations

import numpy as np

from harness.model.case import Case, Dataset, ExpectedLaunch, Graph, HostStep, Instance, TensorArgument

__all__ = ["CASE", "SIZE", "text"]

SIZE = 6
_OP = """
from extensibility import InputTensor, OutputTensor, register
from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from std.utils import IndexList


def scale_kernel(output: UnsafePointer[Float32, MutAnyOrigin], values: UnsafePointer[Float32, MutAnyOrigin]):
    output[thread_idx.x] = values[thread_idx.x] * 2


@register("scale")
struct Scale:
    @staticmethod
    def execute[target: StaticString, size: Int, way: StaticString, dtype: DType = DType.float32](
        output: OutputTensor[rank=1, static_spec=_],
        values: InputTensor[dtype=output.dtype, rank=output.rank, static_spec=_],
        ctx: DeviceContext,
    ) raises:
        comptime if target == "gpu":
            ctx.enqueue_function[scale_kernel](
                output.unsafe_ptr().bitcast[Float32](),
                values.unsafe_ptr().bitcast[Float32](),
                grid_dim=1,
                block_dim=size,
            )
        else:
            for i in range(size):
                output.store(IndexList[1](i), values.load[1](IndexList[1](i)) * FACTOR)
"""


def _instance(width: int) -> Instance:
    values = np.arange(SIZE, dtype=np.float32)
    return Instance(
        width=width,
        arguments=(TensorArgument("output", "output", (SIZE,)), TensorArgument("values", "input", (SIZE,))),
        datasets=(Dataset("counted", {"values": values}, "nothing"), Dataset("halved", {"values": values / 2}, "ints")),
    )


CASE = Case(
    puzzle="p98",
    mode=None,
    title="scale",
    steps=(HostStep("Scale.execute", "output values", launches=(ExpectedLaunch("scale_kernel", block=SIZE),)),),
    resolve=_instance,
    oracle=lambda inputs, _width: {"output": inputs["values"].astype(np.float64) * 2},
    printed=lambda *_: (),
    graph=Graph(
        "scaled",
        "scale",
        "values",
        parameters={"size": SIZE, "way": "fast"},
        defaults={"dtype": np.dtype(np.float32)},
        devices=("gpu", "cpu"),
    ),
)


def text(factor: str) -> str:
    """The op's file; on the host's processor it multiplies by that."""
    return _OP.replace("FACTOR", factor)
