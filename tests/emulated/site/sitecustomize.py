"""Makes the differences that `$EMULATED` names in this process, before anything of the harness is imported."""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

_EMULATED = frozenset(os.environ.get("EMULATED", "").split())
_ROOT = str(Path(__file__).resolve().parents[3])


class _Patched:
    """Finds the modules that differ, and calls what changes them as soon as they are imported."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        from differences import AFTER  # beside this file

        if name not in AFTER:
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module: object) -> None:
            execute(module)
            for needed, change in AFTER[name]:
                if needed in _EMULATED:
                    change(module)

        spec.loader.exec_module = exec_module
        return spec


if _EMULATED:
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import differences

    for _name, _change in differences.AT_ONCE:
        if _name in _EMULATED:
            _change()
    sys.meta_path.insert(0, _Patched())
