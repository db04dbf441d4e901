"""Generate the Mojo around kernels: MAX ops, programs for device code; move errors in it to the kernels' file.

Kernels are called with literals: as arguments, sizes computed from `WARP_SIZE` would be the host's, not the target's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from harness.build import blame, versions
from harness.build.compiler import disk_errors
from harness.build.redefined import choose_stand_ins
from harness.build.toolchain import LEVELS
from harness.build.unit import BuildUnit
from harness.errors import CompileError
from harness.model.case import ScalarArgument, TensorArgument
from harness.model.sources import GENERATED
from harness.model.target import Target
from harness.process.child import temporary_folder

__all__ = [
    "generate_device_program",
    "generate_ops",
    "module_imports",
    "mojo_layout",
    "mojo_type",
    "relocate_error",
    "size_checks",
    "type_imports",
]

_OF_GENERATED = re.compile(rf"{GENERATED.name}/\w+\.mojo:\d+:\d+: error: (?:constraint failed: )?(.*)")
_TENSORS = "from layout import TileTensor\nfrom layout.tile_layout import row_major"
_LAYOUTS = "from layout import Layout, LayoutTensor"


def generate_ops(units: Sequence[BuildUnit], *, reference: bool = False) -> str:
    """Generate a module that registers a MAX op for each unit; their op names must differ.

    With `reference` the ops run the sequential references instead of launching the kernels.
    """
    head = [
        '"""The MAX ops of these kernels."""',
        "from extensibility import InputTensor, _MutableInputTensor, register",
        *type_imports(_tensors(units)),  # a parameter may be the type of a layout, of a reference too
        "from max.gpu.host import DeviceContext, Dim, FuncAttribute",
        *module_imports(units),
    ]
    definitions = []
    for number, unit in enumerate(units):
        if reference:
            definitions.append(_generate_op(unit, number, _generate_reference_call(unit)))
            continue
        body = [_assert_check(unit, number), *_generate_alignment_checks(unit), *_generate_launch(unit)]
        definitions += [_generate_check(unit, number), _generate_op(unit, number, body)]
    return "\n\n\n".join(["\n".join(head), *definitions]) + "\n"


def generate_device_program(kernels: Sequence[tuple[BuildUnit, Target]], suffix: str = "") -> str:
    """Generate a program whose compilation gives the device code of kernels; it is never run.

    The host's IR passes the code of kernel N, from 0, to the functions `llvm_N` and `asm_N`, with `suffix` appended.
    """
    units = [unit for unit, _ in kernels]
    head = [
        '"""The device code of these kernels."""',
        *type_imports(_tensors(units)),
        "from max.gpu.host import get_gpu_target",
        "from std.compile import compile_info",
        "from std.ffi import external_call",
        *module_imports(units),
    ]
    body = ["def main():"]
    for number, (unit, target) in enumerate(kernels):
        where = f'target=get_gpu_target["{target.architecture}"]()'
        body += [f"# {unit.case.id} for {target}", f"_ = compile_info[_check_{number}, {where}]()"]
        for level in LEVELS:
            code = f"{level}_{number}{suffix}"
            body.append(f'var {code} = compile_info[{_kernel_expression(unit)}, {where}, emission_kind="{level}"]()')
            body.append(f'external_call["{code}", NoneType]({code}.asm.unsafe_ptr())')
    checks = []
    for number, unit in enumerate(units):
        checks += [_generate_check(unit, number), f"def _check_{number}():\n    {_assert_check(unit, number)}"]
    return "\n\n\n".join(["\n".join(head), *checks, "\n    ".join(body)]) + "\n"


def relocate_error(
    error: CompileError,
    units: tuple[BuildUnit, ...],
    compiles: Callable[[tuple[BuildUnit, ...]], object] | None = None,
) -> CompileError:
    """Return an error with its diagnostics about generated lines moved to the kernels' file.

    Args:
        error: The error of compiling these units alone.
        units: Units of one case, whose file is at fault.
        compiles: Compiles other units in the same way, to find out who is to blame; if None, the file is.

    Raises:
        EnvironmentFault: The generated code does not compile with any kernel, or not with the installed pair.
    """
    messages = re.split(r"\n(?=\S)", error.diagnostics)
    generated = filter(None, map(_OF_GENERATED.match, messages))
    if compiles and any(_find_misfit(match[1], units) is None for match in generated):
        _require_compilable(units, compiles)
    if compiles:
        error = blame.attribute_error(error, units, compiles)
    relocated = dict.fromkeys(_relocate_message(part, units) for part in messages)  # each once
    return type(error)(str(error), "\n".join(relocated))


def _require_compilable(units: tuple[BuildUnit, ...], compiles: Callable[[tuple[BuildUnit, ...]], object]) -> None:
    """Compile the generated code around empty kernels; raises EnvironmentFault if that fails."""
    with temporary_folder() as folder:
        empty = folder / f"{units[0].module}.mojo"
        kernels = dict.fromkeys(map(_generate_empty_kernel, units))
        with disk_errors(folder):
            stated = [f"comptime {name} = {value}" for name, value in units[0].case.stated.items()]
            head = "\n".join([*type_imports(_tensors(units)), *stated])
            empty.write_text("\n\n\n".join([head, *kernels]) + "\n", encoding="utf-8")
        try:
            compiles(tuple(replace(unit, file=empty) for unit in units))
        except CompileError as error:
            raise versions.make_own_fault(f"what the harness generates around {units[0].case.id}", error) from None


def _generate_empty_kernel(unit: BuildUnit) -> str:
    """Generate a kernel with the documented signature that does nothing."""
    parameters = ", ".join(f"{name}: {_parameter_type(value)}" for name, value in unit.parameters.items())
    arguments = ", ".join(f"{argument.name}: {mojo_type(argument)}" for argument in unit.arguments)
    head = f"def {unit.kernel.name}" + (f"[{parameters}]" if parameters else "")
    return f"{head}({arguments}):\n    pass"


def _parameter_type(value: int | str) -> str:
    """Return a parameter's Mojo type: `Int`, `AnyType` for `type_of(...)`, else the part before a dot: `DType`."""
    if not isinstance(value, str):
        return "Int"
    return "AnyType" if value.startswith("type_of(") else value.split(".")[0]


def _find_misfit(text: str, units: Sequence[BuildUnit]) -> BuildUnit | None:
    """Return the unit whose kernel does not fit the catalogue, according to an error of a generated line; else None."""
    for number, unit in enumerate(units):
        checks = "|".join(re.escape(message) for _, message in (*size_checks(unit), *_argument_checks(unit)))
        failed_check = re.search(rf"_takes_{number}\b", text) or (checks and re.match(rf"(?:{checks})(?!\d)", text))
        if failed_check or _no_kernel_pattern(unit).match(text):
            return unit
    return None


def _no_kernel_pattern(unit: BuildUnit) -> re.Pattern[str]:
    return re.compile(rf"(?:module|package) '\w+' has no declaration '{unit.kernel.name}'")


def _relocate_message(message: str, units: Sequence[BuildUnit]) -> str:
    match = _OF_GENERATED.match(message)
    if not match:
        return message
    unit = _find_misfit(match[1], units) or units[0]
    kernel, text = unit.kernel.name, match[1]
    takes = f"({', '.join(argument.name for argument in unit.arguments)})"
    if "_takes_" in text:  # a type that nobody needs to read
        text = f"{kernel} must take {takes}, return nothing and raise nothing"
    if _no_kernel_pattern(unit).match(text):
        text = f"there is no kernel {kernel} here: a function of this name must take {takes}"
    name = text.split()[0] if text.split()[0] in unit.constants else kernel
    return unit.format_error(rf"(comptime|def)\s+{name}\b", text)


def type_imports(tensors: Iterable[TensorArgument]) -> list[str]:
    """Return the import lines for the types that kernels take: `LayoutTensor` only if a tensor has that form."""
    layouts = any(tensor.form == "layout" for tensor in tensors)
    return [_TENSORS, *([_LAYOUTS] if layouts else [])]


def _tensors(units: Iterable[BuildUnit]) -> Iterator[TensorArgument]:
    return (tensor for unit in units for tensor in unit.tensors)


def module_imports(units: Iterable[BuildUnit]) -> list[str]:
    """Return the import lines for the units' files."""
    return [f"import {module}" for module in dict.fromkeys(unit.module for unit in units)]


def _kernel_expression(unit: BuildUnit, *more_values: int) -> str:
    """Return `MODULE.KERNEL[VALUES]` with the compile-time parameters and more values; no brackets without any."""
    values = ", ".join(map(str, (*unit.parameters.values(), *more_values)))
    return f"{unit.module}.{unit.kernel.name}" + (f"[{values}]" if values else "")


def mojo_type(argument: TensorArgument | ScalarArgument) -> str:
    """Return a kernel argument's Mojo type: `Scalar`, or by form a pointer, `LayoutTensor` or `TileTensor`, in full."""
    if isinstance(argument, ScalarArgument):
        return f"Scalar[DType.{argument.dtype.name}]"
    dtype = f"DType.{argument.dtype.name}"
    origin = "MutAnyOrigin" if argument.writable else "ImmutAnyOrigin"
    if argument.form == "pointer":
        return f"UnsafePointer[Scalar[{dtype}], {origin}]"
    if argument.form == "layout":
        return f"LayoutTensor[{dtype}, {mojo_layout(argument)}, {origin}]"
    return f"TileTensor[mut={argument.writable}, {dtype}, type_of({mojo_layout(argument)}), {origin}]"


def mojo_layout(tensor: TensorArgument) -> str:
    """Return a tensor's row-major layout as Mojo text: a `Layout` for the form `layout`, else `row_major[...]()`."""
    extents = ", ".join(map(str, tensor.shape))
    return f"Layout.row_major({extents})" if tensor.form == "layout" else f"row_major[{extents}]()"


def _generate_check(unit: BuildUnit, number: int) -> str:
    """Generate the function `_takes_NUMBER`, which compiles only if the kernel's file and the catalogue agree."""
    names = [f"T{place}" for place in range(len(unit.arguments))]
    types = ", ".join(f"{name}: AnyType" for name in names)
    lines = [f"def _takes_{number}[{types}, //, kernel: def({', '.join(names)}) thin -> None]() -> Bool:"]
    checks = (*size_checks(unit), *_argument_checks(unit))
    lines += [f"comptime assert {condition}, {json.dumps(text)}" for condition, text in checks]
    return "\n    ".join([*lines, "return True"])


def size_checks(unit: BuildUnit) -> list[tuple[str, str]]:
    """Return (Mojo condition, message) for each size in the file: it has the catalogue's value. For a size that the
    case changes, the file's own definition must have the documented value; without one, `False` is the only condition.
    """
    expected: dict[str, tuple[str, int | None]] = {name: (name, value) for name, value in unit.constants.items()}
    changed, size = unit.case.constants, unit.case.resized
    stand_ins = choose_stand_ins(unit.file.read_text(encoding="utf-8"), changed) if changed else {}
    for name in changed:
        if name not in unit.instance.constants:  # it is a parameter, or no kernel needs it
            continue
        documented = size.documented if size and size.constant == name else None
        if name not in stand_ins:
            return [("False", f"there must be a line `comptime {name} = {documented or '...'}`")]
        expected[name] = stand_ins[name], documented
    values = [(name, constant, value) for name, (constant, value) in expected.items() if value is not None]
    return [(f"{unit.module}.{constant} == {value}", f"{name} must be {value}") for name, constant, value in values]


def _argument_checks(unit: BuildUnit) -> list[tuple[str, str]]:
    """Return a Mojo condition and a message for each argument type of a kernel, whose types are `T0` and on."""
    types = [(argument.name, mojo_type(argument)) for argument in unit.arguments]
    of = f" of {unit.kernel.name}" if len(unit.case.kernels) > 1 else ""
    return [
        (f"T{at} == {type_}", f"the argument {name}{of} must be a {type_}") for at, (name, type_) in enumerate(types)
    ]


def _assert_check(unit: BuildUnit, number: int) -> str:
    return f"comptime assert _takes_{number}[{_kernel_expression(unit)}]()"


def _generate_op(unit: BuildUnit, number: int, body: Sequence[str]) -> str:
    parameters = "".join(f", {name}: Int" for name in unit.launch.parameters())
    arguments = []
    for tensor in unit.tensors:
        read_only = not tensor.writable and tensor.name not in unit.handed_on
        kind = "InputTensor" if read_only else "_MutableInputTensor"
        arguments.append(f"{tensor.name}: {kind}[dtype=DType.{tensor.dtype.name}, rank={len(tensor.shape)}, ...],")
    arguments += [f"{scalar.name}: {mojo_type(scalar)}," for scalar in unit.scalars]
    lines = [
        "@staticmethod",
        f"def execute[target: StaticString{parameters}](",
        *(f"    {line}" for line in (*arguments, "ctx: DeviceContext,")),
        ") raises:",
        *(f"    {line}" for line in body),
    ]
    head = [f'@register("{unit.op}")', f"struct Op{number}:", f'    """{unit.case.id}: {unit.case.title}."""', ""]
    return "\n".join([*head, *(f"    {line}" for line in lines)])


def _generate_alignment_checks(unit: BuildUnit) -> list[str]:
    lines = []
    for tensor in unit.tensors:
        if tensor.alignment > 1:
            text = f"{unit.case.id}: {tensor.name} is not aligned to {tensor.alignment} bytes"
            lines.append(f"if Int({tensor.name}.unsafe_ptr()) % {tensor.alignment} != 0:")
            lines.append(f"    raise Error({json.dumps(text)})")
    return lines


def _generate_launch(unit: BuildUnit) -> list[str]:
    launch, lines = unit.launch, []
    for argument in unit.arguments:
        if isinstance(argument, TensorArgument):
            lines.append(f"{_argument_expression(argument)},")
        else:
            lines.append(f"{argument.name},")
    sizes = launch.parameters()
    for kind in ("grid", "block", "cluster"):
        extents = [f"{kind}_{axis}" if f"{kind}_{axis}" in sizes else "1" for axis in "xyz"]
        if extents != ["1", "1", "1"]:
            lines.append(f"{kind}_dim=Dim({', '.join(extents)}),")
    if launch.shared_bytes:
        lines.append(f"shared_mem_bytes={launch.shared_bytes},")
        lines.append(f"func_attribute=FuncAttribute.MAX_DYNAMIC_SHARED_SIZE_BYTES({launch.shared_bytes}),")
    return [f"ctx.enqueue_function[{_kernel_expression(unit)}](", *(f"    {line}" for line in lines), ")"]


def _argument_expression(tensor: TensorArgument) -> str:
    """Return the Mojo that makes an op's tensor the kernel's argument: a pointer, `LayoutTensor` or `TileTensor`."""
    pointer = f"{tensor.name}.unsafe_ptr()"
    if tensor.form == "pointer":
        return pointer
    if tensor.form == "layout":
        return f"{mojo_type(tensor)}({pointer})"
    return f"TileTensor[mut={tensor.writable}]({pointer}, {mojo_layout(tensor)})"


def _generate_reference_call(unit: BuildUnit) -> list[str]:
    """Generate a call of the reference, with every tensor as a span and the warp width as the last parameter."""
    lines = []
    for argument in unit.arguments:
        if isinstance(argument, TensorArgument):
            lines.append(f"Span(unsafe_ptr={argument.name}.unsafe_ptr(), length={argument.elements}),")
        else:
            lines.append(f"{argument.name},")
    return [f"{_kernel_expression(unit, unit.instance.width)}(", *(f"    {line}" for line in lines), ")"]
