"""Functions of the compiled engine's run-time library, compiled alone and called from Python."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from harness.simt.native.runtime.library import functions_of

__all__ = ["function", "machine_code"]

C_TYPES: dict[str, Any] = {
    "i1": ctypes.c_bool,
    "i32": ctypes.c_uint32,
    "i64": ctypes.c_int64,
    "ptr": ctypes.c_void_p,
    "float": ctypes.c_float,
    "double": ctypes.c_double,
}
_KEPT: list[Any] = []  # machine code lives as long as its engine


@cache
def machine_code(unit: str, exported: tuple[str, ...], more: str = "") -> Any:
    """Compile a unit with functions that call its own, by the names `@exported_NAME`.

    Args:
        exported: `RETURNS NAME(TYPE, ...)` for each.
        more: IR of what a kernel has beside the library.
    """
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    wrappers = "\n".join(_wrapper(*_signature(one)) for one in exported)
    module = llvm.parse_assembly(f"{functions_of(unit)}\n{more}\n{wrappers}", context=llvm.create_context())
    module.verify()
    engine = llvm.create_mcjit_compiler(module, llvm.Target.from_default_triple().create_target_machine(opt=1))
    engine.finalize_object()
    _KEPT.append(engine)
    return engine


def _signature(text: str) -> tuple[str, str, list[str]]:
    returns, _, rest = text.partition(" ")
    name, _, types = rest.partition("(")
    return returns, name, types.removesuffix(")").split(", ")


def _wrapper(returns: str, name: str, types: Sequence[str]) -> str:
    """Return a function of IR that calls another one; a truth comes back as an i8."""
    taken = ", ".join(f"{ty} %a{number}" for number, ty in enumerate(types))
    if returns == "void":
        return f"define void @exported_{name}({taken}) {{\n  call void @{name}({taken})\n  ret void\n}}"
    lines = [f"  %r = call {returns} @{name}({taken})"]
    if returns == "i1":
        lines += ["  %z = zext i1 %r to i8", "  ret i8 %z"]
    else:
        lines += [f"  ret {returns} %r"]
    head = f"define {'i8' if returns == 'i1' else returns} @exported_{name}({taken}) {{"
    return "\n".join([head, *lines, "}"])


def function(unit: str, exported: str, *, all_exported: tuple[str, ...] = (), more: str = "") -> Any:
    """Return a function of a unit, which `ctypes` calls.

    Args:
        exported: Its signature, as of `machine_code`.
        all_exported: The signatures of all that are called in the same machine code, this one's among them.
    """
    returns, name, types = _signature(exported)
    engine = machine_code(unit, all_exported or (exported,), more)
    prototype = ctypes.CFUNCTYPE(None if returns == "void" else C_TYPES[returns], *(C_TYPES[ty] for ty in types))
    return prototype(engine.get_function_address(f"exported_{name}"))
