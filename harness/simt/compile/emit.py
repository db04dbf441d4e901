"""Every emitter: the modules named here declare theirs when imported."""

from importlib import import_module

from harness.simt.compile.emitters import EMITTERS

__all__ = ["EMITTERS"]

for name in ("aggregate", "call", "compute", "memory"):
    import_module(f"harness.simt.compile.emit_{name}")
