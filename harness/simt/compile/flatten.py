"""Build a kernel's control-flow graph: inline calls, expansions and assembly; outline recursive and indirect callees.

Calls of functions with a body are inlined, or lead to a shared copy of the function (see `calls.py`). Phis become moves
on edges; empty blocks are removed, and a block with one predecessor is merged with it where possible.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from harness.simt.compile.byval import make_copy
from harness.simt.compile.calls import CallGraph, signature_of
from harness.simt.compile.graph import BasicBlock, ControlFlowGraph, Edge, Op, Ref, Value
from harness.simt.compile.registry import PREFIXES, find_intrinsic
from harness.simt.compile.simplify import simplify
from harness.simt.errors import Unsupported
from harness.simt.ir.module import Asm, Const, Expr, Function, GlobalRef, Instruction, Local, Operand
from harness.simt.ir.parse import Module
from harness.simt.ir.site import Site
from harness.simt.ir.types import Int, OtherType, Type

__all__ = ["flatten"]

DEPTH_LIMIT = 48
BLOCK_LIMIT = 50_000
# Ends a block where a function returns, given the value that it returns.
Leave: TypeAlias = Callable[[BasicBlock, Value | None], None]


class _NeedsOutlining(Exception):
    """A function calls itself, or may because it is called through a pointer."""


@dataclass(slots=True, eq=False)
class _OutlinedFunction:
    """A function that is not inlined: all calls share one copy of its code.

    Attributes:
        entry: Its first block.
        back: Its last block, with a phi of the returned value and a switch back to the calls.
    """

    entry: BasicBlock
    params: tuple[Ref, ...]
    back: BasicBlock


class _Builder:
    def __init__(self, module: Module, graph: CallGraph | None, ptx: bool) -> None:
        self.module, self.graph, self.ptx = module, graph, ptx
        self.outlined: dict[str, _OutlinedFunction] = {}
        self.function = ""
        self.calls: list[str] = []
        self.blocks: list[BasicBlock] = []
        self.types: list[Type] = []
        self.sites: list[Site] = []

    def new_value(self, ty: Type) -> Ref:
        self.types.append(ty)
        return Ref(len(self.types) - 1, ty)

    def new_site(self, instruction: Instruction, caller: Site | None) -> Site:
        site = Site(len(self.sites), instruction, caller)
        self.sites.append(site)
        return site

    def new_block(self, name: str) -> BasicBlock:
        if len(self.blocks) >= BLOCK_LIMIT:
            raise Unsupported("a kernel of this size")
        block = BasicBlock(name, function=self.function)
        self.blocks.append(block)
        return block

    def inline(
        self, function: Function, arguments: Sequence[Value], caller: Site | None, leave: Leave, stack: tuple[str, ...]
    ) -> BasicBlock:
        """Add a copy of a function's blocks, its calls lowered by `lower_call`, and return the copy's entry block.

        Args:
            leave: Ends each block where the function returns.
            stack: The names of the functions that are being inlined, the kernel first.
        """
        results: dict[str, Ref] = {}
        heads: dict[str, BasicBlock] = {}
        for source in function.blocks:
            heads[source.label] = head = self.new_block(source.label)
            for instruction in source.instructions:
                if instruction.name is None:
                    continue
                phi = results[instruction.name] = self.new_value(instruction.type)
                if instruction.opcode == "phi":
                    head.phis.append((phi.number, phi.type))
        env: dict[str, Value] = dict(zip((param.name for param in function.params), arguments, strict=False))
        env.update(results)

        def resolve(operand: Operand) -> Value:
            return env[operand.name] if isinstance(operand, Local) else operand

        incoming: dict[str, list[dict[str, Value]]] = {
            source.label: [
                dict(zip(instruction.attrs["labels"], map(resolve, instruction.operands), strict=True))
                for instruction in source.instructions
                if instruction.opcode == "phi"
            ]
            for source in function.blocks
        }

        def edge(start: str, label: str) -> Edge:
            return Edge(heads[label], tuple(moves[start] for moves in incoming[label]))

        for source in function.blocks:
            block = heads[source.label]
            for instruction in source.instructions:
                if instruction.opcode == "phi":
                    continue
                site = self.new_site(instruction, caller)
                operands = tuple(map(resolve, instruction.operands))
                if instruction.opcode == "call":
                    callee = resolve(instruction.attrs["callee"])
                    result = results[instruction.name] if instruction.name else None
                    following = self.lower_call(block, callee, operands, result, site, stack)
                    if following is not None:
                        block = following
                        continue
                if instruction.opcode in ("br", "switch"):
                    labels = instruction.attrs["labels"]
                    block.edges = [edge(source.label, label) for label in labels]
                    block.term = "jump" if len(labels) == 1 else instruction.opcode
                    block.term = "branch" if block.term == "br" else block.term
                    block.condition = operands[0] if operands else None
                    block.cases = instruction.attrs.get("cases", ())
                    block.site = site
                elif instruction.opcode == "ret":
                    block.site = site
                    leave(block, operands[0] if operands else None)
                elif instruction.opcode == "unreachable":
                    block.site = site
                    block.term = "unreachable"
                else:
                    number = results[instruction.name].number if instruction.name else None
                    block.ops.append(Op(instruction.opcode, number, instruction.type, operands, site))
        return heads[function.blocks[0].label]

    def lower_call(
        self,
        block: BasicBlock,
        callee: Value,
        operands: tuple[Value, ...],
        result: Ref | None,
        site: Site,
        stack: tuple[str, ...],
    ) -> BasicBlock | None:
        """Inline a call, or jump to the function's shared copy; return the block after the call.

        Does nothing and returns None if it stays a call: of a function without a body, or an intrinsic not expanded.
        Raises `_NeedsOutlining` for recursion or a pointer without a call graph, `Unsupported` for too deep a call.
        """
        name = _called_name(callee)
        is_external = name is not None and (not self.module.defines(name) or is_modelled_as_intrinsic(name))
        if is_external or isinstance(callee, Asm):
            expansion = self.expansion_of(callee, name, site.instruction)
            if expansion is None:
                return None
            following, leave = self.block_after_call(block, result, site)
            entry = self.inline(expansion, operands, site.caller, leave, stack)
            block.term, block.edges, block.site = "jump", [Edge(entry)], site
            return following
        if self.graph is None and (name is None or name in stack):
            raise _NeedsOutlining
        following, leave = self.block_after_call(block, result, site)
        if name is None or (self.graph is not None and name in self.graph.outlined):
            self.jump_to_outlined(block, callee if name is None else name, operands, following, site)
            return following
        if len(stack) > DEPTH_LIMIT:
            raise Unsupported(f"a call {len(stack)} deep")
        function = self.module.function(name)
        arguments = self.copy_byval_arguments(function, operands, site, block)
        entry = self.inline(function, arguments, site, leave, (*stack, name))
        block.term, block.edges, block.site = "jump", [Edge(entry)], site
        return following

    def expansion_of(self, callee: Value, name: str | None, call: Instruction) -> Function | None:
        """Return inline assembly or an expanded intrinsic as a function to inline; None for what stays a call."""
        if isinstance(callee, Asm):
            from harness.simt.compile.assembling import assemble  # late: most kernels have none

            return assemble(call, self.ptx)
        intrinsic = find_intrinsic(name) if name is not None else None
        if intrinsic is None or intrinsic.kind != "expanded":
            return None
        from harness.simt.compile.expanding import expand_call

        return expand_call(intrinsic, call)

    def block_after_call(self, block: BasicBlock, result: Ref | None, site: Site) -> tuple[BasicBlock, Leave]:
        """Return the new block after a call, with a phi for a result, and the `Leave` that makes blocks jump to it."""
        following = self.new_block(f"{block.name}+")
        if not isinstance(site.instruction.type, OtherType):
            result = result or self.new_value(site.instruction.type)
            following.phis.append((result.number, result.type))

        def leave(at: BasicBlock, value: Value | None) -> None:
            at.term = "jump"
            at.edges = [Edge(following, (value,) if value is not None and following.phis else ())]

        return following, leave

    def copy_byval_arguments(
        self, function: Function, operands: Sequence[Value], site: Site, block: BasicBlock
    ) -> list[Value]:
        """Return a call's arguments, each `byval` one replaced by the address of a copy; its code goes to `block`."""
        arguments = list(operands)
        for position, param in enumerate(function.params):
            if param.copied:
                arguments[position], copy_ops = make_copy(
                    param, operands[position], self.types, self.sites, site.instruction.location, site.caller
                )
                block.ops += copy_ops
        return arguments

    def jump_to_outlined(
        self, block: BasicBlock, callee: Value | str, operands: tuple[Value, ...], following: BasicBlock, site: Site
    ) -> None:
        """End a block with `call.enter`, numbered by `calls`, and a jump to a function's shared copy, or a switch over
        those that a pointer may name (`unreachable` if there are none); lanes resume in `following`.
        """
        assert self.graph is not None
        number = Const(Int(32), len(self.calls))
        self.calls.append(callee.removeprefix("@") if isinstance(callee, str) else "what a pointer names")
        following.resumes = number.value, site
        names = (callee,) if isinstance(callee, str) else self.graph.targets.get(signature_of(site.instruction), ())
        edges = []
        for name in names:
            trampoline, outlined = self.new_block(f"{block.name}>"), self.outline(name)
            trampoline.term, trampoline.site = "jump", site
            arguments = self.copy_byval_arguments(self.module.function(name), operands, site, trampoline)
            trampoline.edges = [Edge(outlined.entry, tuple(arguments))]
            edges.append(Edge(trampoline))
            if outlined.back.edges:
                outlined.back.cases = (*outlined.back.cases, number.value)
            outlined.back.edges.append(
                Edge(following, tuple(Ref(*phi) for phi in outlined.back.phis) if following.phis else ())
            )
        block.site, block.edges = site, edges
        if isinstance(callee, str):
            block.term = "jump"
        else:
            which = self.new_value(Int(32))
            addresses = tuple(Const(Int(64), self.module.functions.address(name)) for name in names)
            block.ops.append(Op("call.target", which.number, which.type, (callee, *addresses), site))
            block.term, block.condition = "switch", which
            block.cases, block.edges = tuple(range(1, len(names))), edges
            if not names:
                block.term, block.condition = "unreachable", None
        block.ops.append(Op("call.enter", None, OtherType("void"), (number,), site))

    def outline(self, name: str) -> _OutlinedFunction:
        """Return a function's copy in `outlined`; the first call builds it, with `call.local` in place of `alloca`."""
        outlined = self.outlined.get(name)
        if outlined is not None:
            return outlined
        function = self.module.function(name)
        params = tuple(self.new_value(param.type) for param in function.params)
        caller, self.function = self.function, name
        entry, back = self.new_block(name), self.new_block(f"{name} returns")
        entry.phis = [(ref.number, ref.type) for ref in params]
        if not isinstance(function.returns, OtherType):
            value = self.new_value(function.returns)
            back.phis = [(value.number, value.type)]
        self.outlined[name] = outlined = _OutlinedFunction(entry, params, back)
        first = len(self.blocks)

        def leave(at: BasicBlock, value: Value | None) -> None:
            at.term, at.edges = "jump", [Edge(back, () if value is None else (value,))]
            back.site = at.site

        entry.term, entry.edges = "jump", [Edge(self.inline(function, params, None, leave, (name,)))]
        for block in self.blocks[first:]:
            block.ops = [replace(op, opcode="call.local") if op.opcode == "alloca" else op for op in block.ops]
        number = self.new_value(Int(32))
        if back.site is not None:  # it may never return
            back.ops.append(Op("call.leave", number.number, number.type, (), back.site))
        back.term, back.condition = "switch", number
        self.function = caller
        return outlined


def _called_name(callee: Value) -> str | None:
    """Return the name, with `@`, of a function called directly or through `addrspacecast` and `bitcast`; else None."""
    while isinstance(callee, Expr) and callee.opcode in ("addrspacecast", "bitcast"):
        (callee,) = callee.operands
    return callee.name if isinstance(callee, GlobalRef) else None


def is_modelled_as_intrinsic(name: str) -> bool:
    """Return whether a function's name, with or without `@`, begins with one of `PREFIXES`: its body is not used."""
    return name.removeprefix("@").startswith(PREFIXES)


def flatten(module: Module, function: Function, ptx: bool = True) -> ControlFlowGraph:
    """Build the control-flow graph of a kernel. Raises `Unsupported` if it has too many blocks or calls too deep.

    Args:
        ptx: Whether its inline assembly is NVIDIA's.
    """
    try:
        return _build_graph(_Builder(module, None, ptx), function)
    except _NeedsOutlining:
        return _build_graph(_Builder(module, CallGraph.of(module, function), ptx), function)


def _build_graph(builder: _Builder, function: Function) -> ControlFlowGraph:
    params = tuple(builder.new_value(param.type) for param in function.params)

    def leave(block: BasicBlock, _value: Value | None) -> None:
        block.term, block.site = "exit", None  # shared by all returns, so the edges have the sites

    entry = builder.inline(function, params, None, leave, (function.name,))
    blocks = simplify(entry, builder.blocks, builder.new_value)
    return ControlFlowGraph(blocks, builder.types, params, builder.sites, tuple(builder.calls))
