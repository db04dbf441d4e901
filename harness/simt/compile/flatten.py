"""From a kernel and all it calls to one graph of blocks.

Calls of functions with a body are spliced in, phis become moves on the edges,
empty blocks are jumped over, and a block with one way in joins the one before.
"""

from harness.simt.compile.graph import Edge, FlatBlock, Graph, Op, Ref, Site
from harness.simt.compile.registry import PREFIXES
from harness.simt.compile.simplify import simplify
from harness.simt.errors import Unsupported
from harness.simt.ir.module import Local
from harness.simt.ir.types import Other

__all__ = ["flatten"]

DEPTH_LIMIT = 48
BLOCK_LIMIT = 50_000


class _Builder:
    def __init__(self, module):
        self.module = module
        self.blocks = []
        self.types = []
        self.sites = []

    def value(self, ty):
        self.types.append(ty)
        return Ref(len(self.types) - 1, ty)

    def site(self, instruction, caller):
        site = Site(len(self.sites), instruction, caller)
        self.sites.append(site)
        return site

    def block(self, name):
        if len(self.blocks) >= BLOCK_LIMIT:
            raise Unsupported("a kernel of this size")
        block = FlatBlock(name)
        self.blocks.append(block)
        return block

    def splice(self, function, arguments, caller, leave, stack):
        """Adds a function's blocks; returns its entry block.

        Args:
            leave: Takes (block, operand or None, site) where it returns.
        """
        env = dict(zip((p.name for p in function.params), arguments, strict=False))
        heads, incoming = {}, {}
        for source in function.blocks:
            heads[source.label] = head = self.block(source.label)
            for one in source.instructions:
                if one.name is not None:
                    env[one.name] = self.value(one.type)
                if one.opcode == "phi":
                    head.phis.append((env[one.name].number, one.type))

        def resolve(operand):
            return env[operand.name] if type(operand) is Local else operand

        for source in function.blocks:
            incoming[source.label] = [
                dict(zip(one.attrs["labels"], map(resolve, one.operands), strict=True))
                for one in source.instructions
                if one.opcode == "phi"
            ]

        def edge(start, label):
            return Edge(heads[label], tuple(one[start] for one in incoming[label]))

        for source in function.blocks:
            block = heads[source.label]
            for one in source.instructions:
                if one.opcode == "phi":
                    continue
                site = self.site(one, caller)
                operands = tuple(map(resolve, one.operands))
                if one.opcode == "call":
                    following = self.call(block, one, operands, env, site, stack)
                    if following is not None:
                        block = following
                        continue
                if one.opcode in ("br", "switch"):
                    labels = one.attrs["labels"]
                    block.edges = [edge(source.label, label) for label in labels]
                    block.term = "jump" if len(labels) == 1 else one.opcode
                    block.term = "branch" if block.term == "br" else block.term
                    block.condition = operands[0] if operands else None
                    block.cases = one.attrs.get("cases", ())
                    block.site = site
                elif one.opcode == "ret":
                    block.site = site
                    leave(block, operands[0] if operands else None, site)
                elif one.opcode == "unreachable":
                    block.site = site
                    block.term = "unreachable"
                else:
                    result = env[one.name].number if one.name else None
                    block.ops.append(Op(one.opcode, result, one.type, operands, site))
        return heads[function.blocks[0].label]

    def call(self, block, one, operands, env, site, stack):
        """Splices in a call of a function with a body, or returns None."""
        name = getattr(one.attrs["callee"], "name", None)
        if name in env:
            one_callee = env[name]
            name = getattr(one_callee, "name", None)
        if name is None or not self.module.defines(name) or replaced(name):
            return None
        if name in stack or len(stack) > DEPTH_LIMIT:
            return None
        function = self.module.function(name)
        following = self.block(f"{block.name}+")
        if not isinstance(one.type, Other):
            result = env[one.name] if one.name else self.value(one.type)
            following.phis.append((result.number, one.type))

        def leave(at, value, _site):
            at.term = "jump"
            at.edges = [Edge(following, (value,) if following.phis else ())]

        entry = self.splice(function, operands, site, leave, (*stack, name))
        block.term, block.edges = "jump", [Edge(entry)]
        return following


def replaced(name: str) -> bool:
    """Whether a library function with a body is modelled as a whole."""
    return name.removeprefix("@").startswith(PREFIXES)


def flatten(module, function) -> Graph:
    """The graph of a kernel."""
    builder = _Builder(module)
    params = tuple(builder.value(param.type) for param in function.params)

    def leave(block, _value, _site):
        block.term = "exit"

    entry = builder.splice(function, params, None, leave, (function.name,))
    blocks = simplify(entry, builder.blocks)
    return Graph(blocks, builder.types, params, builder.sites)
