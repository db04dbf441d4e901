"""Compile IR of a program's host part by LLVM, load the code with callbacks into this process, run its `main`.

`python -m harness.programs.jit HOST MADE` compiles compressed IR in a process of its own, since LLVM ends its process
at invalid assembly.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from harness.build import sdk
from harness.simt.ir.upgrade import to_accepted

__all__ = ["Loaded", "declarations", "declared", "machine_code", "main"]

_LIBRARY = "libKGENCompilerRTShared"
_FIRST = "harness.first"  # stands before all other functions: places are told by their distance from it
_DECLARATION = re.compile(r"^declare [^@\n]*@(AsyncRT_\w+)\(", re.MULTILINE)
_QUIET = "KGEN_CompilerRT_PrintStackTraceOnFault"


def machine_code(host: str) -> bytes:
    """Compile the host's part for this machine, without optimisation.

    Args:
        host: Its LLVM IR, as the compiler printed it.

    Returns:
        The names of the device's functions that it declares, in a line, sorted and separated by spaces; then an object
        file, in which an empty function, `_FIRST`, comes before all others.

    Raises:
        RuntimeError: LLVM refuses the IR. At invalid inline assembly it ends the process instead.
    """
    names = declarations(host)
    marked = host.replace("\ndefine ", f'\ndefine void @"{_FIRST}"() {{ ret void }}\n\ndefine ', 1)
    with llvm.parse_assembly(to_accepted(marked), context=llvm.create_context()) as module:
        return " ".join(names).encode() + b"\n" + bytes(_machine().emit_object(module))


def declarations(host: str) -> list[str]:
    """Return the device's functions that IR declares, sorted, with the interface's prefix."""
    return sorted(set(_DECLARATION.findall(host)))


def declared(code: bytes) -> list[str]:
    """Return the device's functions that the host's part declares, given what `machine_code` returned of it."""
    return code[: code.index(b"\n")].decode().split()


class Loaded:
    """The host's part of a program in this process, until it ends.

    Args:
        code: From `machine_code`.
        callbacks: What stands for the functions that it calls, by name.

    Attributes:
        first: The address that its places are counted from.

    Raises:
        EnvironmentFault: Mojo's runtime library is not here.
    """

    def __init__(self, code: bytes, callbacks: Mapping[str, Any]) -> None:
        llvm.load_library_permanently(str(sdk.find_shared_library(_LIBRARY)))
        # Mojo's own handler would print a stack trace of this interpreter.
        quiet = ctypes.CFUNCTYPE(None)(lambda: None)
        self._held: list[Any] = [code, quiet, dict(callbacks)]
        self._python = b"Py_Initialize" in code
        for name, callback in {_QUIET: quiet, **callbacks}.items():
            llvm.add_symbol(name, ctypes.cast(callback, ctypes.c_void_p).value)
        module = llvm.parse_assembly("")
        module.triple = llvm.get_process_triple()
        self._engine = llvm.create_mcjit_compiler(module, _machine())
        self._object = llvm.ObjectFileRef.from_data(code.partition(b"\n")[2])
        self._engine.add_object_file(self._object)
        self._engine.finalize_object()
        self.first = int(self._engine.get_function_address(_FIRST))

    def main(self, arguments: Sequence[str]) -> int:
        """Run the program's `main`; it does not return if the program calls `exit`.

        Args:
            arguments: Its own name first.

        Returns:
            Its exit status.
        """
        # Mojo's Python is this interpreter, which it takes to be its own: it calls it without asking for the lock.
        kind = ctypes.PYFUNCTYPE if self._python else ctypes.CFUNCTYPE
        prototype = kind(ctypes.c_int32, ctypes.c_int32, ctypes.POINTER(ctypes.c_char_p))
        function = prototype(self._engine.get_function_address("main"))
        values = [os.fsencode(argument) for argument in arguments]  # bytes of the command line that are no UTF-8, too
        return int(function(len(values), (ctypes.c_char_p * (len(values) + 1))(*values, None)))


def _machine() -> llvm.TargetMachine:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()  # for inline assembly: what keeps a value, and what a debugger stops at
    return llvm.Target.from_default_triple().create_target_machine(opt=0, jit=True)


def main() -> None:
    """Compile the LLVM IR in the first file of the command line, and write what `machine_code` returns to the second.

    Both files are compressed by zlib.
    """
    host, output = map(Path, sys.argv[1:])
    code = machine_code(zlib.decompress(host.read_bytes()).decode())
    output.write_bytes(zlib.compress(code, 1))


if __name__ == "__main__":
    main()
