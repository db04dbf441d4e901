"""Copy `byval` structs: for a callee at its call, and for each lane the kernel parameters that the kernel changes.

LLVM passes them as a `byval` pointer; the copy is made between the caller and the callee.
See: https://llvm.org/docs/LangRef.html#parameter-attributes
"""

from harness.simt.compile.graph import ControlFlowGraph, Op, Ref, Value
from harness.simt.compile.parameters import ParameterUses
from harness.simt.ir.module import Const, Function, GlobalRef, Instruction, Location, Param
from harness.simt.ir.site import Site
from harness.simt.ir.types import Int, OtherType, Pointer, Type, size_of

__all__ = ["copy_modified_parameters", "make_copy"]

MEMCPY = GlobalRef("@llvm.memcpy.p0.p0.i64", Pointer())


def make_copy(
    param: Param,
    source: Value,
    types: list[Type],
    sites: list[Site],
    location: Location | None = None,
    caller: Site | None = None,
) -> tuple[Ref, list[Op]]:
    """Return the address of a copy of the struct that a `byval` parameter points to, and the instructions that make it.

    The instructions, `alloca` and a call of `memcpy`, are not added to a block: that is the caller's.

    Args:
        param: The parameter.
        source: The address of the caller's struct.
        types: The graph's types; the new value's is appended.
        sites: The graph's sites; those of the new instructions are appended.
        location: The location of the call.
        caller: The site of the enclosing call, if any.
    """
    assert param.indirect is not None

    def op(opcode: str, name: str | None, ty: Type, operands: tuple[Value, ...], **attrs: object) -> Op:
        text = f"{param.name} passed by value"
        instruction = Instruction(opcode, name, ty, (), frozenset(), attrs, text, location)
        sites.append(Site(len(sites), instruction, caller))
        return Op(opcode, copy.number if name else None, ty, operands, sites[-1])

    types.append(Pointer())
    copy = Ref(len(types) - 1, Pointer())
    size, plain = Const(Int(64), size_of(param.indirect)), Const(Int(1), 0)
    return copy, [
        op("alloca", f"{param.name}, the callee's copy", Pointer(), (), source_type=param.indirect, count=None),
        op("call", None, OtherType("void"), (copy, source, size, plain), callee=MEMCPY),
    ]


def copy_modified_parameters(function: Function, graph: ControlFlowGraph, uses: ParameterUses) -> bool:
    """Give each lane its own copy of each `byval` parameter in `uses.changed`; the others stay shared.

    The graph changes in place: the entry block makes the copies, and all instructions use them.

    Returns:
        Whether any parameter was copied.
    """
    prologue: list[Op] = []
    renamed: dict[int, Ref] = {}
    for position, (ref, param) in enumerate(zip(graph.params, function.params, strict=True)):
        if param.copied and position in uses.changed:
            renamed[ref.number], copy_ops = make_copy(param, ref, graph.types, graph.sites)
            prologue += copy_ops

    def resolve(operand: Value) -> Value:
        return renamed.get(operand.number, operand) if isinstance(operand, Ref) else operand

    if renamed:
        for block in graph.blocks:
            block.replace_values(resolve)
        graph.blocks[0].ops[:0] = prologue
    return bool(renamed)
