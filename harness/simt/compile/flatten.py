"""From a kernel and all it calls to one graph of blocks.

Calls of functions with a body are spliced in, phis become moves on the edges,
empty blocks are jumped over, and a block with one way in joins the one before.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from harness.simt.compile.byval import copy_of
from harness.simt.compile.graph import Edge, FlatBlock, Graph, Op, Ref, Value
from harness.simt.compile.registry import PREFIXES
from harness.simt.compile.simplify import simplify
from harness.simt.errors import Unsupported
from harness.simt.ir.module import Function, GlobalRef, Instruction, Local, Operand
from harness.simt.ir.parse import Module
from harness.simt.ir.site import Site
from harness.simt.ir.types import Other, Type

__all__ = ["flatten"]

DEPTH_LIMIT = 48
BLOCK_LIMIT = 50_000
# What to do with a block where a function returns, and the value that it returns there.
Leave: TypeAlias = Callable[[FlatBlock, Value | None], None]


class _Builder:
    def __init__(self, module: Module) -> None:
        self.module = module
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
        block = FlatBlock(name)
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
        """Splices in a call of a function with a body, or returns None."""
        name = callee.name if isinstance(callee, GlobalRef) else None
        if name is None or not self.module.defines(name) or replaced(name):
            return None
        if name in stack or len(stack) > DEPTH_LIMIT:
            return None
        function = self.module.function(name)
        following = self.block(f"{block.name}+")
        if not isinstance(site.instruction.type, Other):
            result = result or self.value(site.instruction.type)
            following.phis.append((result.number, result.type))

        def leave(at: FlatBlock, value: Value | None) -> None:
            at.term = "jump"
            at.edges = [Edge(following, (value,) if value is not None and following.phis else ())]

        arguments = list(operands)
        for position, param in enumerate(function.params):
            if param.copied:
                arguments[position], made = copy_of(
                    param, operands[position], self.types, self.sites, site.instruction.location, site.caller
                )
                block.ops += made
        entry = self.splice(function, arguments, site, leave, (*stack, name))
        block.term, block.edges, block.site = "jump", [Edge(entry)], site
        return following


def replaced(name: str) -> bool:
    """Whether a library function with a body is modelled as a whole."""
    return name.removeprefix("@").startswith(PREFIXES)


def flatten(module: Module, function: Function) -> Graph:
    """The graph of a kernel."""
    builder = _Builder(module)
    params = tuple(builder.value(param.type) for param in function.params)

    def leave(block: FlatBlock, _value: Value | None) -> None:
        block.term = "exit"

    entry = builder.splice(function, params, None, leave, (function.name,))
    blocks = simplify(entry, builder.blocks)
    return Graph(blocks, builder.types, params, builder.sites)
