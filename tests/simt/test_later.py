"""Intrinsics that are loaded when they are first looked up are found by their names, and no other."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from harness.simt.compile.registry import all_intrinsics, find_intrinsic
from harness.simt.intrinsics import LAZY_MODULES

# The modules that are loaded later, and the names that each declares.
DECLARED = """
import json
from importlib import import_module
from harness.simt import intrinsics
from harness.simt.compile.registry import TABLE
told = {}
for module in dict.fromkeys(name for names in intrinsics.LAZY_MODULES.values() for name in names):
    before = set(TABLE)
    import_module(f"harness.simt.intrinsics.{module}")
    told[module] = sorted(set(TABLE) - before)
print(json.dumps(told))
"""


@pytest.mark.slow
def test_what_is_loaded_later_is_named_by_what_loads_it():
    """Else a call would be refused as unknown, or found only behind another one."""
    told = subprocess.run([sys.executable, "-c", DECLARED], capture_output=True, text=True, check=True)
    for module, names in json.loads(told.stdout).items():
        beginnings = tuple(beginning for beginning, modules in LAZY_MODULES.items() if module in modules)
        assert all(name.startswith(beginnings) for name in names), module


def test_all_that_is_declared_is_found():
    assert all(find_intrinsic(name) is intrinsic for name, intrinsic in all_intrinsics().items())
