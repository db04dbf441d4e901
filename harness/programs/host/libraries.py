"""Replace `dlopen` and `dlsym`, so that a program finds no vendor's library such as cuBLAS; report its use.

They would run on the vendor's own driver, so a library that is installed here is not opened either.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

__all__ = ["callbacks"]

# By what the names of their files, behind `lib`, and of their functions begin with.
_LIBRARIES = {
    "cublasLt": "cuBLASLt",
    "cublas": "cuBLAS",
    "cudnn": "cuDNN",
    "cufft": "cuFFT",
    "hipblaslt": "hipBLASLt",
    "miopen": "MIOpen",
    "nccl": "NCCL",
    "nvshmem": "NVSHMEM",
    "rccl": "RCCL",
    "rocblas": "rocBLAS",
}
_PREFIX = re.compile("|".join(_LIBRARIES), re.IGNORECASE)
_NAMES = {prefix.lower(): name for prefix, name in _LIBRARIES.items()}
_libc = ctypes.CDLL(None)
_OPEN = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int)
_FIND = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
_open, _find = _OPEN(("dlopen", _libc)), _FIND(("dlsym", _libc))


def callbacks(emit: Callable[[str, Any], None]) -> dict[str, Any]:
    """Return replacements for the system's search for libraries (`dlopen`, `dlsym`), by name.

    Vendors' libraries are not found, even if they are installed. A function of theirs that is not found is reported as
    unsupported; all else is passed on to the system.

    Args:
        emit: Called with a message for the parent process: its kind and its facts.

    Returns:
        Callbacks, which must live as long as the program.
    """

    def open_(path: bytes | None, mode: int) -> int | None:
        name = PurePath((path or b"").decode(errors="replace")).name
        if _library(name.removeprefix("lib")):  # the error is the system's, as of a library that is not installed
            path = f"{name} of the simulated device".encode()
        opened: int | None = _open(path, mode)
        return opened

    def find(library: int | None, symbol: bytes) -> int | None:
        address: int | None = _find(library, symbol)
        name = symbol.decode(errors="replace")
        if address is None and (library_name := _library(name)):
            emit("unsupported", f"{library_name} ({name}), which needs the vendor's own driver,")
        return address

    return {"dlopen": _OPEN(open_), "dlsym": _FIND(find)}


def _library(name: str) -> str:
    """Return the vendor's library that a function or a file belongs to, such as `cuBLAS`; an empty text if to none.

    Only the beginning of the name counts, in any case of letters. A file's name comes without `lib`.
    """
    match = _PREFIX.match(name)
    return _NAMES[match[0].lower()] if match else ""
