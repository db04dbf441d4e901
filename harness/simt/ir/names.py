"""Which kernel is meant: by its symbol, a part of it, or its name in the source."""

import re
from collections.abc import Sequence

from harness.simt.errors import LaunchError
from harness.simt.ir.parse import Module

__all__ = ["find_kernel", "plain_name", "source_name"]

# What Mojo calls the function around a kernel that has the kernel's symbol.
STUB = "asm_stub"
# A C++ symbol of a function, `_Z4axpyfPf`, or of a variable in one, `_ZZ4axpyfPfE5cache`: before a name its length.
MANGLED = re.compile(r"_Z(?:Z.*E)?(\d+)(\D.*)")


def source_name(module: Module, kernel: str) -> str:
    """What the source calls a kernel, as its debug locations have it; an empty text where there are none.

    Mojo cuts symbols at 31 characters and appends a digest; C++ adds the types of the parameters.
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


def plain_name(symbol: str) -> str:
    """What a C++ symbol is the name of; every other symbol is returned as it is."""
    match = MANGLED.fullmatch(symbol)
    return match[2][: int(match[1])] if match and len(match[2]) >= int(match[1]) else symbol


def find_kernel(modules: Sequence[Module], wanted: str | None) -> tuple[Module, str]:
    """The kernel that is meant, and the module that has it.

    Args:
        modules: Where it may be.
        wanted: Its symbol, its name in the source, a part of its symbol, or None where there is only one.

    Raises:
        LaunchError: None or several could be meant; the message names them.
    """
    kernels = [(module, name) for module in modules for name in module.kernels]
    if wanted is None:
        fitting = kernels
    else:
        fitting = [(module, wanted) for module in modules if wanted in module.kernels or module.defines(f"@{wanted}")]
        fitting = fitting or [kernel for kernel in kernels if source_name(*kernel) == wanted]
        fitting = fitting or [kernel for kernel in kernels if wanted in kernel[1]]
    if len(fitting) == 1:
        return fitting[0]
    if not kernels:
        raise LaunchError("there is no kernel: nothing is declared as one (`ptx_kernel`, `amdgpu_kernel`)")
    listed = ", ".join(_shown(*kernel) for kernel in fitting or kernels)
    if wanted is None:
        raise LaunchError(f"there are {len(kernels)} kernels, name one of: {listed}")
    if fitting:
        raise LaunchError(f"{len(fitting)} kernels are called {wanted!r}, name one by its symbol: {listed}")
    raise LaunchError(f"no kernel is called {wanted!r}; there are: {listed}")


def _shown(module: Module, kernel: str) -> str:
    name = source_name(module, kernel)
    return f"{name} ({kernel})" if name and name != kernel else kernel
