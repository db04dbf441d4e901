"""Random kernels in Mojo, each with a NumPy evaluation of the same program.

A program is a tree of statements over a few variables; each statement can print
itself as Mojo and run itself on arrays of all threads under a mask. Everything
is exact: integers wrap, and floats are brought back to small whole numbers
before they could round, so that fused or not, all targets must agree.
"""

from tests.simt.random_mojo.expressions import BLOCK, GRID
from tests.simt.random_mojo.program import Program, module_source

__all__ = ["BLOCK", "GRID", "Program", "module_source"]
