"""Declare intrinsics as LLVM instructions (`expands`) or one PTX instruction; build the function a call becomes.

`expands("name")` declares a function of a `Lowering` and of the call's operands, which returns the value of the call
(a tuple for a struct). `expands_to_ptx("name", "text")` declares an intrinsic that is one PTX instruction. The function
raises `NotKnown` if an operand is not constant but must be, or has a value that is not supported.
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

__all__ = ["Expand", "expand_call", "expands", "expands_to_ptx"]

# Returns the result of a call: a tuple for a struct, None for void.
Expand: TypeAlias = Callable[..., Operand | tuple[Operand, ...] | None]
Expansion = TypeVar("Expansion", bound=Expand)


class _InstructionList:
    """A `lowering.InstructionSink` that collects instructions and has no registers."""

    def __init__(self, call: Instruction) -> None:
        self._call = call
        self.lines: list[Instruction] = []

    def add(
        self, opcode: str, ty: Type, operands: Sequence[Operand], attrs: dict[str, Any], flags: Sequence[str] = ()
    ) -> Local | None:
        """Append an instruction; return its value, or None for a void type."""
        name = None if ty == VOID else f"%{len(self.lines)}"
        text, location = self._call.text, self._call.location
        self.lines.append(Instruction(opcode, name, ty, tuple(operands), frozenset(flags), attrs, text, location))
        return None if name is None else Local(name, ty)

    def cast(self, value: Operand, ty: Type) -> Operand:
        """Cast a value's bits to a type: cut bits off, or add zeros.

        Adds cast instructions, except for an integer constant as another integer, and for equal types.
        """
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


def _expand_with(make: Expand, call: Instruction) -> Function:
    """Return the expansion of a call: a function with a parameter for each operand, whose body `make` builds.

    `make` gets a `Lowering` and the operands, constants as such, and may raise `NotKnown`. A tuple that it returns
    becomes a struct; None means that there is no result.
    """
    lines = _InstructionList(call)
    params = tuple(Param(f"%in{place}", operand.type) for place, operand in enumerate(call.operands))
    arguments = (
        operand if isinstance(operand, Const) else Local(param.name, param.type)
        for operand, param in zip(call.operands, params, strict=True)
    )
    result = make(Lowering(lines, _callee_name(call), (), (), call.type), *arguments)
    if isinstance(result, tuple):
        total: Operand = Undef(call.type)
        assert isinstance(call.type, Struct)
        for place, value in enumerate(result):
            total = lines.add("insertvalue", call.type, (total, value), {"indices": (place,)}) or total
        result = total
    lines.add("ret", VOID, () if result is None else (result,), {})
    return Function("", call.type, params, (Block("entry", tuple(lines.lines)),), {}, False)


def _callee_name(call: Instruction) -> str:
    """Return the name of the called intrinsic, without `@`."""
    callee = call.attrs["callee"]
    assert isinstance(callee, GlobalRef)
    return callee.name.removeprefix("@")


def _expand_to_ptx(text: str, call: Instruction) -> Function:
    """Return the function to inline for a call: what the PTX instruction `text` becomes.

    Each of its instructions has the text of the call, not of the PTX. If the PTX is not known, it becomes a call that
    is refused when it runs.
    """
    from harness.simt.compile.assembling import assemble  # late: most kernels have none

    constraints = ",".join(["=r", *("r" for _ in call.operands)])
    attrs = {**call.attrs, "callee": Asm(text, constraints, call.type)}
    function = assemble(replace(call, attrs=attrs), True)
    blocks = (
        replace(block, instructions=tuple(replace(line, text=call.text) for line in block.instructions))
        for block in function.blocks
    )
    return replace(function, blocks=tuple(blocks))


def expands(*names: str, exact: bool = True) -> Callable[[Expansion], Expansion]:
    """Declare, as a decorator, the function that expands calls of intrinsics; for `exact` see `Intrinsic`.

    Raises ValueError if a name is already declared.
    """

    def declare(make: Expansion) -> Expansion:
        registry.expanded(*names, exact=exact)(partial(_expand_with, make))
        return make

    return declare


def expands_to_ptx(name: str, text: str) -> None:
    """Declare an intrinsic that is one PTX instruction: its operands are `$1`, `$2`..., its result is `$0`."""
    registry.expanded(name)(partial(_expand_to_ptx, text))


def expand_call(intrinsic: registry.Intrinsic, call: Instruction) -> Function | None:
    """Return the function to inline for a call of an intrinsic of kind `expanded`, with a parameter for each operand.

    None if there is no function for the operands' types, or an operand that must be constant is not, or has a value
    that is not supported. The call's `nnan` and `ninf` apply to its operands and its result.
    """
    assert intrinsic.handler is not None
    try:
        function: Function = intrinsic.handler(call)
    except NotKnown:
        return None
    return _add_promises(function, call, intrinsic.name) if float_promises(call.flags) else function


def _add_promises(function: Function, call: Instruction, name: str) -> Function:
    """Return a copy of the function that passes its result through `asm:promise`, with the call's `nnan` and `ninf`.

    They apply to parameters and result that are floats or vectors of floats. If the result is neither, return the
    function unchanged. `name`: the intrinsic, for reports.
    """
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
