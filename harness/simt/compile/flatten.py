"""From a kernel and all it calls to one graph of blocks.

Calls of functions with a body are spliced in, or lead to the one copy of the
function (see `calls.py`). Phis become moves on the edges, empty blocks are
jumped over, and a block with one way in joins the one before.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from harness.simt.compile.byval import copy_of
from harness.simt.compile.calls import CallGraph, signature_of
from harness.simt.compile.graph import Edge, FlatBlock, Graph, Op, Ref, Value
from harness.simt.compile.registry import PREFIXES, find
from harness.simt.compile.simplify import simplify
from harness.simt.errors import Unsupported
from harness.simt.ir.module import Asm, Const, Expr, Function, GlobalRef, Instruction, Local, Operand
from harness.simt.ir.parse import Module
from harness.simt.ir.site import Site
from harness.simt.ir.types import Int, OtherType, Type

__all__ = ["flatten"]

DEPTH_LIMIT = 48
BLOCK_LIMIT = 50_000
# What to do with a block where a function returns, and the value that it returns there.
Leave: TypeAlias = Callable[[FlatBlock, Value | None], None]


class _CallsItself(Exception):
    """A function does, or may since it is called through a pointer."""


@dataclass(slots=True, eq=False)
class _Kept:
    """A function whose code stands once.

    Attributes:
        entry: Its first block.
        back: Where it ends: a phi of what it returns, and the ways back to its calls.
    """

    entry: FlatBlock
    params: tuple[Ref, ...]
    back: FlatBlock


class _Builder:
    def __init__(self, module: Module, graph: CallGraph | None, ptx: bool) -> None:
        self.module, self.graph, self.ptx = module, graph, ptx
        self.kept: dict[str, _Kept] = {}
        self.function = ""
        self.calls: list[str] = []
        self.blocks: list[FlatBlock] = []
        self.types: list[Type] = []
        self.sites: list[Site] = []

    def value(self, ty: Type) -> Ref:
        self.types.append(ty)
        return Ref(len(self.types) - 1, ty)

    def site(self, instruction: Instruction, caller: Site | None) -> Site:
        site = Site(len(self.sites), instruction, caller)
        self.sites.append(site)
        return site

    def block(self, name: str) -> FlatBlock:
        if len(self.blocks) >= BLOCK_LIMIT:
            raise Unsupported("a kernel of this size")
        block = FlatBlock(name, function=self.function)
        self.blocks.append(block)
        return block

    def splice(
        self, function: Function, arguments: Sequence[Value], caller: Site | None, leave: Leave, stack: tuple[str, ...]
    ) -> FlatBlock:
        """Adds a function's blocks; returns its entry block.

        Args:
            leave: What to do where it returns.
        """
        results: dict[str, Ref] = {}
        heads: dict[str, FlatBlock] = {}
        for source in function.blocks:
            heads[source.label] = head = self.block(source.label)
            for instruction in source.instructions:
                if instruction.name is None:
                    continue
                made = results[instruction.name] = self.value(instruction.type)
                if instruction.opcode == "phi":
                    head.phis.append((made.number, made.type))
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
                site = self.site(instruction, caller)
                operands = tuple(map(resolve, instruction.operands))
                if instruction.opcode == "call":
                    callee = resolve(instruction.attrs["callee"])
                    result = results[instruction.name] if instruction.name else None
                    following = self.call(block, callee, operands, result, site, stack)
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

    def call(
        self,
        block: FlatBlock,
        callee: Value,
        operands: tuple[Value, ...],
        result: Ref | None,
        site: Site,
        stack: tuple[str, ...],
    ) -> FlatBlock | None:
        """Writes a call of a function with a body, or of a pointer; returns the block after it, or None."""
        name = _named(callee)
        outside = name is not None and (not self.module.defines(name) or replaced(name))
        if outside or isinstance(callee, Asm):
            written = self.written(callee, name, site.instruction)
            if written is None:
                return None
            following, leave = self.following(block, result, site)
            entry = self.splice(written, operands, site.caller, leave, stack)
            block.term, block.edges, block.site = "jump", [Edge(entry)], site
            return following
        if self.graph is None and (name is None or name in stack):
            raise _CallsItself
        following, leave = self.following(block, result, site)
        if name is None or (self.graph is not None and name in self.graph.kept):
            self.jump(block, callee if name is None else name, operands, following, site)
            return following
        if len(stack) > DEPTH_LIMIT:
            raise Unsupported(f"a call {len(stack)} deep")
        function = self.module.function(name)
        arguments = self.copied(function, operands, site, block)
        entry = self.splice(function, arguments, site, leave, (*stack, name))
        block.term, block.edges, block.site = "jump", [Edge(entry)], site
        return following

    def written(self, callee: Value, name: str | None, call: Instruction) -> Function | None:
        """Return inline assembly as a function, or an intrinsic that is expanded; None for any other intrinsic."""
        if isinstance(callee, Asm):
            from harness.simt.compile.assembling import assembled  # late: most kernels have none

            return assembled(call, self.ptx)
        intrinsic = find(name) if name is not None else None
        if intrinsic is None or intrinsic.kind != "expanded":
            return None
        from harness.simt.compile.expanding import expand

        return expand(intrinsic, call)

    def following(self, block: FlatBlock, result: Ref | None, site: Site) -> tuple[FlatBlock, Leave]:
        """The block after a call, and what leads there from where the function returns."""
        following = self.block(f"{block.name}+")
        if not isinstance(site.instruction.type, OtherType):
            result = result or self.value(site.instruction.type)
            following.phis.append((result.number, result.type))

        def leave(at: FlatBlock, value: Value | None) -> None:
            at.term = "jump"
            at.edges = [Edge(following, (value,) if value is not None and following.phis else ())]

        return following, leave

    def copied(self, function: Function, operands: Sequence[Value], site: Site, block: FlatBlock) -> list[Value]:
        """The arguments of a call, with a copy of each that the function has for itself."""
        arguments = list(operands)
        for position, param in enumerate(function.params):
            if param.copied:
                arguments[position], made = copy_of(
                    param, operands[position], self.types, self.sites, site.instruction.location, site.caller
                )
                block.ops += made
        return arguments

    def jump(
        self, block: FlatBlock, callee: Value | str, operands: tuple[Value, ...], following: FlatBlock, site: Site
    ) -> None:
        """Lets a block go to the one copy of a function, or to those that a pointer may name, and come back."""
        assert self.graph is not None
        number = Const(Int(32), len(self.calls))
        self.calls.append(callee.removeprefix("@") if isinstance(callee, str) else "what a pointer names")
        following.resumes = number.value, site
        names = (callee,) if isinstance(callee, str) else self.graph.targets.get(signature_of(site.instruction), ())
        edges = []
        for name in names:
            way, kept = self.block(f"{block.name}>"), self.keep(name)
            way.term, way.site = "jump", site
            arguments = self.copied(self.module.function(name), operands, site, way)
            way.edges = [Edge(kept.entry, tuple(arguments))]
            edges.append(Edge(way))
            if kept.back.edges:
                kept.back.cases = (*kept.back.cases, number.value)
            kept.back.edges.append(
                Edge(following, tuple(Ref(*phi) for phi in kept.back.phis) if following.phis else ())
            )
        block.site, block.edges = site, edges
        if isinstance(callee, str):
            block.term = "jump"
        else:
            which = self.value(Int(32))
            known = tuple(Const(Int(64), self.module.functions.address(name)) for name in names)
            block.ops.append(Op("call.target", which.number, which.type, (callee, *known), site))
            block.term, block.condition = "switch", which
            block.cases, block.edges = tuple(range(1, len(names))), edges
            if not names:
                block.term, block.condition = "unreachable", None
        block.ops.append(Op("call.enter", None, OtherType("void"), (number,), site))

    def keep(self, name: str) -> _Kept:
        """The one copy of a function, spliced in when first called."""
        kept = self.kept.get(name)
        if kept is not None:
            return kept
        function = self.module.function(name)
        params = tuple(self.value(param.type) for param in function.params)
        caller, self.function = self.function, name
        entry, back = self.block(name), self.block(f"{name} returns")
        entry.phis = [(ref.number, ref.type) for ref in params]
        if not isinstance(function.returns, OtherType):
            value = self.value(function.returns)
            back.phis = [(value.number, value.type)]
        self.kept[name] = kept = _Kept(entry, params, back)
        first = len(self.blocks)

        def leave(at: FlatBlock, value: Value | None) -> None:
            at.term, at.edges = "jump", [Edge(back, () if value is None else (value,))]
            back.site = at.site

        entry.term, entry.edges = "jump", [Edge(self.splice(function, params, None, leave, (name,)))]
        for block in self.blocks[first:]:
            block.ops = [replace(op, opcode="call.local") if op.opcode == "alloca" else op for op in block.ops]
        number = self.value(Int(32))
        if back.site is not None:  # it may never return
            back.ops.append(Op("call.leave", number.number, number.type, (), back.site))
        back.term, back.condition = "switch", number
        self.function = caller
        return kept


def _named(callee: Value) -> str | None:
    """The function that a constant names."""
    while isinstance(callee, Expr) and callee.opcode in ("addrspacecast", "bitcast"):
        (callee,) = callee.operands
    return callee.name if isinstance(callee, GlobalRef) else None


def replaced(name: str) -> bool:
    """Whether a library function with a body is modelled as a whole."""
    return name.removeprefix("@").startswith(PREFIXES)


def flatten(module: Module, function: Function, ptx: bool = True) -> Graph:
    """The graph of a kernel.

    Args:
        ptx: Whether its inline assembly is NVIDIA's.
    """
    try:
        return _graph(_Builder(module, None, ptx), function)
    except _CallsItself:
        return _graph(_Builder(module, CallGraph.of(module, function), ptx), function)


def _graph(builder: _Builder, function: Function) -> Graph:
    params = tuple(builder.value(param.type) for param in function.params)

    def leave(block: FlatBlock, _value: Value | None) -> None:
        block.term, block.site = "exit", None  # all that return share it: where, their ways there say

    entry = builder.splice(function, params, None, leave, (function.name,))
    blocks = simplify(entry, builder.blocks, builder.value)
    return Graph(blocks, builder.types, params, builder.sites, tuple(builder.calls))
