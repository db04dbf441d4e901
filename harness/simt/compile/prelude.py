"""The prelude: intrinsics that only compute, each declared by a function in LLVM IR that takes the place of its calls.

Both engines inline that function, so values, undefined values, poison and findings follow from one statement; findings
stand at the call. A function has one block, and no load, store or flag in it. Its name is the intrinsic's, and ends
with a type where the intrinsic has functions for several types. LLVM lets nobody define names that begin with `llvm.`,
so files leave that out: `@nvvm.mulhi.i`. A call on vectors that has no function of its own becomes a call for each
element.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from harness.simt.compile import registry
from harness.simt.compile.lowering import NotKnown
from harness.simt.ir.module import Block, Const, Function, GlobalRef, Instruction, Local, Operand, Param, Undef
from harness.simt.ir.parse import Module
from harness.simt.ir.types import Int, Pointer, Type, Vector

__all__ = ["FOLDER", "declare", "intrinsic_name", "module_of"]

FOLDER = Path(__file__).parent.parent / "intrinsics" / "prelude"
COMMENT = re.compile(r"^\s*;.*\n", re.MULTILINE)
OVERLOAD = re.compile(r"\.(?:v\d+)?(?:i\d+|bf16|f\d+)$")
SHORTENED = re.compile(r"@(?!llvm\.|air\.|\")")


@cache
def module_of(file: str) -> Module:
    """Return the functions of a file of the prelude; each body is decoded when it is first asked for."""
    text = COMMENT.sub("", (FOLDER / f"{file}.ll").read_text("utf-8"))
    return Module(SHORTENED.sub("@llvm.", text))


def intrinsic_name(function: str) -> str:
    """Return the intrinsic that a function of the prelude declares; the function's name begins with `@`."""
    return _without_types(function.removeprefix("@").strip('"'))


def _without_types(name: str) -> str:
    while match := OVERLOAD.search(name):
        name = name[: match.start()]
    return name


def declare(file: str) -> None:
    """Declare the intrinsics of a file of the prelude."""
    module = module_of(file)
    by_name: defaultdict[str, list[str]] = defaultdict(list)
    for function in module.function_names:
        by_name[intrinsic_name(function)].append(function)
    for name, functions in by_name.items():
        exact = " #" not in module.line_of(functions[0])  # the one group of attributes: `"fidelity"="approximate"`
        registry.expanded(name, exact=exact)(partial(_expand, module, tuple(functions)))


def _expand(module: Module, names: tuple[str, ...], call: Instruction) -> Function:
    """Return the function that takes the place of a call; its instructions have the call's text and location."""
    function = _overload(module, names, call.type, tuple(operand.type for operand in call.operands))
    if function is None:
        return _by_element(call)
    (block,) = function.blocks
    lines = (replace(each, text=call.text, location=call.location) for each in block.instructions)
    return replace(function, blocks=(Block(block.label, tuple(lines)),))


@cache
def _overload(module: Module, names: tuple[str, ...], returns: Type, takes: tuple[Type, ...]) -> Function | None:
    """Return the function with these types, or None."""
    for name in names:
        head = module.function(name, body=False)
        if head.returns == returns and tuple(param.type for param in head.params) == takes:
            return module.function(name)
    return None


def _by_element(call: Instruction) -> Function:
    """Return a call on vectors as calls of the same intrinsic on their elements.

    Raises:
        NotKnown: It is no call on vectors, so there is no function for its types.
    """
    if not isinstance(call.type, Vector):
        raise NotKnown
    params = tuple(Param(f"%in{number}", operand.type) for number, operand in enumerate(call.operands))
    lines = tuple(_element_calls(call, call.type, params))
    return Function("", call.type, params, (Block("entry", lines),), {}, False)


def _element_calls(call: Instruction, ty: Vector, params: tuple[Param, ...]) -> Iterator[Instruction]:
    """Yield the instructions that take vectors apart, compute each element, and put the result together."""
    callee = call.attrs["callee"]
    assert isinstance(callee, GlobalRef)
    scalar = GlobalRef(_without_types(callee.name), Pointer())
    total: Operand = Undef(ty)

    def line(opcode: str, name: str | None, ty: Type, *operands: Operand, **attrs: object) -> Instruction:
        return Instruction(opcode, name, ty, operands, frozenset(), attrs, call.text, call.location)

    for place in range(ty.length):
        index = Const(Int(32), place)
        arguments: list[Operand] = []
        for param in params:
            argument: Operand = Local(param.name, param.type)
            if isinstance(param.type, Vector):
                element = Local(f"{param.name}.{place}", param.type.element)
                yield line("extractelement", element.name, element.type, argument, index)
                argument = element
            arguments.append(argument)
        result = Local(f"%result{place}", ty.element)
        yield line("call", result.name, result.type, *arguments, callee=scalar)
        yield line("insertelement", f"%total{place}", ty, total, result, index)
        total = Local(f"%total{place}", ty)
    yield line("ret", None, ty, total)
