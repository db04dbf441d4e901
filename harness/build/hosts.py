"""The programs that call host functions of the puzzles' files: made from the catalogue, compiled together, cached.

A program calls one of them, by its number, once for each data set that it is given. `harness/build/mojo/host_data.mojo`
makes the buffers. Compiling one takes as long as two kernels' files, two of them together hardly longer.
"""

from __future__ import annotations

import json
import re
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.build import generate, toolchain
from harness.build.cache import Blob
from harness.build.compiler import writing
from harness.build.device_code import STAGED
from harness.build.unit import Build, BuildUnit, smaller, units
from harness.errors import CompileError
from harness.model.arguments import ScalarArgument, TensorArgument
from harness.model.case import Case
from harness.model.sources import GENERATED, HARNESS_MOJO, shown
from harness.model.steps import Host
from harness.process.child import temporary_folder

__all__ = ["HostProgram", "Programs", "host_program", "host_programs", "stored_hosts", "takes_kernels"]

_ROLES = ("host", "kernels", "number")
_TOOLS = (Path(toolchain.__file__), Path(__file__), HARNESS_MOJO / "host_data.mojo")
_PROGRAM = "hosts.mojo"
_OF_GENERATED = re.compile(rf"{GENERATED.name}/{_PROGRAM}:\d+:\d+: error: (?:constraint failed: )?(.*)")


@dataclass(frozen=True, slots=True)
class HostProgram:
    """A compiled program, and which of its calls is meant.

    Attributes:
        host: LLVM IR of the host's part, compressed.
        kernels: LLVM IR of the kernels by symbol, as JSON.
        number: Of the call.
        debug: Whether they name the source's variables.
    """

    host: Blob
    kernels: Blob
    number: int
    debug: bool = False

    @property
    def texts(self) -> dict[str, str]:
        """LLVM IR of the kernels, by symbol."""
        texts: dict[str, str] = json.loads(self.kernels.data)
        return texts


Programs = dict[str, dict[int, HostProgram] | CompileError]


def host_programs(cases: Sequence[Case], build: Build, spent: dict[str, float] | None = None) -> Programs:
    """What calls the host functions of some cases, from the cache or new.

    Args:
        cases: What the target refuses is left out, and what calls none.
        build: For what.
        spent: Gets, by case id, the share of the seconds that compiling took now; nothing of what is stored.

    Returns:
        By case id, a program for each step that is a call, by its number; or why one does not compile.

    Raises:
        EnvironmentFault: There is no compiler, or no room for what it writes.
    """
    wanted = _wanted(cases, build)
    made: dict[str, HostProgram | CompileError] = {}
    if missing := _add_stored(wanted, made, build):
        build.cache.require_writable()
        names = dict.fromkeys(unit.case.id for unit in missing.values())
        build.notify(f"compiling the host functions of {', '.join(names)} for {build.target}")
        started = time.perf_counter()
        items = {key: (key, unit) for key, unit in missing.items()}
        build.cache.in_turn(items, lambda free: _compile(_add_stored(dict(free), made, build), made, build))
        if spent is not None:
            share = (time.perf_counter() - started) / len(names)
            spent |= {name: spent.get(name, 0.0) + share for name in names}
    programs: Programs = {}
    for key, unit in wanted.items():
        program, known = made[key], programs.setdefault(unit.case.id, {})
        if isinstance(program, CompileError):
            programs[unit.case.id] = program
        elif not isinstance(known, CompileError):
            known[unit.step] = program
    return programs


def takes_kernels(what: str, case: Case) -> str:
    """Why something does without a case that calls functions of the host, in a clause."""
    return f"{case.id} calls {case.called}, a function of the host, and {what} takes launches of kernels alone"


def stored_hosts(cases: Sequence[Case], build: Build) -> frozenset[str]:
    """The ids of the cases of which each call is in the cache."""
    wanted, made = _wanted(cases, build), dict[str, HostProgram | CompileError]()
    missing = {unit.case.id for unit in _add_stored(wanted, made, build).values()}
    return frozenset(unit.case.id for unit in wanted.values()) - missing


def _wanted(cases: Sequence[Case], build: Build) -> dict[str, BuildUnit]:
    return {_key(unit, build): unit for unit in units(cases, build, kind=Host)}


def host_program(together: Sequence[BuildUnit]) -> str:
    """The text of a program that makes one of these calls, the number of which is its first argument, and as many times
    as its second argument says.
    """
    tensors = [tensor for unit in together for tensor in unit.tensors]
    op = any(tensor.form == "op" for tensor in tensors)
    head = [
        '"""Calls of host functions."""',
        *(["from extensibility import InputTensor, OutputTensor, StaticTensorSpec"] if op else []),
        *generate.types(tensors),
        "from max.gpu.host import DeviceContext",
        "from std.sys import argv",
        *(["from std.utils import IndexList"] if op else []),
        "from host_data import Data",
        *generate.imports(together),
    ]
    chosen = [
        f'if argv()[1] == "{number}":\n                _call_{number}(ctx, data)' for number in range(len(together))
    ]
    main = [
        "def main() raises:",
        "var ctx = DeviceContext()",
        "for number in range(atol(argv()[2])):",
        "    var data = Data(number)",
        "    try:",
        *(f"        {lines}" for lines in chosen),
        "    except error:",
        "        data.failed(String(error))",
        "        return",
    ]
    calls = [_call(unit, number) for number, unit in enumerate(together)]
    return "\n\n\n".join(["\n".join(head), *calls, "\n    ".join(main)]) + "\n"


def _call(unit: BuildUnit, number: int) -> str:
    held = {tensor.name: f"b{at}" for at, tensor in enumerate(unit.tensors)}
    scalars = {scalar.name: at for at, scalar in enumerate(unit.scalars)}
    lines = [f"comptime assert {condition}, {json.dumps(text)}" for condition, text in generate.sizes(unit)]
    lines += [
        f"var {held[tensor.name]} = data.buffer[DType.{tensor.dtype.name}](ctx, {at}, {tensor.elements})"
        for at, tensor in enumerate(unit.tensors)
    ]
    parameters = ", ".join(unit.host.parameters).replace("file.", f"{unit.module}.")
    passed = [
        f"data.scalar[DType.{part.dtype.name}]({scalars[part.name]})"
        if isinstance(part, ScalarArgument)
        else _passed(part, held[part.name])
        for part in unit.arguments
    ]
    lines += [
        f"{unit.module}.{unit.host.name}" + (f"[{parameters}]" if parameters else "") + "(",
        *(f"    {argument}," for argument in (*passed, "ctx")),
        ")",
        "ctx.synchronize()",
        "data.done()",
        *(f"_ = {buffer}^" for buffer in held.values()),  # Mojo would free it after its last use
    ]
    head = f'def _call_{number}(ctx: DeviceContext, data: Data) raises:\n    """{unit.case.id}: {unit.host.name}."""'
    return "\n    ".join([head, *lines])


def _passed(tensor: TensorArgument, buffer: str) -> str:
    """A buffer as the host function takes it."""
    if tensor.form == "pointer":
        return f"{buffer}.unsafe_ptr().as_unsafe_any_origin()"
    if tensor.form == "op":
        spec = f"StaticTensorSpec[DType.{tensor.dtype.name}, {len(tensor.shape)}, ...].get_unknown()"
        shape = f"IndexList[{len(tensor.shape)}]({', '.join(map(str, tensor.shape))})"
        return f"{'Output' if tensor.written else 'Input'}Tensor[static_spec={spec}]({buffer}.unsafe_ptr(), {shape})"
    layout = f", {generate.layout_of(tensor)}" if tensor.form == "tile" else ""
    return f"{generate.type_of(tensor)}({buffer}{layout})"


def _key(unit: BuildUnit, build: Build) -> str:
    how = {name: True for name in ("assertions", "debug") if getattr(build, name)}
    return unit.key("host function", build, host_program([unit]), _TOOLS, path=shown(unit.file), **how)


def _add_stored(
    wanted: Mapping[str, BuildUnit], made: dict[str, HostProgram | CompileError], build: Build
) -> dict[str, BuildUnit]:
    """Adds what the cache holds, and returns what it lacks."""
    missing = {}
    for key, unit in wanted.items():
        if blobs := build.cache.get(key, _ROLES):
            made[key] = HostProgram(blobs["host"], blobs["kernels"], int(blobs["number"].text), build.debug)
        else:
            missing[key] = unit
    return missing


def _compile(missing: Mapping[str, BuildUnit], made: dict[str, HostProgram | CompileError], build: Build) -> None:
    """Compiles and stores calls, all in one program; if that fails, in smaller ones."""
    if not missing:
        return
    together = list(missing.values())
    try:
        host, kernels = _compiled(together, build)
    except CompileError as error:
        if len(missing) == 1:
            made |= {key: _at_home(error, unit) for key, unit in missing.items()}
            return
        for part in smaller(list(missing.items())):
            _compile(dict(part), made, build)
        return
    data = {"host": zlib.compress(host.encode(), 1), "kernels": json.dumps(kernels).encode()}
    for number, key in enumerate(missing):
        blobs = build.cache.put(key, {**data, "number": str(number).encode()})
        made[key] = HostProgram(blobs["host"], blobs["kernels"], number, build.debug)


def _compiled(together: Sequence[BuildUnit], build: Build) -> tuple[str, dict[str, str]]:
    with temporary_folder() as folder, writing(folder):
        modules = folder / STAGED
        modules.mkdir()
        file = folder / _PROGRAM
        file.write_text(host_program(together), encoding="utf-8")
        (modules / "host_data.mojo").symlink_to(HARNESS_MOJO / "host_data.mojo")
        origins = {}
        for module, unit in {unit.module: unit for unit in together}.items():
            origins[str(unit.staged(modules / f"{module}.mojo"))] = unit.file
        origins[str(file)] = GENERATED / _PROGRAM
        return toolchain.program(
            file,
            build.target.architecture,
            defines={"ASSERT": "all"} if build.assertions else {},
            includes=[modules],
            debug=build.debug,
            origins=origins,
            limits=build.limits,
        )


def _at_home(error: CompileError, unit: BuildUnit) -> CompileError:
    """The same error; what it says of the generated call is said of the function that does not fit it."""
    lines = unit.file.read_text(encoding="utf-8").splitlines()
    owner, _, name = unit.host.name.rpartition(".")
    function = rf"struct {owner}\b" if owner else rf"(?:def|fn) {name}\b"
    takes = ", ".join((*(argument.name for argument in unit.arguments), "ctx"))

    def said(part: str) -> str:
        match = _OF_GENERATED.match(part)
        if not match:
            return part
        size = match[1].startswith(tuple(f"{constant} must be " for constant in unit.constants))
        text = match[1] if size else f"{unit.host.name} must take ({takes}): {match[1]}"
        defined = re.compile(rf"comptime {text.split()[0]}\b" if size else function)
        number, line = next((place for place in enumerate(lines, 1) if defined.match(place[1])), (1, ""))
        return "\n".join([f"{shown(unit.file)}:{number}:1: error: {text}", *([line, "^"] if line else [])])

    parts = dict.fromkeys(map(said, re.split(r"\n(?=\S)", error.diagnostics)))
    return type(error)(str(error), "\n".join(parts))
