"""Intrinsics that are written with others and with LLVM's own instructions: both engines then run one definition.

`expands("name")` declares a function of a `Lowering` and of the call's operands, which returns the value of the call
(a tuple for a struct). `spelled("name", "text")` declares an intrinsic that is an instruction of PTX.
Where an operand must be constant and is not, or has a value that is not known, the function raises `NotKnown`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias, TypeVar

from harness.simt.compile import registry
from harness.simt.compile.lowering import VOID, Lowering, NotKnown
from harness.simt.ir.assembly import Part
from harness.simt.ir.module import Asm, Block, Const, Function, GlobalRef, Instruction, Local, Operand, Param, Undef
from harness.simt.ir.ptx_types import register_casts
from harness.simt.ir.types import Float, Int, Pointer, Struct, Type, element_of
from harness.simt.ops.poison_rules import float_promises

__all__ = ["Expand", "expand", "expands", "spelled"]

# Returns the value of a call; a tuple for a struct, None where it has none.
Expand: TypeAlias = Callable[..., Operand | tuple[Operand, ...] | None]
Made = TypeVar("Made", bound=Expand)


class _Lines:
    """The instructions of an expansion; a `lowering.Target` without registers."""

    def __init__(self, call: Instruction) -> None:
        self._call = call
        self.lines: list[Instruction] = []

    def add(
        self, opcode: str, ty: Type, operands: Sequence[Operand], attrs: dict[str, Any], flags: Sequence[str] = ()
    ) -> Local | None:
        """See `lowering.Target`."""
        name = None if ty == VOID else f"%{len(self.lines)}"
        text, location = self._call.text, self._call.location
        self.lines.append(Instruction(opcode, name, ty, tuple(operands), frozenset(flags), attrs, text, location))
        return None if name is None else Local(name, ty)

    def cast(self, value: Operand, ty: Type) -> Operand:
        """See `lowering.Target`."""
        if isinstance(value, Const) and isinstance(value.type, Int) and isinstance(ty, Int):
            return Const(ty, value.value & (1 << min(value.type.bits, ty.bits)) - 1)
        for opcode, step in register_casts(value.type, ty):
            value = self.add(opcode, step, (value,), {}) or value
        return value

    def value(self, register: str) -> Operand:
        """Raise `NotKnown`: there are no registers."""
        raise NotKnown

    def read(self, part: Part, ty: Type) -> Operand:
        """Raise `NotKnown`: there are no registers."""
        raise NotKnown

    def write(self, part: Part, value: Operand) -> None:
        """Raise `NotKnown`: there are no registers."""
        raise NotKnown

    def width(self, part: Part) -> int:
        """Return 0: there are no registers."""
        return 0


def _function(make: Expand, call: Instruction) -> Function:
    """Return a call as a function of its operands; constants stand in it as they are."""
    lines = _Lines(call)
    params = tuple(Param(f"%in{place}", operand.type) for place, operand in enumerate(call.operands))
    given = (
        operand if isinstance(operand, Const) else Local(param.name, param.type)
        for operand, param in zip(call.operands, params, strict=True)
    )
    made = make(Lowering(lines, _callee(call), (), (), call.type), *given)
    if isinstance(made, tuple):
        total: Operand = Undef(call.type)
        assert isinstance(call.type, Struct)
        for place, value in enumerate(made):
            total = lines.add("insertvalue", call.type, (total, value), {"indices": (place,)}) or total
        made = total
    lines.add("ret", VOID, () if made is None else (made,), {})
    return Function("", call.type, params, (Block("entry", tuple(lines.lines)),), {}, False)


def _callee(call: Instruction) -> str:
    """Return the name of the intrinsic that is called, without its `@`."""
    callee = call.attrs["callee"]
    assert isinstance(callee, GlobalRef)
    return callee.name.removeprefix("@")


def _assembly(text: str, call: Instruction) -> Function:
    """Return a call as the function that an instruction of PTX is."""
    from harness.simt.compile.assembling import assembled  # late: most kernels have none

    constraints = ",".join(["=r", *("r" for _ in call.operands)])
    attrs = {**call.attrs, "callee": Asm(text, constraints, call.type)}
    function = assembled(replace(call, attrs=attrs), True)
    blocks = (
        replace(block, instructions=tuple(replace(line, text=call.text) for line in block.instructions))
        for block in function.blocks
    )
    return replace(function, blocks=tuple(blocks))


def expands(*names: str, exact: bool = True) -> Callable[[Made], Made]:
    """Declare how calls of intrinsics are written with other instructions; `exact` as of an `Intrinsic`."""

    def declare(make: Made) -> Made:
        registry.expanded(*names, exact=exact)(partial(_function, make))
        return make

    return declare


def spelled(name: str, text: str) -> None:
    """Declare an intrinsic that is an instruction of PTX, whose operands are `$1`, `$2` and whose result is `$0`."""
    registry.expanded(name)(partial(_assembly, text))


def expand(intrinsic: registry.Intrinsic, call: Instruction) -> Function | None:
    """Return a call of an expanded intrinsic as a function of its operands; None where these are not known."""
    assert intrinsic.handler is not None
    try:
        function: Function = intrinsic.handler(call)
    except NotKnown:
        return None
    return _with_promises(function, call, intrinsic.name) if float_promises(call.flags) else function


def _with_promises(function: Function, call: Instruction, name: str) -> Function:
    """Return the function with what a call's flags rule out of its operands and its result."""
    if not isinstance(element_of(call.type), Float):
        return function
    *blocks, last = function.blocks
    *lines, ret = last.instructions
    floats = [Local(param.name, param.type) for param in function.params if isinstance(element_of(param.type), Float)]
    operands = (*ret.operands, *floats)
    attrs = {"callee": GlobalRef("@asm:promise", Pointer()), "what": name}
    line = replace(call, name="%promised", operands=operands, flags=frozenset(float_promises(call.flags)), attrs=attrs)
    lines += [line, replace(ret, operands=(Local("%promised", call.type),))]
    return replace(function, blocks=(*blocks, Block(last.label, tuple(lines))))
