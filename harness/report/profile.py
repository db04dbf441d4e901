"""Print profiles of kernels: registers, occupancy, a table of counts by source line; convert them to JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from harness.model.language import current_words, translate
from harness.model.profile import KernelProfile
from harness.report.screen import Screen
from harness.simt.plain import printable
from harness.simt.rows import Row

__all__ = ["as_dict", "format_lines", "print_profiles"]

HEADS = ("place", "what", "requests", "lanes", "bytes", "sectors", "least", "lines", "passes", "conflicts", "divergent",
         "operations")  # fmt: skip


def print_profiles(
    profiles: Sequence[KernelProfile], format_path: Callable[[str], str] = str, screen: Screen | None = None
) -> None:
    """Print for each kernel its resources, and a table with a row for each source location and what is counted there.

    Args:
        profiles: The profiles; one without rows has no table.
        format_path: Returns the name under which the table shows a file.
        screen: The screen of the tables; None for one as wide as the terminal.
    """
    for profile in profiles:
        for line in format_lines(profile):
            print(printable(translate(line)))
        if profile.rows:
            (screen or Screen()).table(HEADS, [_format_row(row, format_path) for row in profile.rows])


def format_lines(profile: KernelProfile) -> Iterator[str]:
    """Yield English lines on a whole kernel: name and number of launches; then what is known of three more facts.

    These are the bytes and operations for each element written, the registers, and the occupancy.
    """
    times = f", {profile.launches} launches" if profile.launches > 1 else ""
    yield f"profile of {profile.kernel}{times}"
    if profile.bytes_per_element is not None:
        bytes_, operations = profile.bytes_per_element, profile.operations_per_element
        yield f"  each element written: {bytes_:.4g} bytes of global memory, {operations:.4g} floating-point operations"
    if resources := profile.resources:
        scalars = (
            "" if resources.scalar_registers is None else f" and {resources.scalar_registers} scalar ones of a wave"
        )
        spilled = f"{resources.spilled_bytes} bytes spilled" if resources.spilled_bytes else "nothing spilled"
        yield f"  {resources.registers} registers of a thread{scalars}, {spilled}"
    if full := profile.occupancy:
        warps = f"{full.warps} of {full.most_warps} warps in {full.blocks} block{'' if full.blocks == 1 else 's'}"
        without = "" if profile.resources else "; registers are not known and may allow less"
        texts = current_words()
        limits = texts.word("shown", "and").join(texts.word("resource", name) for name in full.limited_by)
        yield f"  occupancy {full.percent:.1f}%, {warps}, limited by {limits}{without}"


def as_dict(profiles: Sequence[KernelProfile]) -> list[dict[str, Any]]:
    """Return profiles as JSON values."""
    return [
        {
            **asdict(profile),
            "occupancy": profile.occupancy and {**asdict(profile.occupancy), "percent": profile.occupancy.percent},
            "rows": [{**asdict(row), "conflicts": row.conflicts} for row in profile.rows],
        }
        for profile in profiles
    ]


def _format_row(row: Row, format_path: Callable[[str], str]) -> tuple[str, ...]:
    place = f"{format_path(row.file)}:{row.line}:{row.column}" if row.line else "?"
    # What is not counted of this kind of row stays empty, so that a 0 says something.
    memory, kind = row.what.partition(" ")[::2]
    is_shown = {"requests": row.what != "arithmetic", "lanes": True, "bytes": bool(kind)}
    is_shown |= dict.fromkeys(("sectors", "least", "lines"), memory == "global")
    is_shown |= dict.fromkeys(("passes", "conflicts"), memory == "shared")
    is_shown |= {"divergent": row.what == "branch", "operations": row.what == "arithmetic"}
    least = row.least_sectors
    figures = {name: least if name == "least" else getattr(row, name) for name in is_shown}
    return (
        printable(place),
        current_words().word("what-is-counted", row.what),
        *(f"{figures[name]:,}" if is_shown[name] else "" for name in HEADS[2:]),
    )
