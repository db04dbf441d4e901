"""Load what a command needs when its own work begins, not before."""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
from collections.abc import Callable, Iterator
from importlib import import_module

from harness.process.python import BLAS_THREADS

__all__ = ["begin", "command_of", "numpy_alone"]


@contextlib.contextmanager
def numpy_alone() -> Iterator[None]:
    """If NumPy is loaded meanwhile, it starts no threads for BLAS, unless the environment says how many."""
    if BLAS_THREADS in os.environ:
        yield
        return
    os.environ[BLAS_THREADS] = "1"
    try:
        yield
    finally:
        del os.environ[BLAS_THREADS]  # no program that is started inherits it


def begin() -> None:
    """A command's own work begins: what was imported so far stays, and is not looked through for garbage."""
    if not gc.isenabled():  # see `harness.__main__`
        gc.freeze()
        gc.enable()


def command_of(place: str) -> Callable[[argparse.Namespace], int]:
    """Return what a command executes: a function of a module of this package, as `module.function`."""
    module, _, function = place.partition(".")

    def call(arguments: argparse.Namespace) -> int:
        # Imported late: a command pays for what it uses only.
        with numpy_alone():
            execute: Callable[[argparse.Namespace], int] = getattr(import_module(f"harness.cli.{module}"), function)
        begin()
        return execute(arguments)

    return call
