"""Turns a segment into a Python function over lane arrays.

The function takes the engine, the lanes and the values of the phis. It keeps
its values in local variables, puts those that are needed later into registers,
and hands its lanes on. A tracked function also carries the taint of each value:
None, or for each lane the number of where an undefined value came from.
"""

import numpy as np

from harness.simt.compile.emit import EMITTERS
from harness.simt.compile.graph import Ref
from harness.simt.errors import Unsupported
from harness.simt.ir.module import Asm, Metadata, Undef
from harness.simt.ir.types import leaves
from harness.simt.ir.values import LITERAL, bfloat_round, constant_leaves, wrap_int
from harness.simt.ops import aggregate, floating, integer, poison, undefined

__all__ = ["Writer", "function_of"]


class Writer:
    """Collects the lines of one segment's function.

    Attributes:
        names: The constants and functions the lines refer to.
        tracked: Whether taints are carried.
    """

    def __init__(self, program, segment, tracked):
        self.program, self.segment, self.tracked = program, segment, tracked
        self.lines = []
        self.names = {}
        self.have = set()
        self._constants = {}

    def line(self, text):
        """Adds a line."""
        self.lines.append(text)

    def bind(self, prefix, thing):
        """A name for something that the lines refer to."""
        name = f"{prefix}{len(self.names)}"
        self.names[name] = thing
        return name

    def values(self, operand):
        """The names of an operand's leaves."""
        if type(operand) is Ref:
            count = len(leaves(operand.type))
            for leaf in range(count):
                self._fetch(operand.number, leaf)
            return [f"v{operand.number}_{leaf}" for leaf in range(count)]
        if isinstance(operand, Metadata | Asm):
            return []
        key = id(operand)
        if key not in self._constants:
            arrays = constant_leaves(operand, self.program.address)
            for array in arrays:
                array.setflags(write=False)
            self._constants[key] = operand, [self.bind("K", a) for a in arrays]
        return self._constants[key][1]

    def value(self, operand):
        """The name of an operand with one leaf."""
        return self.values(operand)[0]

    def taints(self, operand):
        """The names of the taints of an operand's leaves, or `None` for each."""
        if type(operand) is Ref:
            self.values(operand)
            count = len(leaves(operand.type))
            return [f"t{operand.number}_{leaf}" for leaf in range(count)]
        if isinstance(operand, Undef):
            return [self.undefined(operand)] * len(leaves(operand.type))
        return ["None"] * len(self.values(operand))

    def undefined(self, operand):
        """The taint of a literal `undef` or `poison`, as an array of length 1."""
        kind = "poison" if operand.poison else "undef"
        return self.bind("U", np.array([self.origin(kind)], np.int32))

    def origin(self, kind, source=""):
        """The number of undefined values that come from the op that is written."""
        origins = self.program.origins
        origins.append((kind, source, self.site))
        return LITERAL + len(origins) - 1

    def define(self, op, expressions, taints=()):
        """Assigns the leaves of an op's result."""
        for leaf, expression in enumerate(expressions):
            self.line(f"v{op.result}_{leaf} = {expression}")
            self.have.add((op.result, leaf))
            if self.tracked:
                self.line(f"t{op.result}_{leaf} = {taints[leaf]}")

    def joined(self, *operands):
        """The expression of the combined taint of operands, each taken as a whole."""
        if not self.tracked:
            return "None"
        parts = [name for one in operands for name in self.taints(one) if name != "None"]
        if not parts:
            return "None"
        return self.whole(parts[0]) if len(parts) == 1 else f"taints({', '.join(parts)})"

    def whole(self, name):
        """The expression of a taint with one number for each lane."""
        return name if name == "None" else f"(None if {name} is None else whole({name}))"

    def _fetch(self, number, leaf):
        if (number, leaf) in self.have:
            return
        self.have.add((number, leaf))
        slot = self.program.slots[number, leaf]
        self.line(f"v{number}_{leaf} = RV[{slot}] if RL[{slot}] is A or RL[{slot}] is None else R.fetch({slot}, A)")
        if self.tracked:
            self.line(f"t{number}_{leaf} = R.fetch_taint({slot}, A)")

    def text(self):
        """The source of the function."""
        segment = self.segment
        slots = self.program.slots
        names = [f"{number}_{leaf}" for number, ty in segment.phis for leaf in range(len(leaves(ty)))]
        if names:
            targets = [f"v{name}" for name in names]
            if self.tracked:
                targets += [f"t{name}" for name in names]
            self.line(f"{', '.join(targets)}, = P")
            for number, ty in segment.phis:
                self.have |= {(number, leaf) for leaf in range(len(leaves(ty)))}
        for op in segment.ops:
            self.site = op.site
            try:
                if op.opcode not in EMITTERS:
                    raise Unsupported(op.opcode)
                EMITTERS[op.opcode](self, op)
            except Unsupported as error:
                place = op.site.source
                raise Unsupported(
                    error.what,
                    f"{error.what} is not supported, in kernel {self.program.name}"
                    + (f", at {place}" if place else ""),
                ) from error
        self.site = segment.site
        ends = self._end()
        stores = [
            (number, leaf, slots[number, leaf])
            for number in segment.stores
            for leaf in range(len(leaves(self.program.graph.types[number])))
        ]
        if stores:
            mask = sum(1 << number for number in segment.stores)
            items = "".join(
                f"({number}, {slot}, v{number}_{leaf}" + (f", t{number}_{leaf}), " if self.tracked else "), ")
                for number, leaf, slot in stores
            )
            self.line(f"if R.others & {mask:#x}:")
            self.line(f" R.merge(A, ({items}))")
            self.line("else:")
            for number, leaf, slot in stores:
                name = f"v{number}_{leaf}"
                self.line(f" RV[{slot}] = {name}")
                self.line(f" RL[{slot}] = None if len({name}) == 1 else A")
                if self.tracked:
                    self.line(f" RT[{slot}] = t{number}_{leaf}")
                    self.line(f" RU[{slot}] = A")
        self.lines += ends
        body = "\n ".join(self.lines or ["pass"])
        head = "M, R = X.memory, X.registers; RL, RV = R.lanes, R.values"
        if self.tracked:
            head += "; RT, RU = R.taints, R.taint_lanes"
        return f"def run(X, A, P):\n {head}\n {body}\n"

    def _moves(self, moves):
        names = [name for one in moves for name in self.values(one)]
        if self.tracked:
            names += [name for one in moves for name in self.taints(one)]
        return f"({', '.join(names)},)" if names else "()"

    def _end(self):
        """The lines that hand the lanes on; fetches go to the body."""
        segment = self.segment
        site = self.bind("S", segment.site) if segment.site else "None"
        match segment.term:
            case "exit":
                return ["X.exit(A)"]
            case "unreachable":
                return [f"X.checks.unreachable(A, {site})"]
            case "jump":
                target, moves = segment.edges[0]
                return [f"X.chunk.push({target}, A, {self._moves(moves)})"]
            case "branch":
                condition = self.value(segment.condition)
                taint = self.joined(segment.condition)
                (yes, yes_moves), (no, no_moves) = segment.edges
                return [
                    f"X.branch(A, {condition}, {yes}, {self._moves(yes_moves)}, "
                    f"{no}, {self._moves(no_moves)}, {site}, {taint})"
                ]
            case "switch":
                edges = ", ".join(f"({target}, {self._moves(moves)})" for target, moves in segment.edges)
                bits = segment.condition.type.bits
                half, full = 1 << (bits - 1), 1 << bits
                cases = tuple((c + half) % full - half for c in segment.cases)
                taint = self.joined(segment.condition)
                return [f"X.switch(A, {self.value(segment.condition)}, {cases}, ({edges},), {site}, {taint})"]
        raise AssertionError(segment.term)


def function_of(program, segment, tracked):
    """The compiled function of a segment; made when first asked for."""
    key = segment.number, tracked
    found = program.functions.get(key)
    if found is None:
        writer = Writer(program, segment, tracked)
        source = writer.text()
        space = {**NAMESPACE, **writer.names}
        name = f"<segment {segment.number} of {program.name}>"
        exec(compile(source, name, "exec"), space)  # our own source
        found = program.functions[key] = space["run"]
    return found


def _namespace():
    names = ("sdiv", "sdiv_power", "srem", "udiv", "urem", "shl", "lshr", "ashr", "unsigned")
    return {
        **{name: getattr(integer, name) for name in names},
        **{name: getattr(module, name) for module in (aggregate, undefined) for name in module.__all__},
        **poison.FUNCTIONS,
        "fma": floating.fma,
        "fmod": np.fmod,
        "wrap_int": wrap_int,
        "bfloat_round": bfloat_round,
        "i8": np.dtype(np.int64),
    }


NAMESPACE = _namespace()
