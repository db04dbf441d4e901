"""Generate, compile and cache a segment's Python function: phis, register stores, branches; opcodes by `emitters`.

The function takes the engine, the lanes and the values of the phis. It holds values in local variables, stores those
that are needed later in registers, and passes its lanes on. Each value has a taint: None, or origin numbers of
undefined values for each lane.
"""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, cast

import numpy as np

from harness.simt.compile.emitters import EMITTERS
from harness.simt.compile.fidelity import record_fidelity
from harness.simt.compile.graph import Value
from harness.simt.compile.launch_cache import SegmentFunction
from harness.simt.compile.program import Program
from harness.simt.compile.segments import Segment
from harness.simt.compile.writer import Writer
from harness.simt.errors import Unsupported
from harness.simt.ir.types import bits_of, leaves
from harness.simt.ir.values import bfloat_round, wrap_int
from harness.simt.ops import aggregate, floating, integer, poison, undefined

__all__ = ["generate_function"]

for name in ("aggregate", "call", "compute", "memory"):  # importing a module registers its emitters
    import_module(f"harness.simt.compile.emit_{name}")
CHECKED = 32  # instructions between two checks of the time limit


def _generate_source(w: Writer, segment: Segment) -> str:
    """Return the Python source of a segment's function, `run(X, A, P)`, of the engine, the lanes and the phis' values.

    The writer then has the lines and the objects that they name. The code checks the time limit every `CHECKED`
    instructions, and reports capabilities that the target lacks.

    Raises:
        Unsupported: An instruction has no emitter, or its emitter refuses it; the message names kernel and line.
    """
    names = [f"{number}_{leaf}" for number, ty in segment.phis for leaf in range(len(leaves(ty)))]
    if names:
        targets = [f"{letter}{name}" for letter in "vt" for name in names]
        w.add_line(f"{', '.join(targets)}, = P")
        for number, ty in segment.phis:
            w.defined |= {(number, leaf) for leaf in range(len(leaves(ty)))}
    for number, op in enumerate(segment.ops, 1):
        w.site = op.site
        if number % CHECKED == 0:
            w.add_line("X.check_time()")
        if (use := w.program.lacking.get(op.site)) is not None:
            w.add_line(f"X.checks.report_lacking(A, {w.bind('S', op.site)}, {w.bind('U', use)})")
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
    ends = _terminator_lines(w, segment)  # before the join below, since it may add lines to the body
    lines = ["M, R = X.memory, X.registers", *w.lines, *_register_stores(w, segment), *ends]
    return "\n ".join(["def run(X, A, P):", *lines]) + "\n"


def _register_stores(w: Writer, segment: Segment) -> list[str]:
    """Return the line that stores values that are needed later into registers; empty if there are none."""
    items = ""
    for number in segment.stores:
        for leaf in range(len(leaves(w.program.graph.types[number]))):
            items += f"({number}, {w.program.slots[number] + leaf}, v{number}_{leaf}, t{number}_{leaf}), "
    return [f"R.store(A, ({items}))"] if items else []


def _phi_values(w: Writer, moves: Sequence[Value]) -> str:
    names = [name for value in moves for name in w.values(value)]
    names += [name for value in moves for name in w.taints(value)]
    return f"({', '.join(names)},)" if names else "()"


def _terminator_lines(w: Writer, segment: Segment) -> list[str]:
    """Return the lines that end the lanes, pass them on to the successors, or at `unreachable` fail the launch.

    Lines that fetch values for these are added to the writer.
    """
    site = w.bind("S", segment.site) if segment.site else "None"
    match segment.term:
        case "exit":
            return [f"X.exit(A, {site})"]
        case "unreachable":
            return [f"X.checks.fail_unreachable(A, {site})"]
        case "jump":
            target, moves = segment.edges[0]
            return [f"X.chunk.push({target}, A, {_phi_values(w, moves)})"]
        case "branch" | "switch":
            assert segment.condition is not None
            condition, taint = w.value(segment.condition), w.combined_taint(segment.condition)
            half = 1 << bits_of(segment.condition.type) - 1
            cases = tuple((case + half) % (2 * half) - half if half > 1 else case & 1 for case in segment.cases)
            edges = ", ".join(f"({target}, {_phi_values(w, moves)})" for target, moves in segment.edges)
            case_values = cases if segment.term == "switch" else None
            return [f"X.branch(A, {condition}, {case_values}, ({edges},), {site}, {taint})"]
    raise AssertionError(segment.term)


def generate_function(program: Program, segment: Segment) -> SegmentFunction:
    """Return the compiled Python function of a segment; it is generated when first asked for, and cached.

    Generating also records the fidelity of the segment's instructions.

    Raises:
        Unsupported: The interpreter does not know an instruction; the message names kernel and line.
    """
    function = program.cache.functions.get(segment.number)
    if function is None:
        record_fidelity(program, segment)
        writer = Writer(program)
        source = _generate_source(writer, segment)
        space = {**NAMESPACE, **writer.names}
        name = f"<segment {segment.number} of {program.name}>"
        exec(compile(source, name, "exec"), space)  # our own source
        function = program.cache.functions[segment.number] = cast(SegmentFunction, space["run"])
    return function


def _build_namespace() -> dict[str, Any]:
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


NAMESPACE = _build_namespace()
