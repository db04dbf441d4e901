"""`Site`: an instruction and the calls that lead to it, with source location and a key that unrolled copies share."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TypeAlias

from harness.simt.findings import SourceLocation
from harness.simt.ir.module import Frame, Instruction, Location

__all__ = ["Line", "Site"]

Line: TypeAlias = tuple[str, int, int] | int


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """An instruction, reached through certain calls; reports point to it.

    Attributes:
        index: Its number in the program.
        caller: The site of the call that it was reached by, or None.
    """

    index: int
    instruction: Instruction
    caller: "Site | None" = None

    @property
    def align(self) -> int | None:
        """The `align` of a load or a store in bytes, 16 if it has none; None for all other instructions."""
        instruction = self.instruction
        return instruction.attrs.get("align") or 16 if instruction.opcode in ("load", "store") else None

    @property
    def location(self) -> Location | None:
        """The frames of the instruction, then of each calling site, from the innermost to the kernel.

        A site without a location adds no frame; None if no site has a location.
        """
        frames: tuple[Frame, ...] = ()
        at: Site | None = self
        while at is not None:
            if at.instruction.location:
                frames += at.instruction.location.frames
            at = at.caller
        return Location(frames) if frames else None

    @property
    def source(self) -> Frame | None:
        """The innermost frame of `location` in user code that has a line, else the innermost; None without any."""
        location = self.location
        return location.source if location else None

    @property
    def place(self) -> SourceLocation:
        """The source location for findings: the frame `source`, the instruction's text and all frames.

        Without debug information it is file `<unknown>`, line 0 and the text.
        """
        location = self.location
        if location is None:
            return SourceLocation("<unknown>", 0, 0, self.text)
        source, frames = location.source, tuple(map(str, location.frames))
        return SourceLocation(source.file, source.line, source.column, self.text, frames, source.function)

    @property
    def where(self) -> Hashable:
        """A key of the frames and the opcode, which all copies of an instruction in an unrolled loop share.

        Without a source line it is the site itself.
        """
        location = self.location
        return (location.frames, self.instruction.opcode) if location and location.frames[0].line else self

    @property
    def line(self) -> Line:
        """(file, line, column) in the source, or the instruction's `id()` if there is no debug information."""
        source = self.source
        return (source.file, source.line, source.column) if source is not None else id(self.instruction)

    @property
    def text(self) -> str:
        """The printed instruction."""
        return self.instruction.text
