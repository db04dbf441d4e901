"""A kernel made ready to run: segments, live values, fixed addresses.

A segment is a piece of a block that lanes run without waiting; what makes them
wait (a barrier, a shuffle) begins a new one. Segments are numbered in the order
they should run, and turned into Python functions when first reached.
"""

from dataclasses import dataclass, field

from . import registry
from .errors import LaunchError, Unsupported
from .flatten import Ref, flatten
from .ir import Expr, GlobalRef
from .order import loop_contiguous
from .types import field_offset, size_of
from .types import leaves as leaves_of
from .values import base_of

__all__ = ["Program", "Segment", "Variable", "compile_kernel"]

EXITS = frozenset({"llvm.nvvm.exit", "llvm.amdgcn.endpgm"})


@dataclass(slots=True, eq=False)
class Segment:
    """A piece of a block.

    Attributes:
        gate: (kind, mask operand, op) of what lanes wait for first, or None.
        live: The values needed here or later, as a bit set of value numbers.
        stores: The values made here that are needed later.
        loop: The number of the outermost loop it is in, or None.
        reads: Whether it can see what other lanes write.
    """

    number: int
    phis: list
    ops: list
    gate: tuple | None = None
    term: str = "jump"
    condition: object = None
    cases: tuple = ()
    edges: list = field(default_factory=list)
    site: object = None
    live: int = 0
    stores: tuple = ()
    loop: int | None = None
    reads: bool = False
    members: int = 0


@dataclass(frozen=True, slots=True)
class Variable:
    """A global variable or an `alloca` with its fixed allocation number."""

    number: int
    name: str
    space: str
    size: int
    rows: str
    writable: bool
    initial: object = None
    site: object = None


@dataclass(slots=True, eq=False)
class Program:
    """What `compile_kernel` makes.

    Attributes:
        segments: In the order of their numbers; 0 is the entry.
        variables: Global variables and allocas.
        params: (value number, Param) for each parameter.
        next_number: The first allocation number that is free.
        functions: Compiled segments, by (number, tracked).
        slots: The register of each leaf, by (value number, leaf).
        origins: What the taints from `LITERAL` on stand for: (text, site).
        fidelity: Operation to `exact`, `approximate`, ...
    """

    function: object
    graph: object
    segments: list
    variables: list
    params: tuple
    target: object
    next_number: int
    addresses: dict
    dynamic: int | None
    slots: dict = field(default_factory=dict)
    functions: dict = field(default_factory=dict)
    origins: list = field(default_factory=list)
    namespace: dict = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The kernel's name."""
        return self.function.name.removeprefix("@")

    def address(self, operand) -> int:
        """The value of a global's address or of a constant expression."""
        match operand:
            case GlobalRef(name):
                if name not in self.addresses:
                    raise Unsupported(f"the address of {name}")
                return self.addresses[name]
            case Expr(_, "getelementptr", (pointer, *indices), attrs):
                at = self.address(pointer)
                ty = attrs["source_type"]
                for number, index in enumerate(indices):
                    step = self.address(index)
                    if number == 0:
                        at += step * size_of(ty)
                    elif hasattr(ty, "fields"):
                        at += field_offset(ty, step)
                        ty = ty.fields[step]
                    else:
                        ty = ty.element
                        at += step * size_of(ty)
                return at
            case Expr(_, "addrspacecast" | "bitcast" | "ptrtoint" | "inttoptr" | "trunc",
                      (value,)):  # fmt: skip
                return self.address(value)
            case Expr(_, opcode, (left, right)) if opcode in FOLD:
                return FOLD[opcode](self.address(left), self.address(right))
        if hasattr(operand, "value"):
            return operand.value
        raise Unsupported(f"constant expression {operand}")


FOLD = {
    "add": int.__add__,
    "sub": int.__sub__,
    "mul": int.__mul__,
    "xor": int.__xor__,
}


def intrinsic_of(op):
    """The registered handler of a call, or None."""
    callee = op.attrs["callee"]
    name = getattr(callee, "name", None)
    if name is None:
        return None
    return registry.find(name)


def compile_kernel(module, kernel, target) -> Program:
    """Prepares one kernel of a module for a target; cached on the module."""
    kernel = _kernel_name(module, kernel)
    key = kernel, target.name
    if key not in module.programs:
        module.programs[key] = _compile(module, f"@{kernel}", target)
    return module.programs[key]


def _kernel_name(module, kernel):
    names = module.kernels
    if kernel is None:
        if len(names) != 1:
            msg = (
                f"the module has {len(names)} kernels, name one of: {', '.join(names)}"
            )
            raise LaunchError(msg)
        return names[0]
    if kernel in names or module.defines(f"@{kernel}"):
        return kernel
    near = [name for name in names if kernel in name]
    if len(near) == 1:
        return near[0]
    raise LaunchError(f"no kernel {kernel!r}; the module has: {', '.join(names)}")


def _compile(module, name, target):
    function = module.function(name)
    graph = flatten(module, function)
    variables, addresses, dynamic = _globals(module, target)
    _allocas(graph, variables)
    segments = _segments(graph)
    _liveness(segments)
    params = tuple(
        (ref.number, param)
        for ref, param in zip(graph.params, function.params, strict=True)
    )
    program = Program(function, graph, segments, variables, params, target,
                      len(variables) + 1, addresses, dynamic)  # fmt: skip
    for segment in segments:
        for number in segment.stores:
            _slot(program, number, graph.types[number])
    for number, param in params:
        _slot(program, number, param.type)
    return program


def _slot(program, number, ty):
    for leaf in range(len(leaves_of(ty))):
        program.slots.setdefault((number, leaf), len(program.slots))


def _globals(module, target):
    variables, addresses, dynamic = [], {}, None
    for one in module.globals.values():
        if one.name.startswith("@llvm."):
            continue
        space = target.space_name(one.space)
        number = len(variables) + 1
        rows = {"shared": "block", "private": "lane"}.get(space, "grid")
        if space == "generic":
            space = "constant" if one.constant else "global"
        size = size_of(one.type)
        if rows == "block" and size == 0 and one.initializer is None:
            dynamic = number
        variables.append(
            Variable(
                number,
                one.name.removeprefix("@"),
                space,
                size,
                rows,
                not one.constant,
                one.initializer,
            )
        )
        addresses[one.name] = base_of(number)
    for position, name in enumerate(module.function_names):
        addresses.setdefault(name, 0x7000_0000 + 16 * position)
    return variables, addresses, dynamic


def _allocas(graph, variables):
    for block in graph.blocks:
        for op in block.ops:
            if op.opcode != "alloca":
                continue
            count = op.attrs["count"]
            count = 1 if count is None else getattr(count, "value", None)
            if count is None:
                raise Unsupported("alloca of a size that is not constant")
            ty = op.attrs["source_type"]
            number = len(variables) + 1
            name = f"local variable {op.site.instruction.name}"
            size = count * size_of(ty)
            op.operands = (number,)
            variables.append(
                Variable(number, name, "private", size, "lane", True, None, op.site)
            )


def _segments(graph):
    order, loops = loop_contiguous(
        graph.blocks, lambda block: [edge.target for edge in block.edges]
    )
    segments, first = [], {}
    for block in order:
        first[id(block)] = len(segments)
        current = Segment(len(segments), block.phis, [])
        segments.append(current)
        gated = None
        for op in block.ops:
            if op.opcode == "call":
                found = intrinsic_of(op)
                if found is not None and found.gate:
                    mask = op.operands[found.mask] if found.mask is not None else None
                    gate = found.gate, mask
                    if found.gate != "warp" or gated != gate:
                        following = Segment(len(segments), [], [], (*gate, op))
                        current.edges = [(following.number, ())]
                        current = following
                        segments.append(current)
                        gated = gate if found.gate == "warp" else None
            current.ops.append(op)
            current.reads |= op.opcode in ("load", "atomicrmw", "cmpxchg", "call")
        current.term, current.condition = block.term, block.condition
        current.cases, current.site = block.cases, block.site
        current.edges = [(edge.target, edge.moves) for edge in block.edges]
        if current.term == "unreachable" and current.ops:
            last = current.ops[-1]
            if last.opcode == "call":
                callee = getattr(last.attrs["callee"], "name", "").removeprefix("@")
                if callee in EXITS:
                    current.term = "exit"
        for number in range(first[id(block)], len(segments)):
            segments[number].loop = loops.get(id(block))
    for segment in segments:
        segment.edges = [
            (target if isinstance(target, int) else first[id(target)], moves)
            for target, moves in segment.edges
        ]
    return segments


def _uses(segment):
    """The values a segment takes from before it, and those it makes."""
    made = {number for number, _ in segment.phis}
    used = set()

    def use(operand):
        if type(operand) is Ref and operand.number not in made:
            used.add(operand.number)

    for op in segment.ops:
        for operand in op.operands:
            use(operand)
        if op.opcode == "call":
            use(op.attrs["callee"])
        if op.result is not None:
            made.add(op.result)
    use(segment.condition)
    for _, moves in segment.edges:
        for operand in moves:
            use(operand)
    if segment.gate and segment.gate[1] is not None:
        use(segment.gate[1])
    return used, made


def _liveness(segments):
    facts = []
    for segment in segments:
        used, made = _uses(segment)
        bits = sum(1 << n for n in used)
        facts.append((bits, sum(1 << n for n in made), made))
    changed = True
    while changed:
        changed = False
        for segment in reversed(segments):
            out = 0
            for target, _ in segment.edges:
                out |= segments[target].live
            used, made, _ = facts[segment.number]
            live = used | (out & ~made)
            if live != segment.live:
                segment.live = live
                changed = True
    for segment in segments:
        out = 0
        for target, _ in segment.edges:
            out |= segments[target].live
        segment.stores = tuple(
            sorted(n for n in facts[segment.number][2] if out >> n & 1)
        )
