"""Machine code of a module, for this host, kept by its text as long as the process lives."""

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import llvmlite.binding as llvm

__all__ = ["Code", "compiled"]

# The address of a launch's table, and how many blocks: 0 if nothing is to be said of them.
Code = Callable[[int, int], int]
_KEPT: list[Any] = []  # what code is in memory by


@cache
def _compiler() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.create_lljit_compiler(_machine())  # it owns its machine


def _machine() -> llvm.TargetMachine:
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=1
    )


@cache
def compiled(text: str) -> Code:
    """Compiles a module and links it into this process."""
    compiler = _compiler()
    machine = _machine()
    head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{llvm.get_default_triple()}"\n'
    with llvm.parse_assembly(head + text, context=llvm.create_context()) as module:
        module.verify()
        options = llvm.create_pipeline_tuning_options(speed_level=1)
        options.loop_vectorization = options.slp_vectorization = False
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
        code = machine.emit_object(module)
    library = llvm.JITLibraryBuilder().add_object_img(code).export_symbol("run").link(compiler, f"kernel{len(_KEPT)}")
    _KEPT.append(library)
    function: Code = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)(library["run"])
    return function
