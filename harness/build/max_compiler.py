"""The child that compiles graphs with MAX: one target for each process.

MAX's virtual devices are process-wide, so a process compiles for one target
and ends.  It prints nothing of its own: results go over its channel.
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

__all__ = ["READY", "GraphSpec", "Job", "OpCall", "Product"]

# A portable baseline for the host's part: a MEF built here runs on another machine.
HOST_CPU = "x86-64-v3"
READY = "ready"  # the first message: MAX is loaded and has the device; no failure before it is a kernel's


@dataclass(frozen=True, slots=True)
class OpCall:
    """An op in a graph: one that works in place, or gives results, which the graph then gives.

    Attributes:
        op: The name under which it is registered.
        buffers: Those of the graph's buffers that it takes, by number.
        parameters: Its compile-time parameters.
        scalars: Behind its buffers: (dtype name, value). Without a value it is an input of the graph, which each
            execution gives in the host's memory, behind the graph's buffers.
        results: (shape, dtype name) of those that it gives; none of one that works in place.
    """

    op: str
    buffers: tuple[int, ...]
    parameters: Mapping[str, Parameter]
    scalars: tuple[tuple[str, int | float | None], ...] = ()
    results: tuple[tuple[tuple[int, ...], str], ...] = ()


@dataclass(frozen=True, slots=True)
class GraphSpec:
    """One graph of ops.

    Attributes:
        name: Of the graph.
        buffers: (shape, dtype name, whether a kernel writes it).
        calls: In the order of their execution.
    """

    name: str
    buffers: tuple[tuple[tuple[int, ...], str, bool], ...]
    calls: tuple[OpCall, ...]


@dataclass(frozen=True, slots=True)
class Job:
    """Graphs to compile into one MEF.

    Attributes:
        graphs: Compiled together.
        packages: The precompiled Mojo packages, each after those it imports.
        out: Where the MEF goes.
        cpu_seconds: What it may take of the processor; a job that takes more ends the process.
    """

    graphs: tuple[GraphSpec, ...]
    packages: tuple[str, ...]
    out: str
    cpu_seconds: int


@dataclass(frozen=True, slots=True)
class Product:
    """What a job gave.

    Attributes:
        mlir: The MLIR of each graph before compilation, by name.
        error: The compiler's text if it failed, else empty.
    """

    mlir: dict[str, str]
    error: str = ""


def main() -> None:
    """Serves jobs for one target until the channel closes."""
    incoming, outgoing = map(int, sys.argv[1:3])
    device = _device(None if sys.argv[3] == "cpu" else sys.argv[3], sys.argv[4])
    channel.send(outgoing, READY)
    while True:
        try:
            job = channel.receive(incoming)
        except channel.ClosedError:
            break
        _limit(job.cpu_seconds)
        channel.send(outgoing, _compile(device, job))
    os._exit(0)  # the runtime's own shutdown has nothing to do here and can fail


def _limit(cpu_seconds: int) -> None:
    """From now on this process has so much more of the processor.

    A timer, and not the system's limit: LLVM takes that one's signal for a crash, and at times waits for ever to tell
    of it.
    """
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds)


def _device(api: str | None, architecture: str) -> Any:
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
    given = (device.api, device.architecture_name)
    if given != (api, architecture):
        raise SystemExit(f"asked MAX for a virtual {api} {architecture}, but got {given}")
    import max.engine
    import max.graph  # noqa: F401 - while the parent still precompiles the packages

    return device


def _compile(device: Any, job: Job) -> Product:
    from max.engine import InferenceSession
    from max.graph import Module

    packages = [Path(name) for name in job.packages]
    mlir: dict[str, str] = {}
    try:
        module = Module()
        for spec in job.graphs:
            _graph(spec, device, packages, module)
        mlir = _split(str(module.mlir_module), [spec.name for spec in job.graphs])
        compiled = InferenceSession(devices=[device]).compile(module, custom_extensions=packages)
        compiled.export_mef(job.out)
    except Exception as error:  # of any kind: MAX has none of its own for a kernel that does not compile
        # MAX's outer text only says that it failed; the compiler's is in the cause.
        inner: BaseException = error
        while inner.__cause__ is not None:
            inner = inner.__cause__
        return Product(mlir, str(inner) or repr(error))
    return Product(mlir)


def _graph(spec: GraphSpec, device: Any, packages: list[Path], module: Any) -> None:
    from max.dtype import DType
    from max.graph import BufferType, DeviceRef, Graph, TensorType, ops

    ref = DeviceRef.from_device(device)
    types = [
        (BufferType if written else TensorType)(DType[dtype], shape, device=ref)
        for shape, dtype, written in spec.buffers
    ]
    host = DeviceRef.CPU()
    given = [
        TensorType(DType[dtype], (), host) for call in spec.calls for dtype, value in call.scalars if value is None
    ]
    with Graph(spec.name, input_types=[*types, *given], custom_extensions=packages, module=module) as graph:
        buffers, scalars = graph.inputs[: len(types)], iter(graph.inputs[len(types) :])
        values = [
            value.buffer if written else value.tensor
            for value, (_, _, written) in zip(buffers, spec.buffers, strict=True)
        ]
        outputs = []
        for call in spec.calls:
            chosen = [values[number] for number in call.buffers]
            for dtype, value in call.scalars:
                chosen.append(next(scalars).tensor if value is None else ops.constant(value, DType[dtype], host))
            parameters = {
                name: DType.from_numpy(value) if isinstance(value, np.dtype) else value
                for name, value in call.parameters.items()
            }
            out_types = [TensorType(DType[dtype], shape, device=ref) for shape, dtype in call.results]
            custom = ops.custom if out_types else ops.inplace_custom
            outputs += custom(call.op, device=ref, values=chosen, out_types=out_types, parameters=parameters)
        graph.output(*outputs)


def _split(text: str, names: list[str]) -> dict[str, str]:
    """The `mo.graph` of each name out of a module's text."""
    graphs = {}
    parts = text.split("  mo.graph @")
    for part in parts[1:]:
        name = part.split("(", 1)[0]
        if name in names:
            body = part.split("\n  }", 1)[0]
            lines = ["mo.graph @" + body, "}"]
            whole = "\n".join(lines).replace("\n  ", "\n")
            # Where the packages lay while it was compiled is gone by now.
            graphs[name] = re.sub(r"_kernel_library_paths = \[[^]]*\], ", "", whole)
    return graphs


if __name__ == "__main__":
    # Run as a script this module is `__main__`, but the messages name the importable one.
    from harness.build.max_compiler import main as served

    served()
