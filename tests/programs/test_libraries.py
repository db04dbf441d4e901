"""A program's search for libraries: those of a vendor are never there, all others are the system's."""

from __future__ import annotations

import _ctypes
import os
import shutil

import pytest

from harness.programs.host.libraries import callbacks


@pytest.mark.parametrize(
    ("name", "opened"),
    [
        ("libcublas.so.12", False),
        ("libcublasLt.so.13", False),
        ("libMIOpen.so.1", False),
        ("librocblas.so", False),
        ("libblas.so.3", True),
        ("mine.so", True),
    ],
)
def test_a_vendor_s_library_is_not_opened_though_it_is_installed(tmp_path, name, opened):
    shutil.copy(_ctypes.__file__, tmp_path / name)

    handle = callbacks(lambda *_: None)["dlopen"](os.fsencode(tmp_path / name), os.RTLD_LAZY)

    assert bool(handle) == opened


@pytest.mark.parametrize(
    ("symbol", "library"),
    [
        ("cublasLtMatmul", "cuBLASLt"),
        ("cublasGemmEx", "cuBLAS"),
        ("miopenCreate", "MIOpen"),
        ("no_such_function", ""),
        ("strlen", ""),
    ],
)
def test_a_function_of_a_vendor_s_library_is_told_by_the_library_s_name(symbol, library):
    told = []
    found = callbacks(lambda kind, what: told.append((kind, what)))["dlsym"](None, symbol.encode())

    assert bool(found) == (symbol == "strlen")
    expected = ("unsupported", f"{library} ({symbol}), which needs the vendor's own driver,")
    assert told == ([expected] if library else [])
