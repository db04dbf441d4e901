"""Compile a case, and return its text at one level: generated Mojo, the graph's MLIR, LLVM IR or assembly."""

from __future__ import annotations

from harness.build import generate
from harness.build.device_code import build_device_code
from harness.build.graphs import build_graphs
from harness.build.host_text import generate_host_program
from harness.build.hosts import build_host_programs, explain_kernels_only
from harness.build.unit import Build, make_units
from harness.errors import CompileError, UsageError, unknown_name
from harness.model.case import Case, HostStep
from harness.model.report import LEVELS
from harness.model.sources import Sources
from harness.model.target import Target

__all__ = ["inspect"]


def inspect(case: Case, target: Target, level: str, sources: Sources) -> str:
    """Return the generated Mojo (`op`), the graph's MLIR (`mo`), the kernels' LLVM IR (`llvm`) or their assembly
    (`asm`).

    Raises:
        UsageError: Unknown level, the target cannot run the case, or a case with host functions has no such level
            (`asm`; `mo` without a graph).
        CompileError: The kernel does not compile (nothing is compiled for `op`).
    """
    if level not in LEVELS:
        raise unknown_name("level", level, LEVELS)
    refusal = case.refusal(target)
    if refusal is not None:
        raise UsageError(f"{case.id} does not run on {target}: {refusal}.")
    build = Build(target=target, sources=sources)
    if level == "op":
        if case.called:
            return generate_host_program(make_units([case], build, kind=HostStep))
        units = make_units([case], build)
        graphs = [generate.generate_ops(units)] if target.max_can_build else []
        return "\n\n".join([*graphs, generate.generate_device_program([(unit, target) for unit in units])])
    if case.called and (level == "asm" or (level == "mo" and case.graph is None)):
        raise UsageError(f"{explain_kernels_only(f'level {level}', case)}: it has the levels op and llvm.")
    if level == "llvm" and case.called:
        programs = build_host_programs([case], build)[case.id]
        if isinstance(programs, CompileError):
            raise programs
        return "\n".join(text for program in programs.values() for text in program.texts.values())
    if level == "mo":
        return build_graphs([case], build).graph_text(case)
    texts = build_device_code([case], build, level)[case.id]
    if isinstance(texts, CompileError):
        raise texts
    return "\n".join(texts)
