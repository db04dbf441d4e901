"""Turns a segment into a Python function over lane arrays.

The function takes the engine, the lanes and the values of the phis. It keeps
its values in local variables, puts those that are needed later into registers,
and hands its lanes on. With each value it carries its taint: None, or for each lane
the number of where an undefined value came from.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, cast

import numpy as np

from harness.simt.compile.emitters import EMITTERS
from harness.simt.compile.fidelity import note_fidelity
from harness.simt.compile.graph import Value
from harness.simt.compile.program import Program, SegmentFunction
from harness.simt.compile.segments import Segment
from harness.simt.compile.writer import Writer
from harness.simt.errors import Unsupported
from harness.simt.ir.types import bits_of, leaves
from harness.simt.ir.values import bfloat_round, wrap_int
from harness.simt.ops import aggregate, floating, integer, poison, undefined

__all__ = ["function_of"]

for name in ("aggregate", "call", "compute", "memory"):  # which declare their emitters
    import_module(f"harness.simt.compile.emit_{name}")
CHECKED = 32  # instructions: after so many the time is looked at


def _source(w: Writer, segment: Segment) -> str:
    """The source of a segment's function."""
    names = [f"{number}_{leaf}" for number, ty in segment.phis for leaf in range(len(leaves(ty)))]
    if names:
        targets = [f"{letter}{name}" for letter in "vt" for name in names]
        w.line(f"{', '.join(targets)}, = P")
        for number, ty in segment.phis:
            w.have |= {(number, leaf) for leaf in range(len(leaves(ty)))}
    for number, op in enumerate(segment.ops, 1):
        w.site = op.site
        if number % CHECKED == 0:
            w.line("X.check_time()")
        if (use := w.program.lacking.get(op.site)) is not None:
            w.line(f"X.checks.report_lacking(A, {w.bind('S', op.site)}, {w.bind('U', use)})")
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
    lines = ["M, R = X.memory, X.registers", *w.lines, *_stores(w, segment), *ends]
    return "\n ".join(["def run(X, A, P):", *lines]) + "\n"


def _stores(w: Writer, segment: Segment) -> list[str]:
    """The line that puts into registers what is needed later, if anything is."""
    items = ""
    for number in segment.stores:
        for leaf in range(len(leaves(w.program.graph.types[number]))):
            items += f"({number}, {w.program.slots[number] + leaf}, v{number}_{leaf}, t{number}_{leaf}), "
    return [f"R.store(A, ({items}))"] if items else []


def _moves(w: Writer, moves: Sequence[Value]) -> str:
    names = [name for value in moves for name in w.values(value)]
    names += [name for value in moves for name in w.taints(value)]
    return f"({', '.join(names)},)" if names else "()"


def _end(w: Writer, segment: Segment) -> list[str]:
    """The lines that hand the lanes on; fetches go to the body."""
    site = w.bind("S", segment.site) if segment.site else "None"
    match segment.term:
        case "exit":
            return [f"X.exit(A, {site})"]
        case "unreachable":
            return [f"X.checks.fail_unreachable(A, {site})"]
        case "jump":
            target, moves = segment.edges[0]
            return [f"X.chunk.push({target}, A, {_moves(w, moves)})"]
        case "branch" | "switch":
            assert segment.condition is not None
            condition, taint = w.value(segment.condition), w.joined(segment.condition)
            half = 1 << bits_of(segment.condition.type) - 1
            cases = tuple((case + half) % (2 * half) - half if half > 1 else case & 1 for case in segment.cases)
            edges = ", ".join(f"({target}, {_moves(w, moves)})" for target, moves in segment.edges)
            told = cases if segment.term == "switch" else None
            return [f"X.branch(A, {condition}, {told}, ({edges},), {site}, {taint})"]
    raise AssertionError(segment.term)


def function_of(program: Program, segment: Segment) -> SegmentFunction:
    """The compiled function of a segment; made when first asked for."""
    function = program.made.functions.get(segment.number)
    if function is None:
        note_fidelity(program, segment)
        writer = Writer(program)
        source = _source(writer, segment)
        space = {**NAMESPACE, **writer.names}
        name = f"<segment {segment.number} of {program.name}>"
        exec(compile(source, name, "exec"), space)  # our own source
        function = program.made.functions[segment.number] = cast(SegmentFunction, space["run"])
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
