"""The variables of a kernel: those of its module, and what it allocates for each lane."""

import re
from dataclasses import dataclass, replace

from harness.simt.compile.calls import function_addresses, outside_addresses
from harness.simt.compile.graph import Graph, Ref, names_in
from harness.simt.errors import Unsupported
from harness.simt.ir.module import Const, Operand
from harness.simt.ir.names import plain_name
from harness.simt.ir.parse import Module
from harness.simt.ir.site import Site
from harness.simt.ir.sizes import allocation_bytes
from harness.simt.ir.types import Int
from harness.simt.ir.values import base_of
from harness.simt.targets import SimulatedTarget

__all__ = ["Variable", "global_variables", "globals_used", "number_local_variables"]

# What Mojo calls a kernel's stack allocations in shared memory.
STACK_ALLOCATION = re.compile(r"^.*\._global_alloc_(\d+)\._gpu_shared_mem$")


@dataclass(frozen=True, slots=True)
class Variable:
    """A global variable or an `alloca` with its fixed allocation number.

    Attributes:
        name: What reports call it.
        rows: As of an `Allocation`, or `frame`: each lane has one for each depth of calls; the number is the first's.
        symbol: The name of a global variable in the module, without the `@`; empty for an `alloca`.
    """

    number: int
    name: str
    space: str
    size: int
    rows: str
    writable: bool
    initial: Operand | None = None
    site: Site | None = None
    symbol: str = ""
    align: int = 1


def global_variables(module: Module, target: SimulatedTarget) -> tuple[list[Variable], dict[str, int], int | None]:
    """The global variables, what addresses they and the functions have, and the number of the one sized by a launch."""
    variables: list[Variable] = []
    addresses: dict[str, int] = {}
    dynamic: int | None = None
    for variable in module.globals.values():
        if variable.name.startswith("@llvm."):
            continue
        space = target.space_name(variable.space)
        number = len(variables) + 1
        rows = {"shared": "block", "private": "lane"}.get(space, "grid")
        if space == "generic":
            space = "constant" if variable.constant else "global"
        size = allocation_bytes(variable.name, variable.type)
        if rows == "block" and size == 0 and variable.initializer is None:
            dynamic = number
        symbol = variable.name.removeprefix("@")
        name = variable.variable or module.shared_names.get(variable.name) or plain_name(symbol)
        name = STACK_ALLOCATION.sub(r"shared array \1", name)
        writable = not variable.constant
        variables.append(
            Variable(
                number, name, space, size, rows, writable, variable.initializer, symbol=symbol, align=variable.align
            )
        )
        addresses[variable.name] = base_of(number)
    return variables, function_addresses(module) | outside_addresses(module) | addresses, dynamic


def number_local_variables(graph: Graph, variables: list[Variable]) -> None:
    """Adds each `alloca` to the variables, and gives it its number as operand."""
    lives: dict[int | None, Site] = {
        op.operands[-1].number: op.site
        for block in graph.blocks
        for op in block.ops
        if op.opcode == "call" and op.callee.startswith("@llvm.lifetime.start") and isinstance(op.operands[-1], Ref)
    }
    for block in graph.blocks:
        for place, op in enumerate(block.ops):
            if op.opcode not in ("alloca", "call.local"):
                continue
            count = op.attrs["count"]
            if not isinstance(count, Const | None):
                raise Unsupported("alloca of a size that is not constant")
            number = len(variables) + 1
            name = op.attrs.get("called") or _local_name(op.site, lives.get(op.result))
            size = allocation_bytes(name, op.attrs["source_type"], count)
            block.ops[place] = replace(op, operands=(Const(Int(64), number),))
            rows = "lane" if op.opcode == "alloca" else "frame"
            variables.append(Variable(number, name, "private", size, rows, True, None, op.site))


def _local_name(site: Site, life: Site | None) -> str:
    """What to call a local variable whose name is not known: its line, if that is known."""
    for at in (site, life):
        if at is not None and at.place.known:
            return f"local variable at {at.place.file}:{at.place.line}"
    return f"local variable {site.instruction.name}"


def globals_used(graph: Graph) -> set[str]:
    """The names of the global variables that a kernel touches."""
    return {name for block in graph.blocks for operand in block.taken() for name in names_in(operand)}
