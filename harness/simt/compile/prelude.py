"""Declare intrinsics that only compute by LLVM IR files in `intrinsics/prelude`; expand calls, vectors by element.

Both engines inline that function, so values, undefined values, poison and findings follow from one definition; findings
are reported at the call. A function has one block, without loads, stores or flags. Its name is the intrinsic's,
followed by a type if the intrinsic has functions for several types. LLVM reserves names that begin with `llvm.`, so
files omit the prefix: `@nvvm.mulhi.i`. A call on vectors that has no function for vectors becomes a call for each
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

__all__ = ["FOLDER", "declare_file", "intrinsic_name", "load_module"]

FOLDER = Path(__file__).parent.parent / "intrinsics" / "prelude"
COMMENT = re.compile(r"^\s*;.*\n", re.MULTILINE)
OVERLOAD = re.compile(r"\.(?:v\d+)?(?:i\d+|bf16|f\d+)$")
SHORTENED = re.compile(r"@(?!llvm\.|air\.|\")")


@cache
def load_module(file: str) -> Module:
    """Return the functions of a prelude file, named without `.ll`, from a cache.

    Each body is decoded when it is first asked for.
    """
    text = COMMENT.sub("", (FOLDER / f"{file}.ll").read_text("utf-8"))
    return Module(SHORTENED.sub("@llvm.", text))


def intrinsic_name(function: str) -> str:
    """Return the name of the intrinsic that a function of the prelude defines: the function's without `@` and types."""
    return _without_types(function.removeprefix("@").strip('"'))


def _without_types(name: str) -> str:
    while match := OVERLOAD.search(name):
        name = name[: match.start()]
    return name


def declare_file(file: str) -> None:
    """Declare the intrinsics that a prelude file defines, as expanded; ValueError if one is already declared."""
    module = load_module(file)
    by_name: defaultdict[str, list[str]] = defaultdict(list)
    for function in module.function_names:
        by_name[intrinsic_name(function)].append(function)
    for name, functions in by_name.items():
        exact = " #" not in module.line_of(functions[0])  # the one group of attributes: `"fidelity"="approximate"`
        registry.expanded(name, exact=exact)(partial(_expand, module, tuple(functions)))


def _expand(module: Module, names: tuple[str, ...], call: Instruction) -> Function:
    """Return the function to inline for a call; its instructions get the call's text and location.

    A call on vectors without a function of its own goes element by element.

    Raises:
        NotKnown: There is no function for the call's types, and its result is no vector.
    """
    function = _find_overload(module, names, call.type, tuple(operand.type for operand in call.operands))
    if function is None:
        return _expand_by_element(call)
    (block,) = function.blocks
    lines = (replace(each, text=call.text, location=call.location) for each in block.instructions)
    return replace(function, blocks=(Block(block.label, tuple(lines)),))


@cache
def _find_overload(module: Module, names: tuple[str, ...], returns: Type, takes: tuple[Type, ...]) -> Function | None:
    """Return the function with the given result and parameter types, or None."""
    for name in names:
        head = module.function(name, body=False)
        if head.returns == returns and tuple(param.type for param in head.params) == takes:
            return module.function(name)
    return None


def _expand_by_element(call: Instruction) -> Function:
    """Return a function that applies a call on vectors to their elements, one by one.

    Raises:
        NotKnown: Its result is no vector, so there is no function for its types.
    """
    if not isinstance(call.type, Vector):
        raise NotKnown
    params = tuple(Param(f"%in{number}", operand.type) for number, operand in enumerate(call.operands))
    lines = tuple(_element_calls(call, call.type, params))
    return Function("", call.type, params, (Block("entry", lines),), {}, False)


def _element_calls(call: Instruction, ty: Vector, params: tuple[Param, ...]) -> Iterator[Instruction]:
    """Yield the instructions that extract elements, call the intrinsic for each, insert the results into a vector, and
    return it. Operands that are no vectors are passed to each call.
    """
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
