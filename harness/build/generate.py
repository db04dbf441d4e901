"""The Mojo that joins a kernel to MAX and to the compiler, made from the catalogue.

Kernels are called with literals: inside a kernel `WARP_SIZE`, and a size made from it,
belong to the target, but as an argument of a call they are worked out for the host.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from harness.build import blame, versions
from harness.build.compiler import writing
from harness.build.redefined import stand_ins
from harness.build.toolchain import LEVELS
from harness.build.unit import BuildUnit
from harness.errors import CompileError
from harness.model.case import ScalarArgument, TensorArgument
from harness.model.sources import GENERATED
from harness.model.target import Target
from harness.process.child import temporary_folder

__all__ = ["at_home", "device_program", "imports", "layout_of", "ops", "sizes", "type_of", "types"]

_OF_GENERATED = re.compile(rf"{GENERATED.name}/\w+\.mojo:\d+:\d+: error: (?:constraint failed: )?(.*)")
_TENSORS = "from layout import TileTensor\nfrom layout.tile_layout import row_major"
_LAYOUTS = "from layout import Layout, LayoutTensor"


def ops(units: Sequence[BuildUnit], *, reference: bool = False) -> str:
    """A module that registers a MAX op for each unit.

    Args:
        units: Distinct cases.
        reference: Whether the ops run the sequential references instead of launching the kernels.
    """
    head = [
        '"""The MAX ops of these kernels."""',
        "from extensibility import InputTensor, _MutableInputTensor, register",
        *types(_tensors(units)),  # a parameter may be the type of a layout, of a reference too
        "from max.gpu.host import DeviceContext, Dim, FuncAttribute",
        *imports(units),
    ]
    made = []
    for number, unit in enumerate(units):
        body = _reference(unit) if reference else [_checked(unit, number), *_alignment(unit), *_launch(unit)]
        made += [*([] if reference else [_check(unit, number)]), _op(unit, number, body)]
    return "\n\n\n".join(["\n".join(head), *made]) + "\n"


def device_program(parts: Sequence[tuple[BuildUnit, Target]], mark: str = "") -> str:
    """A program whose compilation gives the device code of kernels; it is never run.

    The host's IR of it passes the code of part N to a function `llvm_N` and `asm_N`, with the mark behind it.
    """
    units = [unit for unit, _ in parts]
    head = [
        '"""The device code of these kernels."""',
        *types(_tensors(units)),
        "from max.gpu.host import get_gpu_target",
        "from std.compile import compile_info",
        "from std.ffi import external_call",
        *imports(units),
    ]
    body = ["def main():"]
    for number, (unit, target) in enumerate(parts):
        where = f'target=get_gpu_target["{target.architecture}"]()'
        body += [f"# {unit.case.id} for {target}", f"_ = compile_info[_check_{number}, {where}]()"]
        for level in LEVELS:
            code = f"{level}_{number}{mark}"
            body.append(f'var {code} = compile_info[{_kernel(unit)}, {where}, emission_kind="{level}"]()')
            body.append(f'external_call["{code}", NoneType]({code}.asm.unsafe_ptr())')
    checks = []
    for number, unit in enumerate(units):
        checks += [_check(unit, number), f"def _check_{number}():\n    {_checked(unit, number)}"]
    return "\n\n\n".join(["\n".join(head), *checks, "\n    ".join(body)]) + "\n"


def at_home(
    error: CompileError,
    units: tuple[BuildUnit, ...],
    compiles: Callable[[tuple[BuildUnit, ...]], object] | None = None,
) -> CompileError:
    """The same error; what it says of lines that were generated is said of the kernels' file.

    Args:
        error: Of a compilation of these units alone.
        units: Of one case, whose file is at fault.
        compiles: Compiles other units in the same way. Where no check of ours has failed, an empty kernel then
            shows whether the kernel is to blame at all.

    Raises:
        EnvironmentFault: What is generated does not compile, whatever the kernel; or the installed pair is not
            tested, and our own solution does not compile either.
    """
    said = re.split(r"\n(?=\S)", error.diagnostics)
    generated = filter(None, map(_OF_GENERATED.match, said))
    if compiles and any(_meant(match[1], units) is None for match in generated):
        _require_sound(units, compiles)
    if compiles:
        error = blame.attribute(error, units, compiles)
    parts = dict.fromkeys(_at_home(part, units) for part in said)  # each once
    return type(error)(str(error), "\n".join(parts))


def _require_sound(units: tuple[BuildUnit, ...], compiles: Callable[[tuple[BuildUnit, ...]], object]) -> None:
    """Compiles what is generated around empty kernels."""
    with temporary_folder() as folder:
        empty = folder / f"{units[0].module}.mojo"
        kernels = dict.fromkeys(map(_empty, units))
        with writing(folder):
            stated = [f"comptime {name} = {value}" for name, value in units[0].case.stated.items()]
            head = "\n".join([*types(_tensors(units)), *stated])
            empty.write_text("\n\n\n".join([head, *kernels]) + "\n", encoding="utf-8")
        try:
            compiles(tuple(replace(unit, file=empty) for unit in units))
        except CompileError as error:
            raise versions.own_fault(f"what the harness generates around {units[0].case.id}", error) from None


def _empty(unit: BuildUnit) -> str:
    """A kernel that takes what the catalogue says and does nothing."""
    parameters = ", ".join(f"{name}: {_kind(value)}" for name, value in unit.parameters.items())
    arguments = ", ".join(f"{argument.name}: {type_of(argument)}" for argument in unit.arguments)
    head = f"def {unit.kernel.name}" + (f"[{parameters}]" if parameters else "")
    return f"{head}({arguments}):\n    pass"


def _kind(value: int | str) -> str:
    """The type of a compile-time parameter."""
    if not isinstance(value, str):
        return "Int"
    return "AnyType" if value.startswith("type_of(") else value.split(".")[0]


def _meant(text: str, units: Sequence[BuildUnit]) -> BuildUnit | None:
    """The unit whose kernel does not fit the catalogue, where an error of a generated line says that; else None."""
    for number, unit in enumerate(units):
        checks = (message for _, message in (*sizes(unit), *_takes(unit)))
        if re.search(rf"_takes_{number}\b", text) or _no_kernel(unit).match(text) or text.startswith(tuple(checks)):
            return unit
    return None


def _no_kernel(unit: BuildUnit) -> re.Pattern[str]:
    return re.compile(rf"(?:module|package) '\w+' has no declaration '{unit.kernel.name}'")


def _at_home(said: str, units: Sequence[BuildUnit]) -> str:
    match = _OF_GENERATED.match(said)
    if not match:
        return said
    unit = _meant(match[1], units) or units[0]
    kernel, text = unit.kernel.name, match[1]
    takes = f"({', '.join(argument.name for argument in unit.arguments)})"
    if "_takes_" in text:  # a type that nobody needs to read
        text = f"{kernel} must take {takes}, return nothing and raise nothing"
    if _no_kernel(unit).match(text):
        text = f"there is no kernel {kernel} here: a function of this name must take {takes}"
    name = text.split()[0] if text.split()[0] in unit.constants else kernel
    return unit.error_at(rf"(comptime|def)\s+{name}\b", text)


def types(tensors: Iterable[TensorArgument]) -> list[str]:
    """The imports of the types that kernels take."""
    layouts = any(tensor.form == "layout" for tensor in tensors)
    return [_TENSORS, *([_LAYOUTS] if layouts else [])]


def _tensors(units: Iterable[BuildUnit]) -> Iterator[TensorArgument]:
    return (tensor for unit in units for tensor in unit.tensors)


def imports(units: Iterable[BuildUnit]) -> list[str]:
    """The imports of the files that hold them."""
    return [f"import {module}" for module in dict.fromkeys(unit.module for unit in units)]


def _kernel(unit: BuildUnit, *more: int) -> str:
    """The kernel with its compile-time parameters."""
    values = ", ".join(map(str, (*unit.parameters.values(), *more)))
    return f"{unit.module}.{unit.kernel.name}" + (f"[{values}]" if values else "")


def type_of(argument: TensorArgument | ScalarArgument) -> str:
    """The Mojo type of an argument."""
    if isinstance(argument, ScalarArgument):
        return f"Scalar[DType.{argument.dtype.name}]"
    dtype = f"DType.{argument.dtype.name}"
    origin = "MutAnyOrigin" if argument.writable else "ImmutAnyOrigin"
    if argument.form == "pointer":
        return f"UnsafePointer[Scalar[{dtype}], {origin}]"
    if argument.form == "layout":
        return f"LayoutTensor[{dtype}, {layout_of(argument)}, {origin}]"
    return f"TileTensor[mut={argument.writable}, {dtype}, type_of({layout_of(argument)}), {origin}]"


def layout_of(tensor: TensorArgument) -> str:
    """Where a tensor's elements lie, as Mojo writes it."""
    extents = ", ".join(map(str, tensor.shape))
    return f"Layout.row_major({extents})" if tensor.form == "layout" else f"row_major[{extents}]()"


def _check(unit: BuildUnit, number: int) -> str:
    """A function that compiles only if the kernel's file and the catalogue agree."""
    names = [f"T{place}" for place in range(len(unit.arguments))]
    types = ", ".join(f"{name}: AnyType" for name in names)
    lines = [f"def _takes_{number}[{types}, //, kernel: def({', '.join(names)}) thin -> None]() -> Bool:"]
    lines += [f"comptime assert {condition}, {json.dumps(text)}" for condition, text in (*sizes(unit), *_takes(unit))]
    return "\n    ".join([*lines, "return True"])


def sizes(unit: BuildUnit) -> list[tuple[str, str]]:
    """What the sizes that a kernel's file states must be, and how that is said."""
    wanted: dict[str, tuple[str, int | None]] = {name: (name, value) for name, value in unit.constants.items()}
    changed, size = unit.case.constants, unit.case.resized
    kept = stand_ins(unit.file.read_text(encoding="utf-8"), changed) if changed else {}
    for name in changed:
        if name not in unit.instance.constants:  # it is a parameter, or no kernel needs it
            continue
        documented = size.documented if size and size.constant == name else None
        if name not in kept:
            return [("False", f"there must be a line `comptime {name} = {documented or '...'}`")]
        wanted[name] = kept[name], documented
    known = [(name, held, value) for name, (held, value) in wanted.items() if value is not None]
    return [(f"{unit.module}.{held} == {value}", f"{name} must be {value}") for name, held, value in known]


def _takes(unit: BuildUnit) -> list[tuple[str, str]]:
    """The same of the types that a kernel takes, `T0` and on."""
    wanted = [(argument.name, type_of(argument)) for argument in unit.arguments]
    of = f" of {unit.kernel.name}" if len(unit.case.kernels) > 1 else ""
    return [
        (f"T{at} == {type_}", f"the argument {name}{of} must be a {type_}") for at, (name, type_) in enumerate(wanted)
    ]


def _checked(unit: BuildUnit, number: int) -> str:
    return f"comptime assert _takes_{number}[{_kernel(unit)}]()"


def _op(unit: BuildUnit, number: int, body: Sequence[str]) -> str:
    parameters = "".join(f", {name}: Int" for name in unit.launch.parameters())
    arguments = []
    for tensor in unit.tensors:
        read_only = not tensor.writable and tensor.name not in unit.handed_on
        kind = "InputTensor" if read_only else "_MutableInputTensor"
        arguments.append(f"{tensor.name}: {kind}[dtype=DType.{tensor.dtype.name}, rank={len(tensor.shape)}, ...],")
    arguments += [f"{scalar.name}: {type_of(scalar)}," for scalar in unit.scalars]
    lines = [
        "@staticmethod",
        f"def execute[target: StaticString{parameters}](",
        *(f"    {line}" for line in (*arguments, "ctx: DeviceContext,")),
        ") raises:",
        *(f"    {line}" for line in body),
    ]
    head = [f'@register("{unit.op}")', f"struct Op{number}:", f'    """{unit.case.id}: {unit.case.title}."""', ""]
    return "\n".join([*head, *(f"    {line}" for line in lines)])


def _alignment(unit: BuildUnit) -> list[str]:
    lines = []
    for tensor in unit.tensors:
        if tensor.alignment > 1:
            text = f"{unit.case.id}: {tensor.name} is not aligned to {tensor.alignment} bytes"
            lines.append(f"if Int({tensor.name}.unsafe_ptr()) % {tensor.alignment} != 0:")
            lines.append(f"    raise Error({json.dumps(text)})")
    return lines


def _launch(unit: BuildUnit) -> list[str]:
    launch, lines = unit.launch, []
    for argument in unit.arguments:
        if isinstance(argument, TensorArgument):
            lines.append(f"{_passed(argument)},")
        else:
            lines.append(f"{argument.name},")
    given = launch.parameters()
    for kind in ("grid", "block", "cluster"):
        extents = [f"{kind}_{axis}" if f"{kind}_{axis}" in given else "1" for axis in "xyz"]
        if extents != ["1", "1", "1"]:
            lines.append(f"{kind}_dim=Dim({', '.join(extents)}),")
    if launch.shared_bytes:
        lines.append(f"shared_mem_bytes={launch.shared_bytes},")
        lines.append(f"func_attribute=FuncAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES({launch.shared_bytes}),")
    return [f"ctx.enqueue_function[{_kernel(unit)}](", *(f"    {line}" for line in lines), ")"]


def _passed(tensor: TensorArgument) -> str:
    """A tensor of an op as its kernel takes it."""
    pointer = f"{tensor.name}.unsafe_ptr()"
    if tensor.form == "pointer":
        return pointer
    if tensor.form == "layout":
        return f"{type_of(tensor)}({pointer})"
    return f"TileTensor[mut={tensor.writable}]({pointer}, {layout_of(tensor)})"


def _reference(unit: BuildUnit) -> list[str]:
    """A call with every tensor as a span of its elements, and the warp width as the last parameter."""
    lines = []
    for argument in unit.arguments:
        if isinstance(argument, TensorArgument):
            lines.append(f"Span(unsafe_ptr={argument.name}.unsafe_ptr(), length={argument.elements}),")
        else:
            lines.append(f"{argument.name},")
    return [f"{_kernel(unit, unit.instance.width)}(", *(f"    {line}" for line in lines), ")"]
