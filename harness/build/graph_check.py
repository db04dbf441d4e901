"""Check that a puzzle's Python builds the documented graph: recorded in a sandbox (`graph_stage`), verified here.

Only the graph's text counts, and it must be the documented call of the op and nothing else (`graph_reading`). What is
executed later is compiled from the documentation: nothing of the file runs outside of the sandbox.
"""

from __future__ import annotations

import json
from pathlib import Path

from harness.build import graph_stage, toolchain, versions
from harness.build.cache import Cache, make_key, sha256_hex
from harness.build.compiler import disk_errors
from harness.build.graph_reading import compare_graph, make_no_graph_error
from harness.build.graph_stage import GraphRecording, RecordingRequest
from harness.errors import CompileError, CompileTimeout, EnvironmentFault
from harness.model import codec
from harness.model.case import Instance
from harness.model.project import installed_version
from harness.model.sources import display_path
from harness.model.steps import Graph, Parameter
from harness.process.box import AnySandbox
from harness.process.child import temporary_folder
from harness.process.stage import StageResult
from harness.simt.findings import Finding

__all__ = ["check_graph", "compile_interface", "generate_interface", "make_request"]


def check_graph(
    graph: Graph, instance: Instance, file: Path, cache: Cache, box: AnySandbox, text: str | None = None
) -> tuple[Finding, ...]:
    """Run a puzzle's Python in a sandbox and return how its graph differs from the documented one; empty if it does
    not. Devices are checked in order; the findings are those of the first device that has any.

    Args:
        graph: The documented graph.
        instance: Its case at the target's warp width.
        file: The puzzle's Python, not trusted.
        cache: Where recordings are looked up and stored.
        box: The sandbox.
        text: The file's content; it is read if None.

    Raises:
        PythonError: The Python ends with an exception.
        CompileError: The file is not valid Python, or its process exceeds a limit or ends without an answer.
        CompileTimeout: The process does not end in time.
        EnvironmentFault: This machine is to blame.
    """
    op, text = compile_interface(graph, instance, cache), file.read_text(encoding="utf-8") if text is None else text
    tool = sha256_hex(Path(graph_stage.__file__).read_bytes())
    versions = {"torch": installed_version("torch")} if graph.torch else {}
    for device in graph.checked_devices:
        request = make_request(graph, instance, device, file.name, text, op)
        key = make_key({"kind": "recorded graph", "order": sha256_hex(codec.encode(request)), "tool": tool, **versions})
        if stored := cache.get(key, ("answer",)):
            recording = codec.decode(GraphRecording, stored["answer"].data)
        else:
            recording = _require_recording(graph_stage.STAGE.ask(request, box), graph, file)
        findings = compare_graph(graph, instance, device, file, recording)
        if not stored:
            cache.put(key, {"answer": codec.encode(recording)})
        if findings:
            return findings
    return ()


def make_request(
    graph: Graph, instance: Instance, device: str, name: str, text: str, package: bytes
) -> RecordingRequest:
    """Return the request for `graph_stage`.

    Args:
        graph: The documented graph.
        instance: As for `check_graph`.
        device: One of the graph's devices.
        name: The file's name.
        text: The file's content.
        package: The op's interface, from `compile_interface`.
    """
    operands, results = (
        tuple((tensor.shape, tensor.dtype.name) for tensor in instance.tensors_of(names))
        for names in (graph.operands, graph.results)
    )
    return RecordingRequest(
        file=name,
        text=text,
        function=graph.name,
        device=device,
        operands=operands,
        results=results,
        package=package,
        limits=graph_stage.TORCH_LIMITS if graph.torch else graph_stage.LIMITS,
        torch=graph.torch,
    )


def compile_interface(graph: Graph, instance: Instance, cache: Cache) -> bytes:
    """Return a precompiled package with an op that has the documented operands and does nothing; it is cached.

    That suffices to build a graph which calls the op.

    Raises:
        EnvironmentFault: It does not compile here, or the cache cannot be written.
    """
    text = generate_interface(graph, instance)
    key = make_key({"kind": "op interface", "text": text, "versions": toolchain.package_versions()})
    if stored := cache.get(key, ("mojoc",)):
        return stored["mojoc"].data
    cache.require_writable()
    with temporary_folder() as folder:
        source = folder / "interface.mojo"
        with disk_errors(folder):
            source.write_text(text, encoding="utf-8")
        try:
            data = toolchain.precompile(source, graph_stage.PACKAGE, folder).read_bytes()
        except CompileError as error:
            raise versions.make_own_fault(f"the interface of the op {graph.op}", error) from None
    return cache.put(key, {"mojoc": data})["mojoc"].data


def generate_interface(graph: Graph, instance: Instance) -> str:
    """Return the Mojo text of an op with the documented interface that does nothing.

    It takes the results, then the operands; the graph's defaults are parameters that may be left out.
    """
    needed = [f"{name}: {_type(value)}" for name, value in graph.parameters.items()]
    left_out = [f"{name}: {_type(value)} = {_literal(value)}" for name, value in graph.defaults.items()]
    tensors = [("OutputTensor", tensor) for tensor in instance.tensors_of(graph.results)]
    tensors += [("InputTensor", tensor) for tensor in instance.tensors_of(graph.operands)]
    arguments = [
        f"{tensor.name}: {kind}[dtype=DType.{tensor.dtype.name}, rank={len(tensor.shape)}, ...]"
        for kind, tensor in tensors
    ]
    lines = (
        f'"""The interface of {graph.op}."""',
        "from extensibility import InputTensor, OutputTensor, register",
        "from max.gpu.host import DeviceContext",
        f'@register("{graph.op}")',
        "struct Op:",
        "    @staticmethod",
        f"    def execute[{', '.join(('target: StaticString', *needed, *left_out))}](",
        f"        {', '.join((*arguments, 'ctx: DeviceContext'))}",
        "    ) raises:",
        "        pass",
    )
    return "\n".join(lines) + "\n"


def _require_recording(answer: StageResult[GraphRecording], graph: Graph, file: Path) -> GraphRecording:
    """Return the recording in a sandbox's answer; raise an error if there is none.

    Raises:
        CompileError: The process exceeded another limit than time, or ended without an answer.
        CompileTimeout: The process did not end in time, by the clock or by its processor time.
        EnvironmentFault: There is no MAX here, or the machine is to blame.
    """
    if answer.result is not None:
        return answer.result
    if answer.limit in ("cpu_seconds", "seconds"):
        most = getattr(graph_stage.LIMITS, answer.limit)
        raise CompileTimeout(f"{graph.name} in {display_path(file)} did not end within {most:g} s, the limit")
    if "No module named 'max'" in answer.noise:
        raise EnvironmentFault(f"{display_path(file)} could not be run: there is no MAX here.")
    if answer.blame == "machine":
        raise EnvironmentFault(f"{display_path(file)} could not be run: {answer.reason}.")
    raise make_no_graph_error(graph, file, answer.reason)


def _type(value: Parameter) -> str:
    return {int: "Int", str: "StaticString"}.get(type(value), "DType")


def _literal(value: Parameter) -> str:
    return json.dumps(value) if isinstance(value, int | str) else f"DType.{value.name}"
