"""Whether a puzzle's Python builds the documented graph: recorded in a box (`graph_stage`), read strictly here.

Of what the box answers only the graph's text counts, and that must be the documented call of the op and nothing else
(`graph_reading`). What is executed later is compiled from what is documented then: nothing of the file runs outside.
"""

from __future__ import annotations

import json
from pathlib import Path

from harness.build import graph_stage, toolchain, versions
from harness.build.cache import Cache, digest, key_of
from harness.build.compiler import writing
from harness.build.graph_reading import no_graph, reading
from harness.build.graph_stage import GraphOrder, Recorded
from harness.errors import CompileError, CompileTimeout, EnvironmentFault
from harness.model import codec
from harness.model.case import Instance
from harness.model.project import installed
from harness.model.sources import shown
from harness.model.steps import Graph, Parameter
from harness.process.box import AnySandbox
from harness.process.child import temporary_folder
from harness.process.stage import StageResult
from harness.simt.findings import Finding

__all__ = ["check", "interface", "order", "package"]


def check(
    graph: Graph, instance: Instance, file: Path, cache: Cache, box: AnySandbox, text: str | None = None
) -> tuple[Finding, ...]:
    """What is wrong with the graph that a file builds; nothing if it is the documented one.

    Args:
        graph: The documented one.
        instance: The case that it is of, at the target's warp width.
        file: The puzzle's Python, whoever wrote it.
        cache: Where what it did may be, and goes.
        box: What it is run in.
        text: What the file holds, where there is none; it is read unless told.

    Raises:
        CompileError: It builds no graph: it ends with an error, or passes a limit.
        CompileTimeout: It does not end.
        EnvironmentFault: This machine is to blame.
    """
    op, text = package(graph, instance, cache), file.read_text(encoding="utf-8") if text is None else text
    tool = digest(Path(graph_stage.__file__).read_bytes())
    versions = {"torch": installed("torch")} if graph.torch else {}
    for device in graph.asserted:
        asked = order(graph, instance, device, file.name, text, op)
        key = key_of({"kind": "recorded graph", "order": digest(codec.encoded(asked)), "tool": tool, **versions})
        if kept := cache.get(key, ("answer",)):
            said = codec.decoded(Recorded, kept["answer"].data)
        else:
            said = _recorded(graph_stage.STAGE.ask(asked, box), graph, file)
        findings = reading(graph, instance, device, file, said)
        if not kept:
            cache.put(key, {"answer": codec.encoded(said)})
        if findings:
            return findings
    return ()


def order(graph: Graph, instance: Instance, device: str, name: str, text: str, package: bytes) -> GraphOrder:
    """What `graph_stage` is asked.

    Args:
        graph: The documented one.
        instance: As of `check`.
        device: One of the graph's.
        name: Of the file.
        text: What it holds.
        package: The op's, from `package`.
    """
    operands, results = (
        tuple((tensor.shape, tensor.dtype.name) for tensor in instance.tensors_of(names))
        for names in (graph.operands, graph.results)
    )
    return GraphOrder(
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


def package(graph: Graph, instance: Instance, cache: Cache) -> bytes:
    """An op of the documented interface that does nothing: all that a graph needs to know of an op, whoever wrote it.

    Raises:
        EnvironmentFault: It does not compile here.
    """
    text = interface(graph, instance)
    key = key_of({"kind": "op interface", "text": text, "versions": toolchain.package_versions()})
    if kept := cache.get(key, ("mojoc",)):
        return kept["mojoc"].data
    cache.require_writable()
    with temporary_folder() as folder:
        source = folder / "interface.mojo"
        with writing(folder):
            source.write_text(text, encoding="utf-8")
        try:
            data = toolchain.precompile(source, graph_stage.PACKAGE, folder).read_bytes()
        except CompileError as error:
            raise versions.own_fault(f"the interface of the op {graph.op}", error) from None
    return cache.put(key, {"mojoc": data})["mojoc"].data


def interface(graph: Graph, instance: Instance) -> str:
    """The Mojo of such an op."""
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


def _recorded(done: StageResult[Recorded], graph: Graph, file: Path) -> Recorded:
    """What a box answered.

    Raises:
        CompileError: It passed a limit, or ended without an answer.
        CompileTimeout: It did not end.
        EnvironmentFault: The box itself failed.
    """
    if done.result is not None:
        return done.result
    if done.limit in ("cpu_seconds", "seconds"):
        most = getattr(graph_stage.LIMITS, done.limit)
        raise CompileTimeout(f"{graph.name} in {shown(file)} did not end within {most:g} s, the limit")
    if "No module named 'max'" in done.noise:
        raise EnvironmentFault(f"{shown(file)} could not be run: there is no MAX here.")
    if done.blame == "machine":
        raise EnvironmentFault(f"{shown(file)} could not be run: {done.reason}.")
    raise no_graph(graph, file, done.reason)


def _type(value: Parameter) -> str:
    return {int: "Int", str: "StaticString"}.get(type(value), "DType")


def _literal(value: Parameter) -> str:
    return json.dumps(value) if isinstance(value, int | str) else f"DType.{value.name}"
