"""Find a kernel by its symbol, source name or part of a symbol; return its source name; demangle C++ functions."""

import re
from collections.abc import Sequence

from harness.simt.errors import LaunchError
from harness.simt.ir.parse import Module

__all__ = ["demangle", "find_kernel", "source_name"]

# Mojo's name of the wrapper function that has the kernel's symbol.
STUB = "asm_stub"
# A C++ symbol of a function, `_Z4axpyfPf`, or of a variable in one, `_ZZ4axpyfPfE5cache`: before a name its length.
MANGLED = re.compile(r"_Z(?:Z.*E)?(\d+)(\D.*)")


def source_name(module: Module, kernel: str) -> str:
    """Return a kernel's name in the source, from debug locations; an empty text if there are none.

    It is the name that the debug information of the kernel's function has. If that is missing or Mojo's wrapper
    `asm_stub`, it is the outermost other function around the first instruction that has any. The symbol would not do:
    Mojo cuts symbols at 31 characters and appends a digest; C++ adds the types of the parameters. Decodes the whole
    kernel, and raises as `Module.function`: KeyError if the module has no body for it.

    Args:
        kernel: Its symbol without the `@`.
    """
    function = module.function(f"@{kernel}")
    if function.location is not None and function.location.function not in ("", STUB):
        return function.location.function
    for block in function.blocks:
        for instruction in block.instructions:
            for frame in reversed(instruction.location.frames if instruction.location else ()):
                if frame.function not in ("", STUB):
                    return frame.function
    return ""


def demangle(symbol: str) -> str:
    """Return the name in a C++ symbol of a function (`_Z4axpyfPf`: `axpy`), or of a variable that a function declares.

    Every other symbol is returned unchanged, also that of a function in a namespace or class.
    """
    match = MANGLED.fullmatch(symbol)
    return match[2][: int(match[1])] if match and len(match[2]) >= int(match[1]) else symbol


def find_kernel(modules: Sequence[Module], requested: str | None) -> tuple[Module, str]:
    """Return the kernel that a name means, and the module that has it: (module, symbol without the `@`).

    Args:
        modules: Where to look.
        requested: Its symbol, or else its name in the source, or else a part of its symbol; None if there is only one
            kernel. The symbol may also be that of a function that is no kernel.

    Raises:
        LaunchError: No kernel or several fit, such as one symbol in two modules; the message names them.
    """
    kernels = [(module, symbol) for module in modules for symbol in module.kernels]
    if requested is None:
        fitting = kernels
    else:
        fitting = [
            (module, requested) for module in modules if requested in module.kernels or module.defines(f"@{requested}")
        ]
        fitting = fitting or [kernel for kernel in kernels if source_name(*kernel) == requested]
        fitting = fitting or [kernel for kernel in kernels if requested in kernel[1]]
    if len(fitting) == 1:
        return fitting[0]
    if not kernels:
        raise LaunchError("there is no kernel: nothing is declared as one (`ptx_kernel`, `amdgpu_kernel`)")
    listed = ", ".join(_display_name(*kernel) for kernel in fitting or kernels)
    if requested is None:
        raise LaunchError(f"there are {len(kernels)} kernels, name one of: {listed}")
    if fitting:
        raise LaunchError(f"{len(fitting)} kernels are called {requested!r}, name one by its symbol: {listed}")
    raise LaunchError(f"no kernel is called {requested!r}; there are: {listed}")


def _display_name(module: Module, kernel: str) -> str:
    name = source_name(module, kernel)
    return f"{name} ({kernel})" if name and name != kernel else kernel
