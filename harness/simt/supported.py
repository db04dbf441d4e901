"""Write Markdown lists of the supported instructions, intrinsics by vendor and assembly, from their registries."""

from collections.abc import Iterable

from harness.simt.compile.emitters import EMITTERS
from harness.simt.compile.lowering import LOWERINGS
from harness.simt.compile.registry import all_intrinsics

__all__ = ["markdown"]

ASSEMBLY = "Inline assembly"
CONTROL = ("br", "call", "phi", "ret", "switch", "unreachable")
FAMILIES = {  # heading to the beginning of the names
    "LLVM": ("llvm.",),
    "NVIDIA": ("llvm.nvvm.",),
    "AMD": ("llvm.amdgcn.", "std_sys__amdgpu"),
    "Apple": ("air.", "__mojo_metal"),
    ASSEMBLY: ("asm:",),
    "Others": ("",),
}


def _family(name: str) -> str:
    """Return the heading of `FAMILIES` with the longest prefix that fits a name; `Others` if no prefix does."""
    fits = [(len(start), family) for family, starts in FAMILIES.items() for start in starts if name.startswith(start)]
    return max(fits)[1]


def _line(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


def markdown() -> str:
    """Return lists of instructions and of intrinsics by vendor, in Markdown.

    Approximate intrinsics stand apart; intrinsics that have no effect in a simulation are listed too, since they are
    accepted. Assembly is listed by the instructions that are lowered.
    """
    sections = ["### Instructions", "", _line({*EMITTERS, *CONTROL}), ""]
    for family in FAMILIES:
        intrinsics = [intrinsic for intrinsic in all_intrinsics().values() if _family(intrinsic.name) == family]
        groups = {
            "Exact": [intrinsic.name for intrinsic in intrinsics if intrinsic.exact and intrinsic.kind != "ignored"],
            "Approximate": [intrinsic.name for intrinsic in intrinsics if not intrinsic.exact],
            "Without effect": [intrinsic.name for intrinsic in intrinsics if intrinsic.kind == "ignored"],
        }
        sections += [f"### {family}", ""]
        if family == ASSEMBLY:  # what it is lowered to is named by the instruction
            groups["Exact"] = [".".join(words) for words in LOWERINGS]
        for title, names in groups.items():
            short_names = [name.removeprefix("asm:") for name in names]
            if short_names:
                sections += [f"{title}: {_line(short_names)}", ""]
    return "\n".join(sections).rstrip() + "\n"
