"""Turns a segment into a Python function over lane arrays.

The function takes the engine, the lanes and the values of the phis. It keeps
its values in local variables, puts those that are needed later into registers,
and hands its lanes on. A tracked function also carries the taint of each value:
None, or for each lane the number of where an undefined value came from.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np

from harness.simt.compile.emit import EMITTERS
from harness.simt.compile.graph import Value
from harness.simt.compile.program import Program, SegmentFunction
from harness.simt.compile.segments import Segment
from harness.simt.compile.writer import Writer
from harness.simt.errors import Unsupported
from harness.simt.ir.types import bits_of, leaves
from harness.simt.ir.values import bfloat_round, wrap_int
from harness.simt.ops import aggregate, floating, integer, poison, undefined

__all__ = ["function_of"]

WORD = re.compile(r"\b[A-Z]+\b")
# What the lines of a function call the parts of the engine.
PARTS = {
    "M": "X.memory",
    "R": "X.registers",
    "RL": "X.registers.lanes",
    "RV": "X.registers.values",
    "RT": "X.registers.taints",
    "RU": "X.registers.taint_lanes",
}
CHECKED = 32  # instructions: after so many the time is looked at


def _source(w: Writer, segment: Segment) -> str:
    """The source of a segment's function."""
    names = [f"{number}_{leaf}" for number, ty in segment.phis for leaf in range(len(leaves(ty)))]
    if names:
        targets = [f"v{name}" for name in names]
        if w.tracked:
            targets += [f"t{name}" for name in names]
        w.line(f"{', '.join(targets)}, = P")
        for number, ty in segment.phis:
            w.have |= {(number, leaf) for leaf in range(len(leaves(ty)))}
    for number, op in enumerate(segment.ops, 1):
        w.site = op.site
        if number % CHECKED == 0:
            w.line("X.check_time()")
        try:
            if op.opcode not in EMITTERS:
                raise Unsupported(op.opcode)
            EMITTERS[op.opcode](w, op)
        except Unsupported as error:
            place = op.site.source
            raise Unsupported(
                error.what,
                f"{error.what} is not supported, in kernel {w.program.name}" + (f", at {place}" if place else ""),
            ) from error
    w.site = segment.site
    ends = _end(w, segment)  # what they fetch comes before all of them
    lines = [*w.lines, *_stores(w, segment), *ends]
    words = set(WORD.findall(" ".join(lines)))
    heads = [f"{name} = {part}" for name, part in PARTS.items() if name in words]
    return "\n ".join(["def run(X, A, P):", *heads, *lines]) + "\n"


def _stores(w: Writer, segment: Segment) -> Iterator[str]:
    """The lines that put into registers what is needed later."""
    stores = [
        (number, leaf, w.program.slots[number] + leaf)
        for number in segment.stores
        for leaf in range(len(leaves(w.program.graph.types[number])))
    ]
    if not stores:
        return
    mask = sum(1 << number for number in segment.stores)
    items = "".join(
        f"({number}, {slot}, v{number}_{leaf}" + (f", t{number}_{leaf}), " if w.tracked else "), ")
        for number, leaf, slot in stores
    )
    yield f"if R.others & {mask:#x}:"
    yield f" R.merge(A, ({items}))"
    yield "else:"
    for number, leaf, slot in stores:
        name = f"v{number}_{leaf}"
        yield f" RV[{slot}] = {name}"
        yield f" RL[{slot}] = None if len({name}) == 1 else A"
        if w.tracked:
            yield f" RT[{slot}] = t{number}_{leaf}"
            yield f" RU[{slot}] = A"


def _moves(w: Writer, moves: Sequence[Value]) -> str:
    names = [name for value in moves for name in w.values(value)]
    if w.tracked:
        names += [name for value in moves for name in w.taints(value)]
    return f"({', '.join(names)},)" if names else "()"


def _end(w: Writer, segment: Segment) -> list[str]:
    """The lines that hand the lanes on; fetches go to the body."""
    site = w.bind("S", segment.site) if segment.site else "None"
    match segment.term:
        case "exit":
            return [f"X.exit(A, {site})"]
        case "unreachable":
            return [f"X.checks.unreachable(A, {site})"]
        case "jump":
            target, moves = segment.edges[0]
            return [f"X.chunk.push({target}, A, {_moves(w, moves)})"]
        case "branch" | "switch":
            assert segment.condition is not None
            condition, taint = w.value(segment.condition), w.joined(segment.condition)
            half = 1 << bits_of(segment.condition.type) - 1
            cases = tuple((case + half) % (2 * half) - half for case in segment.cases)
            edges = ", ".join(f"({target}, {_moves(w, moves)})" for target, moves in segment.edges)
            told = cases if segment.term == "switch" else None
            return [f"X.branch(A, {condition}, {told}, ({edges},), {site}, {taint})"]
    raise AssertionError(segment.term)


def function_of(program: Program, segment: Segment, tracked: bool) -> SegmentFunction:
    """The compiled function of a segment; made when first asked for."""
    key = segment.number, tracked
    function = program.made.functions.get(key)
    if function is None:
        writer = Writer(program, tracked)
        source = _source(writer, segment)
        space = {**NAMESPACE, **writer.names}
        name = f"<segment {segment.number} of {program.name}>"
        exec(compile(source, name, "exec"), space)  # our own source
        function = program.made.functions[key] = cast(SegmentFunction, space["run"])
    return function


def _namespace() -> dict[str, Any]:
    names = ("sdiv", "srem", "udiv", "urem", "shl", "lshr", "ashr", "unsigned")
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
