"""Make further launches of a case, as cases with other constants, geometry and random data, and attach them to it.

If the documented launch has as many blocks as a block has threads, a kernel that takes one number for the other is
right. So each case is judged at its further launches too. Each is valid only if every form of the kernel that the
documents show is right there (`tests/puzzles/test_documented.py`).
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import replace

from harness.catalogue.sizes import draw_lazily
from harness.model.case import Case, Dataset, Instance

__all__ = ["DRAWN", "make_further", "with_further"]

DRAWN = "drawn"
_CATCHES = "what is right at the documented launch alone"


def with_further(case: Case, *further: Case) -> Case:
    """Return the case with further launches added after its own; its small size, if it has one, gets them too."""
    small = case.small and with_further(case.small, *further)
    return replace(case, small=small, further=(*case.further, *further))


def make_further(case: Case, redefined: Mapping[str, int | str], size: int | None = None) -> Case:
    """Make a further launch, as a case with random data of full size and, if the kernel takes a size, of a smaller one.

    It promises nothing, has no graph and no small size. Its mode is `tiled-SIZE-9`, say: that of `case` (or the
    puzzle), then the changed constants. The id of `case` and these constants seed the data.

    Args:
        case: The documented case, made at other sizes and geometries.
        redefined: The constants of the file that differ, by name: numbers, or Mojo.
        size: The size of the second data set; if None, about two thirds, and no multiple of a block's threads.
    """
    about = "-".join(f"{name}-{value}" for name, value in redefined.items())

    def resolve(width: int) -> Instance:
        instance = case.geometry(width)
        seed = zlib.crc32(f"{case.id} {about}".encode())
        sets = [Dataset(DRAWN, draw_lazily(case, instance, seed), _CATCHES)]
        if case.size:
            least = size or _choose_smaller_size(case, width)
            sets.append(
                Dataset(
                    f"{DRAWN}-size-{least}",
                    draw_lazily(case, instance, [seed, least], least),
                    "a kernel that knows one size",
                    {case.size.argument: least},
                )
            )
        return replace(instance, datasets=tuple(sets))

    return replace(
        case,
        mode=f"{case.mode or case.puzzle}-{about}",
        op="",
        resolve=resolve,
        claims=(),
        graph=None,
        small=None,
        further=(),
        resized=None,
        redefined=redefined,
        further_of=case.id,
    )


def _choose_smaller_size(case: Case, width: int) -> int:
    """Return the largest size, up to two thirds of the data, that leaves threads of a block idle.

    That is one that is no multiple of the first launch's block in x (of 2 without a launch). If there is none, it is
    two thirds; never less than the case's least size.

    Args:
        case: A case whose kernel takes a size.
        width: Of a warp.
    """
    assert case.size
    first = next(iter(case.launches(width)), None)
    threads = first.block[0] if first else 2
    most = max(case.size.least, 2 * case.size.most // 3)
    return next((size for size in range(most, case.size.least - 1, -1) if size % threads), most)
