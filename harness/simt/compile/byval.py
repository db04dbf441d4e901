"""Structs passed by value: the callee has a copy of its own, which it may change.

LLVM passes them as a `byval` pointer; the copy is made between the caller and the callee.
See: https://llvm.org/docs/LangRef.html#parameter-attributes
"""

from harness.simt.compile.graph import Graph, Op, Ref, Value
from harness.simt.compile.parameters import Uses
from harness.simt.ir.module import Const, Function, GlobalRef, Instruction, Location, Param
from harness.simt.ir.site import Site
from harness.simt.ir.types import Int, OtherType, Pointer, Type, size_of

__all__ = ["copy_changed", "copy_of"]

MEMCPY = GlobalRef("@llvm.memcpy.p0.p0.i64", Pointer())


def copy_of(
    param: Param,
    source: Value,
    types: list[Type],
    sites: list[Site],
    location: Location | None = None,
    caller: Site | None = None,
) -> tuple[Ref, list[Op]]:
    """The address of a copy of what a `byval` parameter points to, and the instructions that make it.

    Args:
        param: The parameter.
        source: Where the caller has the struct.
        types: The graph's, to which the new value is added.
        sites: The graph's, to which the new instructions are added.
        location: Of the call.
        caller: The site of the call in which that call stands, if any.
    """
    assert param.indirect is not None

    def op(opcode: str, name: str | None, ty: Type, operands: tuple[Value, ...], **attrs: object) -> Op:
        text = f"{param.name} passed by value"
        instruction = Instruction(opcode, name, ty, (), frozenset(), attrs, text, location)
        sites.append(Site(len(sites), instruction, caller))
        return Op(opcode, own.number if name else None, ty, operands, sites[-1])

    types.append(Pointer())
    own = Ref(len(types) - 1, Pointer())
    size, plain = Const(Int(64), size_of(param.indirect)), Const(Int(1), 0)
    return own, [
        op("alloca", f"{param.name}, the callee's copy", Pointer(), (), source_type=param.indirect, count=None),
        op("call", None, OtherType("void"), (own, source, size, plain), callee=MEMCPY),
    ]


def copy_changed(function: Function, graph: Graph, uses: Uses) -> bool:
    """Gives each lane its own copy of the `byval` parameters that a kernel may store to; the others stay shared.

    Returns:
        Whether there was one.
    """
    begin: list[Op] = []
    renamed: dict[int, Ref] = {}
    for position, (ref, param) in enumerate(zip(graph.params, function.params, strict=True)):
        if param.copied and position in uses.changed:
            renamed[ref.number], made = copy_of(param, ref, graph.types, graph.sites)
            begin += made

    def resolve(operand: Value) -> Value:
        return renamed.get(operand.number, operand) if isinstance(operand, Ref) else operand

    if renamed:
        for block in graph.blocks:
            block.rename(resolve)
        graph.blocks[0].ops[:0] = begin
    return bool(renamed)
