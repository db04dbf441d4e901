"""Import a command's module only when it is called, with BLAS single-threaded; then turn on garbage collection."""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
from collections.abc import Callable, Iterator
from importlib import import_module

from harness.process.python import BLAS_THREADS

__all__ = ["enable_garbage_collection", "load_command", "single_threaded_blas"]


@contextlib.contextmanager
def single_threaded_blas() -> Iterator[None]:
    """If NumPy is loaded in the block, let BLAS start no threads, unless the environment sets their number. The
    environment is changed only in the block.
    """
    if BLAS_THREADS in os.environ:
        yield
        return
    os.environ[BLAS_THREADS] = "1"
    try:
        yield
    finally:
        del os.environ[BLAS_THREADS]  # no program that is started inherits it


def enable_garbage_collection() -> None:
    """If garbage collection is off, turn it on, and exempt from it what was imported so far.

    Call it when a command's work begins.
    """
    if not gc.isenabled():  # see `harness.__main__`
        gc.freeze()
        gc.enable()


def load_command(dotted_name: str) -> Callable[[argparse.Namespace], int]:
    """Return a function that, when called, imports `module.function` of this package, turns garbage collection on, and
    calls it.
    """
    module, _, function = dotted_name.partition(".")

    def call(arguments: argparse.Namespace) -> int:
        # Imported late: a command pays for what it uses only.
        with single_threaded_blas():
            execute: Callable[[argparse.Namespace], int] = getattr(import_module(f"harness.cli.{module}"), function)
        enable_garbage_collection()
        return execute(arguments)

    return call
