"""The child that compiles graphs with MAX for one target, and what it is sent: `GraphJob`, `GraphSpec`, `OpCall`.

MAX's virtual devices are process-wide, so a process compiles for one target and ends. It prints nothing of its own:
results go over its channel.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from harness.model.steps import Parameter
from harness.process import channel

__all__ = ["READY", "GraphJob", "GraphProduct", "GraphSpec", "OpCall"]

# A portable baseline for the host's part: a MEF built here runs on another machine.
HOST_CPU = "x86-64-v3"
READY = "ready"  # the first message: MAX is loaded and has the device; no failure before it is a kernel's


@dataclass(frozen=True, slots=True)
class OpCall:
    """A call of an op in a graph; it works in place, or gives results, which become the graph's outputs.

    Attributes:
        op: The name under which the op is registered.
        buffers: The numbers of the graph's buffers that it takes.
        parameters: Its compile-time parameters.
        scalars: Its scalars after the buffers, as (dtype name, value). A scalar whose value is None is an input of the
            graph, given at each execution in the host's memory, after the graph's buffers.
        results: The (shape, dtype name) of each result; empty if it works in place.
    """

    op: str
    buffers: tuple[int, ...]
    parameters: Mapping[str, Parameter]
    scalars: tuple[tuple[str, int | float | None], ...] = ()
    results: tuple[tuple[tuple[int, ...], str], ...] = ()


@dataclass(frozen=True, slots=True)
class GraphSpec:
    """The description of one graph of ops.

    Attributes:
        name: The graph's name.
        buffers: The (shape, dtype name, whether a kernel writes it) of each buffer.
        calls: The calls in the order of their execution.
    """

    name: str
    buffers: tuple[tuple[tuple[int, ...], str, bool], ...]
    calls: tuple[OpCall, ...]


@dataclass(frozen=True, slots=True)
class GraphJob:
    """Graphs to compile into one MEF file.

    Attributes:
        graphs: The graphs.
        packages: The precompiled Mojo packages, each after those it imports.
        out: The path of the MEF file.
        cpu_seconds: The processor time it may take; the process ends if it takes more.
    """

    graphs: tuple[GraphSpec, ...]
    packages: tuple[str, ...]
    out: str
    cpu_seconds: int


@dataclass(frozen=True, slots=True)
class GraphProduct:
    """The result of a job.

    Attributes:
        mlir: The MLIR of each graph before compilation, by name.
        error: The compiler's text if it failed, else empty.
    """

    mlir: dict[str, str]
    error: str = ""


def main() -> None:
    """Serve jobs for one target until the channel closes, then exit the process; sends `READY` first.

    `sys.argv` has the two file descriptors of the channel, the API (or `cpu`) and the architecture.
    """
    incoming, outgoing = map(int, sys.argv[1:3])
    device = _open_virtual_device(None if sys.argv[3] == "cpu" else sys.argv[3], sys.argv[4])
    channel.send(outgoing, READY)
    while True:
        try:
            job = channel.receive(incoming)
        except channel.ClosedError:
            break
        _limit_cpu_time(job.cpu_seconds)
        channel.send(outgoing, _compile(device, job))
    os._exit(0)  # the runtime's own shutdown has nothing to do here and can fail


def _limit_cpu_time(cpu_seconds: int) -> None:
    """Give this process `cpu_seconds` more of the processor; it dies of SIGPROF after that.

    A timer, not the system's limit: LLVM takes the signal of that one for a crash, and sometimes hangs when it reports
    it.
    """
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds)


def _open_virtual_device(api: str | None, architecture: str) -> Any:
    """Return a virtual GPU of MAX for an architecture, and import the engine; the host's CPU if `api` is None.

    It sets MAX's virtual devices for the whole process. SystemExit if MAX gives another device.
    """
    from max import driver

    if sys.platform == "linux" and os.uname().machine == "x86_64":
        driver.set_virtual_cpu_target(HOST_CPU)
    if api is None:
        return driver.CPU()
    driver.set_virtual_device_api(api)
    driver.set_virtual_device_target_arch(architecture)
    driver.set_virtual_device_count(1)
    device = driver.Accelerator()
    # Set too late, or ignored, the settings above would compile for another GPU.
    actual = (device.api, device.architecture_name)
    if actual != (api, architecture):
        raise SystemExit(f"asked MAX for a virtual {api} {architecture}, but got {actual}")
    import max.engine
    import max.graph  # noqa: F401 - while the parent still precompiles the packages

    return device


def _compile(device: Any, job: GraphJob) -> GraphProduct:
    """Compile the graphs of a job to its file; the product has MLIR and, if that fails, the innermost error's text."""
    from max.engine import InferenceSession
    from max.graph import Module

    packages = [Path(name) for name in job.packages]
    mlir: dict[str, str] = {}
    try:
        module = Module()
        for spec in job.graphs:
            _add_graph(spec, device, packages, module)
        mlir = _split_graphs(str(module.mlir_module), [spec.name for spec in job.graphs])
        compiled = InferenceSession(devices=[device]).compile(module, custom_extensions=packages)
        compiled.export_mef(job.out)
    except Exception as error:  # of any kind: MAX has none of its own for a kernel that does not compile
        # MAX's outer text only says that it failed; the compiler's is in the cause.
        inner: BaseException = error
        while inner.__cause__ is not None:
            inner = inner.__cause__
        return GraphProduct(mlir, str(inner) or repr(error))
    return GraphProduct(mlir)


def _add_graph(spec: GraphSpec, device: Any, packages: list[Path], module: Any) -> None:
    """Build one graph in a module: its inputs are the buffers, then the scalars without a value."""
    from max.dtype import DType
    from max.graph import BufferType, DeviceRef, Graph, TensorType, ops

    ref = DeviceRef.from_device(device)
    types = [
        (BufferType if written else TensorType)(DType[dtype], shape, device=ref)
        for shape, dtype, written in spec.buffers
    ]
    host = DeviceRef.CPU()
    scalar_types = [
        TensorType(DType[dtype], (), host) for call in spec.calls for dtype, value in call.scalars if value is None
    ]
    with Graph(spec.name, input_types=[*types, *scalar_types], custom_extensions=packages, module=module) as graph:
        buffers, scalars = graph.inputs[: len(types)], iter(graph.inputs[len(types) :])
        values = [
            value.buffer if written else value.tensor
            for value, (_, _, written) in zip(buffers, spec.buffers, strict=True)
        ]
        outputs = []
        for call in spec.calls:
            operands = [values[number] for number in call.buffers]
            for dtype, value in call.scalars:
                operands.append(next(scalars).tensor if value is None else ops.constant(value, DType[dtype], host))
            parameters = {
                name: DType.from_numpy(value) if isinstance(value, np.dtype) else value
                for name, value in call.parameters.items()
            }
            out_types = [TensorType(DType[dtype], shape, device=ref) for shape, dtype in call.results]
            custom = ops.custom if out_types else ops.inplace_custom
            outputs += custom(call.op, device=ref, values=operands, out_types=out_types, parameters=parameters)
        graph.output(*outputs)


def _split_graphs(text: str, names: list[str]) -> dict[str, str]:
    """Return the MLIR of the named graphs of a module, by name; without their indent and the paths of packages."""
    graphs = {}
    chunks = text.split("  mo.graph @")
    for chunk in chunks[1:]:
        name = chunk.split("(", 1)[0]
        if name in names:
            body = chunk.split("\n  }", 1)[0]
            lines = ["mo.graph @" + body, "}"]
            graph_text = "\n".join(lines).replace("\n  ", "\n")
            # Where the packages lay while it was compiled is gone by now.
            graphs[name] = re.sub(r"_kernel_library_paths = \[[^]]*\], ", "", graph_text)
    return graphs


if __name__ == "__main__":
    # Run as a script this module is `__main__`, but the messages name the importable one.
    from harness.build.max_compiler import main as served

    served()
