"""Compile LLVM IR for this host, link it, and cache it in the process and the object cache; estimate the cost."""

import ctypes
import hashlib
import itertools
from collections.abc import Callable
from functools import cache
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from harness.simt.declined import Missing, Reason
from harness.simt.options import Objects

__all__ = ["BEST", "QUICKER", "Code", "compile_module", "converts_halves", "cost", "load_compiled"]

# Given the address of a launch's table, the first block to run and how many there are: the first of which something may
# have to be told, or how many there are; or -1, see `CannotRestart`.
Code = Callable[[int, int, int], int]
_NUMBERS = itertools.count()
_KEPT: list[Any] = []  # what code is in memory by
_CODE: dict[str, Code] = {}
SECONDS = 3e-6  # that compiling takes for each character
CALLS = 3e-5  # seconds for each two calls that check accesses: LLVM asks of each what it may change for all others
CHECKS = "call i64 @load.", "call i64 @store."
# Functions of C that the code may call.
LIBRARY = ("fmod",)
BEST = 3
QUICKER = 10  # times, about, without optimising; such code takes some four times as long, less than Python does


@cache
def _compiler() -> Any:
    return llvm.create_lljit_compiler(_machine())  # it owns its machine


def _machine(level: int = 1) -> llvm.TargetMachine:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=level
    )


@cache
def _host() -> str:
    """Return a text with the versions of llvmlite and LLVM, the target triple and the host's processor and features."""
    versions = llvmlite.__version__, llvm.llvm_version_info, llvm.get_default_triple()
    return f"{versions} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


@cache
def converts_halves() -> bool:
    """Return True if the host has instructions that convert between half and float; otherwise LLVM would call functions
    that are missing.
    """
    return not llvm.get_default_triple().startswith("x86") or llvm.get_host_cpu_features().get("f16c", False)


@cache
def _library() -> dict[str, int]:
    """Return the addresses of the C functions in `LIBRARY`, by name; functions that this process lacks are left out."""
    process = ctypes.CDLL(None)
    functions = {name: getattr(process, name, None) for name in LIBRARY}
    return {
        name: ctypes.cast(function, ctypes.c_void_p).value or 0
        for name, function in functions.items()
        if function is not None
    }


def _key(text: str, level: int) -> str:
    return hashlib.sha256(f"{_host()} {level}\n{text}".encode()).hexdigest()


def cost(text: str) -> float:
    """Return an estimate of the seconds that compiling a module with optimisation takes."""
    return SECONDS * len(text) + CALLS * sum(map(text.count, CHECKS)) ** 2


def load_compiled(text: str, objects: Objects | None, level: int = 1) -> Code | None:
    """Return the code of a module that was compiled before, linked into this process; None if there is none.

    It looks in this process and then in the object cache, by the host, the text and the exact level. Code from the
    object cache stays in this process (`_CODE`).

    Args:
        objects: The object cache; None to look in this process alone.
        level: LLVM's optimisation level: 0 for unoptimised code, 1, or `BEST`.

    Raises:
        Missing: Stored code cannot be linked.
    """
    key = _key(text, level)
    if key not in _CODE and objects is not None and (code := objects.get(key)) is not None:
        _CODE[key] = _linked(code)
    return _CODE.get(key)


def compile_module(text: str, objects: Objects | None, level: int = 1) -> Code:
    """Compile a module, store it in the object cache, and return its code, linked into this process.

    It compiles even if the code is there already, and replaces that, in this process (`_CODE`) too. The arguments are
    those of `load_compiled`.

    Raises:
        Missing: LLVM refuses the module; or its code, which is stored all the same, cannot be linked.
    """
    key, code = _key(text, level), _object(text, level)
    if objects is not None:
        objects.put(key, code)
    _CODE[key] = _linked(code)
    return _CODE[key]


def _object(text: str, level: int = 1) -> bytes:
    """Compile a module to the bytes of an object file.

    Args:
        level: See `load_compiled`; loops are vectorised only for `BEST`.

    Raises:
        Missing: LLVM cannot read it, or finds it invalid.
    """
    machine = _machine(level)
    head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{llvm.get_default_triple()}"\n'
    # Text that is refused is a fault of what wrote it, for which no launch has to fail.
    try:
        parsed = llvm.parse_assembly(head + text, context=llvm.create_context())
    except RuntimeError as error:
        raise Missing(Reason.UNREADABLE) from error
    with parsed as module:  # which is closed before its context, also if it is not valid
        try:
            module.verify()
        except RuntimeError as error:
            raise Missing(Reason.UNREADABLE) from error
        options = llvm.create_pipeline_tuning_options(speed_level=level)
        options.loop_vectorization, options.slp_vectorization = level == BEST, False
        builder = llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
        code: bytes = machine.emit_object(module)
    return code


def _linked(code: bytes) -> Code:
    """Link an object file into this process, where it stays to the end, and return its function `run`, callable.

    Raises:
        Missing: It calls a function that neither it nor `LIBRARY` has, or cannot be linked otherwise.
    """
    name = f"kernel{next(_NUMBERS)}"  # one that does not link has taken its name all the same
    try:
        builder = llvm.JITLibraryBuilder().add_object_img(code).export_symbol("run")
        for called, address in _library().items():
            if f"{called}\0".encode() in code:
                builder.import_symbol(called, address)
        library = builder.link(_compiler(), name)
    except RuntimeError as error:
        raise Missing(Reason.NO_SUCH_FUNCTION) from error
    _KEPT.append(library)
    function: Code = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(library["run"])
    return function
