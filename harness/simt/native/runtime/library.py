"""Names and macros of the C run-time library's units, and `functions_of`, which reads a unit as stored LLVM IR.

Clang makes the IR when the tree is generated, so that nobody needs a compiler to run a kernel. A unit is one C
file with the values of its macros. `tests.generate.runtime_library` writes and compares the stored IR.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["FOLDER", "UNITS", "Unit", "functions_of", "shadow_cell_unit"]

FOLDER = Path(__file__).parent.parent / "library"
WARPS = (32, 64)  # threads of a warp on any target


@dataclass(frozen=True, slots=True)
class Unit:
    """A C file with the values of its macros.

    Attributes:
        source: The name of the file.
        macros: The values, by name.
    """

    source: str
    macros: Mapping[str, int]


def shadow_cell_unit(*, clusters: bool, warp: int, needs: bool) -> str:
    """Return the name, in `UNITS`, of the unit that has the race detector of a kind of launch.

    Args:
        clusters: Whether blocks form clusters; then `warp` does not count.
        warp: How many threads a warp has, if warps have epochs of their own; else 0.
        needs: Whether it is noted which barriers are needed.
    """
    kind = "clusters" if clusters else f"warp{warp}" if warp else "plain"
    return f"shadow_cells.{kind}{'.needs' if needs else ''}"


def _shadow_cells() -> dict[str, Unit]:
    kinds = ((False, 0), (True, 0), *((False, warp) for warp in WARPS))
    return {
        shadow_cell_unit(clusters=clusters, warp=warp, needs=needs): Unit(
            "shadow_cells.c", {"CLUSTERS": int(clusters), "WARP": warp, "NEEDS": int(needs)}
        )
        for clusters, warp in kinds
        for needs in (False, True)
    }


UNITS: dict[str, Unit] = {
    **_shadow_cells(),
    "driver": Unit("driver.c", {}),
    "float_sums": Unit("float_sums.c", {}),
    "control_paths": Unit("control_paths.c", {}),
    "warp_parts": Unit("warp_parts.c", {}),
    "requests": Unit("requests.c", {}),
    "bank_conflicts": Unit("bank_conflicts.c", {}),
    "lane_counts": Unit("lane_counts.c", {}),
    **{f"lockstep.warp{warp}": Unit("lockstep.c", {"THREADS": warp}) for warp in WARPS},
}


@cache
def functions_of(unit: str) -> str:
    """Return the functions of a unit, a name in `UNITS`, in LLVM IR from the stored file; comment lines are left out.

    They are internal to the module that takes them in, whose own functions they may call.
    """
    lines = (FOLDER / "stored" / f"{unit}.ll").read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith(";"))
