"""Number a kernel's globals (dynamic shared memory is one) and each lane's variables; list the globals it uses."""

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from harness.simt.compile.graph import ControlFlowGraph, Ref, global_names_in
from harness.simt.errors import Unsupported
from harness.simt.ir.module import Const, Global, Operand
from harness.simt.ir.names import demangle
from harness.simt.ir.parse import Module
from harness.simt.ir.site import Site
from harness.simt.ir.sizes import allocation_bytes
from harness.simt.ir.types import Int, size_of
from harness.simt.ir.values import base_of
from harness.simt.targets import SimulatedTarget

__all__ = ["Variable", "find_used_globals", "number_global_variables", "number_local_variables"]

# Mojo's symbols of stack allocations in shared memory.
STACK_ALLOCATION = re.compile(r"^.*\._global_alloc_(\d+)\._gpu_shared_mem$")


@dataclass(frozen=True, slots=True)
class Variable:
    """A global variable or an `alloca`, with its fixed allocation number.

    Attributes:
        name: Its name in reports.
        rows: Its owner, as in an `Allocation`, or `frame`: each lane has a copy for each call depth, and `number` is
            that of the first.
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


def number_global_variables(
    module: Module, target: SimulatedTarget, used: Collection[str]
) -> tuple[list[Variable], dict[str, int], int | None]:
    """Number the global variables of a module from 1, used or not, and find which one is dynamic shared memory.

    All declarations of dynamic shared memory have one address and share its bytes, so they are one variable. It has the
    largest of their alignments, and the name that the kernel uses first. Names that begin with `llvm.` are left out.

    Args:
        used: The names of the globals that the kernel uses, in the order of its code.

    Returns:
        The variables, their addresses by name with `@`, and the number of dynamic shared memory or None.

    Raises:
        Unsupported: A variable is larger than any device's memory.
    """
    variables: list[Variable] = []
    addresses: dict[str, int] = {}
    dynamic: int | None = None
    names = [name for name, variable in module.globals.items() if _is_dynamic(variable, target)]
    dynamic_name = next((name for name in used if name in names), names[0] if names else "")
    align = max((module.globals[name].align for name in names), default=1)
    for variable in module.globals.values():
        if variable.name.startswith("@llvm."):
            continue
        if variable.name in names and dynamic is not None:
            addresses[variable.name] = base_of(dynamic)
            continue
        number = len(variables) + 1
        addresses[variable.name] = base_of(number)
        if variable.name in names:
            dynamic = number
            variable = replace(module.globals[dynamic_name], align=align)
        space = target.space_name(variable.space)
        owner = _owner_of(space)
        if space == "generic":
            space = "constant" if variable.constant else "global"
        symbol = variable.name.removeprefix("@")
        name = variable.variable or module.shared_names.get(variable.name) or demangle(symbol)
        name = STACK_ALLOCATION.sub(r"shared array \1", name)
        size, writable = allocation_bytes(variable.name, variable.type), not variable.constant
        variables.append(
            Variable(
                number, name, space, size, owner, writable, variable.initializer, symbol=symbol, align=variable.align
            )
        )
    return variables, addresses, dynamic


def _owner_of(space: str) -> str:
    """Return who has a copy of a global variable of an address space: `block`, `lane` or `grid`."""
    return {"shared": "block", "private": "lane"}.get(space, "grid")


def _is_dynamic(variable: Global, target: SimulatedTarget) -> bool:
    """Return whether a variable is dynamic shared memory: shared, of size 0 and without initial values.

    The launch gives its size.
    """
    shared = _owner_of(target.space_name(variable.space)) == "block"
    return shared and size_of(variable.type) == 0 and variable.initializer is None


def number_local_variables(graph: ControlFlowGraph, variables: list[Variable]) -> None:
    """Append each `alloca` and `call.local` to `variables`, and make its number the instruction's operand, in place.

    Numbers go on after those of `variables`. The owner of an `alloca` is the lane, of a `call.local` the call's frame.

    Raises:
        Unsupported: Its size is not constant, or larger than any device's memory.
    """
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
            owner = "lane" if op.opcode == "alloca" else "frame"
            variables.append(Variable(number, name, "private", size, owner, True, None, op.site))


def _local_name(site: Site, life: Site | None) -> str:
    """Return how reports call a local variable without a name: by the line of `site`, or else of `life`, where its
    lifetime starts, if that is known; else by the name of its value.
    """
    for at in (site, life):
        if at is not None and at.place.known:
            return f"local variable at {at.place.file}:{at.place.line}"
    return f"local variable {site.instruction.name}"


def find_used_globals(graph: ControlFlowGraph) -> dict[str, None]:
    """Return the names, with `@`, of the globals, and of the functions whose address is a value, that a kernel uses.

    They are the keys of the dict, in the order of the kernel's code.
    """
    return {
        name: None for block in graph.blocks for operand in block.used_values() for name in global_names_in(operand)
    }
