"""From a kernel and all it calls to one graph of blocks.

Calls of functions with a body are spliced in, phis become moves on the edges,
empty blocks are jumped over, and a block with one way in joins the one before.
"""

from dataclasses import dataclass, field

from .errors import Unsupported
from .ir import Instruction, Local, Location
from .registry import PREFIXES
from .types import Other, Type

__all__ = ["Edge", "FlatBlock", "Graph", "Op", "Ref", "Site", "flatten"]

DEPTH_LIMIT = 48
BLOCK_LIMIT = 50_000


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """An instruction in one place of the call tree; what reports point to.

    Attributes:
        index: Its number in the program.
        caller: The site of the call it was reached by, or None.
    """

    index: int
    instruction: Instruction
    caller: "Site | None" = None

    @property
    def location(self) -> Location | None:
        """The frames from the innermost to the kernel."""
        frames = ()
        at = self
        while at is not None:
            if at.instruction.location:
                frames += at.instruction.location.frames
            at = at.caller
        return Location(frames) if frames else None

    @property
    def source(self):
        """The `Frame` to report, or None without debug information."""
        location = self.location
        return location.source if location else None

    @property
    def text(self) -> str:
        """The instruction as printed."""
        return self.instruction.text


@dataclass(frozen=True, slots=True)
class Ref:
    """A value of the graph by its number."""

    number: int
    type: Type


@dataclass(slots=True, eq=False)
class Op:
    """An instruction with resolved operands.

    Attributes:
        result: The number of its result, or None.
    """

    opcode: str
    result: int | None
    type: Type
    operands: tuple
    site: Site

    @property
    def attrs(self):
        """What is particular to the opcode."""
        return self.site.instruction.attrs

    @property
    def flags(self):
        """The flags of the instruction."""
        return self.site.instruction.flags


@dataclass(slots=True, eq=False)
class Edge:
    """A way to a block and the values that its phis take there."""

    target: "FlatBlock"
    moves: tuple = ()


@dataclass(slots=True, eq=False)
class FlatBlock:
    """A block: phis, instructions and where it goes.

    Attributes:
        phis: (value number, type) of each phi.
        term: `jump`, `branch`, `switch`, `exit` or `unreachable`.
        condition: The operand that chooses the edge, if any.
        cases: The values of a switch; `edges[0]` is its default.
    """

    name: str
    phis: list = field(default_factory=list)
    ops: list = field(default_factory=list)
    term: str = "exit"
    condition: object = None
    cases: tuple = ()
    edges: list = field(default_factory=list)
    site: Site | None = None


@dataclass(slots=True, eq=False)
class Graph:
    """The blocks of a kernel; the first is its entry.

    Attributes:
        types: The type of each value by number.
        params: The values of the kernel's parameters.
    """

    blocks: list
    types: list
    params: tuple
    sites: list


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
    _thread(builder.blocks)
    blocks = _join(entry, builder.blocks)
    return Graph(blocks, builder.types, params, builder.sites)


def _thread(blocks):
    """Lets edges jump over blocks that hold nothing but a jump."""
    for block in blocks:
        for edge in block.edges:
            seen = set()
            while (
                not edge.target.ops
                and not edge.target.phis
                and edge.target.term == "jump"
                and id(edge.target) not in seen
            ):
                seen.add(id(edge.target))
                onward = edge.target.edges[0]
                edge.moves = onward.moves
                edge.target = onward.target


def _join(entry, blocks):
    """Drops blocks that nothing reaches and joins straight lines."""
    ways = {}
    order, stack = [], [entry]
    seen = {id(entry)}
    while stack:
        block = stack.pop()
        order.append(block)
        for edge in block.edges:
            ways[id(edge.target)] = ways.get(id(edge.target), 0) + 1
            if id(edge.target) not in seen:
                seen.add(id(edge.target))
                stack.append(edge.target)
    renamed, gone = {}, set()
    for block in order:
        if id(block) in gone:
            continue
        while block.term == "jump":
            target = block.edges[0].target
            if ways[id(target)] != 1 or target is block or target is entry:
                break
            for (number, _), value in zip(
                target.phis, block.edges[0].moves, strict=True
            ):
                renamed[number] = value
            gone.add(id(target))
            block.ops += target.ops
            block.term, block.site = target.term, target.site
            block.condition, block.cases = target.condition, target.cases
            block.edges = target.edges
    kept = [block for block in order if id(block) not in gone]
    if renamed:
        _rename(kept, renamed)
    return kept


def _rename(blocks, renamed):
    def resolve(operand):
        while type(operand) is Ref and operand.number in renamed:
            operand = renamed[operand.number]
        return operand

    for block in blocks:
        block.condition = resolve(block.condition)
        for op in block.ops:
            op.operands = tuple(map(resolve, op.operands))
        for edge in block.edges:
            edge.moves = tuple(map(resolve, edge.moves))
