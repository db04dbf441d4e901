"""Names for the arrays that hold what lanes work on.

An array that belongs to a set of lanes has its length, or length 1 when all
lanes agree; the elements of a vector lie along axis 1.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Ints", "Mask", "Octets", "Taint", "Values"]

# The values that instructions compute with, of whatever dtype their type has.
Values = npt.NDArray[Any]
# Numbers of lanes, rows and bytes; positions in another array.
Ints = npt.NDArray[np.signedinteger[Any]]
# One truth for each lane, place or thread.
Mask = npt.NDArray[np.bool_]
# Bytes of memory.
Octets = npt.NDArray[np.uint8]
# For each lane the number of where an undefined value came from, 0 if it is
# defined; None when all are.
Taint = Ints | None
