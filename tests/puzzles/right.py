"""Right kernels that are not the solutions: what else a learner may write, and what each leaves unkept."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from harness.build.unit import Build, BuildUnit, make_units
from harness.catalogue import find_case
from harness.model.frames import blank_regions
from harness.model.sources import Sources
from harness.model.target import Target
from tests import compiled
from tests.mutants.puzzles import modules

__all__ = ["RIGHT", "Right"]


@dataclass(frozen=True, slots=True)
class Right:
    """One right kernel.

    Attributes:
        case: Its case's id.
        name: What it does.
        body: What stands in the region, without its first indentation.
        unkept: The promises that it does not keep, by what comes after `promise.` in their ids.
        imports: Lines that it needs at the top.
    """

    case: str
    name: str
    body: str
    unkept: tuple[str, ...] = ()
    imports: str = ""

    @property
    def id(self) -> str:
        """Case and name."""
        return f"{self.case}-{self.name}"

    def source(self) -> str:
        """The problem's file with the region filled in."""
        entry = find_case(self.case)
        text = blank_regions(Sources("solutions").kernel_file(entry).read_text())
        start = re.search(rf"^def {entry.kernels[0]}\b", text, re.MULTILINE).end()
        region = re.compile(r"(?P<pad> +)(?P<mark># FILL ME IN[^\n]*)\n +pass\n").search(text, start)
        body = "\n".join(region["pad"] + line if line else "" for line in self.body.strip("\n").split("\n"))
        filled = f"{region['pad']}{region['mark']}\n{body}\n"
        text = text[: region.start()] + filled + text[region.end() :]
        return text.replace("\n\nfrom ", f"\n\n{self.imports}\nfrom ", 1) if self.imports else text

    def parts(self, target: Target) -> list[tuple[BuildUnit, Target]]:
        """The kernel as the compiler takes it, at each launch of its case."""
        entry = find_case(self.case)
        name = re.sub(r"\W", "_", f"right_{self.id}")
        file = compiled.placed(f"{name}.mojo", self.source())
        own = make_units(entry.sizes, Build(target=target))
        return [(replace(unit, file=file, module=unit.module.replace(entry.module, name)), target) for unit in own]


RIGHT = tuple(Right(*kernel) for module in modules() for kernel in getattr(module, "RIGHT", ()))
