"""Records of a case's sizes: the scalar for input length, a replaced documented size, a further launch's geometry."""

from __future__ import annotations

from dataclasses import dataclass

from harness.model.launch import Extent

__all__ = ["FurtherLaunch", "OtherSize", "Size", "trim_extent"]


@dataclass(frozen=True, slots=True)
class Size:
    """A scalar argument that says how much of the inputs there is.

    Attributes:
        argument: The argument's name.
        most: Its documented and largest value; it counts along the last axis of every input.
        least: The smallest value for which the documents' own kernel is right.
        packed: Whether the rows of a smaller matrix are adjacent in memory, as for a kernel that computes `row * size +
            col`; otherwise each row begins where it begins in the largest matrix.
    """

    argument: str
    most: int
    least: int = 1
    packed: bool = False


@dataclass(frozen=True, slots=True)
class OtherSize:
    """A size that replaces the documented one.

    Attributes:
        constant: The constant of the kernel's file, such as `SIZE`, or the host function's parameter.
        value: The value it is compiled with.
        documented: The value in the file; None if that depends on the warp width.
    """

    constant: str
    value: int
    documented: int | None = None


@dataclass(frozen=True, slots=True)
class FurtherLaunch:
    """The geometry of a further launch, and the constants of the kernel's file that differ there.

    Attributes:
        grid: Blocks in x, y and z; None for a library's launch.
        block: Threads of a block in x, y and z.
        constants: The name and the value of each constant that the file is compiled with.
    """

    grid: Extent | None
    block: Extent
    constants: tuple[tuple[str, int | str], ...]

    @property
    def is_one_dimensional(self) -> bool:
        """True if all blocks, and all threads of a block, lie in x."""
        return self.grid is not None and self.grid[1:] == self.block[1:] == (1, 1)

    @property
    def sizes(self) -> str:
        """The constants as text: `SIZE = 18, CONV = 3`."""
        return ", ".join(f"{name} = {value}" for name, value in self.constants)

    def __str__(self) -> str:
        if self.grid is None:
            return self.sizes
        blocks, threads = (" x ".join(map(str, trim_extent(extent))) for extent in (self.grid, self.block))
        text = f"{blocks} block{'s' * (blocks != '1')} of {threads} thread{'s' * (threads != '1')}"
        return f"{text}, {self.sizes}" if self.constants else text


def trim_extent(extent: Extent) -> tuple[int, ...]:
    """Return an extent without trailing ones; at least one number stays."""
    used = max((place for place, length in enumerate(extent, 1) if length != 1), default=1)
    return extent[:used]
