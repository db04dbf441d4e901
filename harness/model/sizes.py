"""How much of the inputs a kernel is told that there is, at which size a case runs, and at which further launch."""

from __future__ import annotations

from dataclasses import dataclass

from harness.model.launch import Extent

__all__ = ["FurtherLaunch", "OtherSize", "Size", "trimmed"]


@dataclass(frozen=True, slots=True)
class Size:
    """A scalar argument that says how much of the inputs there is.

    Attributes:
        argument: Its name.
        most: Its documented value, which is its largest; it counts along the last axis of every input.
        least: From which on the documents' own kernel is right.
        packed: Whether the rows of a smaller matrix follow one another in memory, as where a kernel computes
            `row * size + col` itself; else each begins where it begins in the largest one.
    """

    argument: str
    most: int
    least: int = 1
    packed: bool = False


@dataclass(frozen=True, slots=True)
class OtherSize:
    """What a case has instead of a documented size.

    Attributes:
        constant: The name under which the kernel's file states the size, `SIZE`, or a host function takes it.
        value: With which the file is compiled.
        documented: In the file; None where that depends on the warp width.
    """

    constant: str
    value: int
    documented: int | None = None


@dataclass(frozen=True, slots=True)
class FurtherLaunch:
    """The geometry of a further launch, and the constants of the kernel's file that differ there.

    Attributes:
        grid: Blocks in x, y and z; None where a library launches.
        block: Threads of a block in x, y and z.
        constants: What the kernel's file is compiled with for it, by name, without grid and block.
    """

    grid: Extent | None
    block: Extent
    constants: tuple[tuple[str, int | str], ...]

    @property
    def in_a_row(self) -> bool:
        """Whether all blocks and all threads of a block lie in x."""
        return self.grid is not None and self.grid[1:] == self.block[1:] == (1, 1)

    @property
    def sizes(self) -> str:
        """The constants, `SIZE = 18, CONV = 3`."""
        return ", ".join(f"{name} = {value}" for name, value in self.constants)

    def __str__(self) -> str:
        if self.grid is None:
            return self.sizes
        blocks, threads = (" x ".join(map(str, trimmed(extent))) for extent in (self.grid, self.block))
        text = f"{blocks} block{'s' * (blocks != '1')} of {threads} thread{'s' * (threads != '1')}"
        return f"{text}, {self.sizes}" if self.constants else text


def trimmed(extent: Extent) -> tuple[int, ...]:
    """An extent without the ones behind its last other number; one number at least."""
    used = max((place for place, length in enumerate(extent, 1) if length != 1), default=1)
    return extent[:used]
