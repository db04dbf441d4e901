"""How named variables are told."""

from harness.simt.compile.emitters import emits
from harness.simt.compile.graph import Op
from harness.simt.compile.writer import Writer

__all__ = []


@emits("variable")
def variable(w: Writer, op: Op) -> None:
    values = [value for operand in op.operands for value in w.values(operand)]
    if op.attrs["variable"].shape:
        w.line("if X.observation.on_index:")
        w.line(f" X.observation.emit_index({w.bind('S', op.site)}, A, ({', '.join(values)},))")
        return
    if len(values) == 1:  # of a struct no one value is the variable's
        taint = w.joined(op.operands[0])
        w.line("if X.observation.on_variable:")
        w.line(f" X.observation.emit_variable({w.bind('S', op.site)}, A, {values[0]}, {taint})")
