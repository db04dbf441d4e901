"""All oracles, imported."""

from tests.simt.oracles import nvvm_integer, nvvm_math, ptx

__all__ = ["nvvm_integer", "nvvm_math", "ptx"]
