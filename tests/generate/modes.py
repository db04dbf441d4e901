"""The tables of `docs/puzzles.md`: every mode, and what hardware lacks where one does not run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from harness.catalogue import CASES
from harness.model.case import Case
from harness.model.handout import Wrong
from harness.model.sources import Sources
from harness.model.target import VENDOR_NAMES, Target
from tests.generate.files import table

__all__ = ["modes_table", "reasons", "reasons_list"]

_FUNCTION = re.compile(r"(?:def|struct) (\w+)")
_NUMBER = re.compile(r"(\d+(?:,\d{3})*)")
_MARK = "# FILL ME IN: "
_HEADS = ("mode", "title", "command", "to fill in", "grid x block x cluster", *VENDOR_NAMES.values(), "size")


def modes_table() -> str:
    """A row for each mode: what it is, how it is started, what is to be done, where it runs and at which sizes."""
    rows = []
    for case in CASES:
        command = " --".join([case.puzzle, *([case.mode] if case.mode else [])])
        vendors = [_where(case, vendor) for vendor in VENDOR_NAMES]
        small = _by_width(case.small, _size) if case.small else ""
        shown = [case.title, f"`{command}`", "; ".join(_tasks(case)), _by_width(case, _launches), *vendors]
        rows.append([f"`{case.id}`", *shown, _by_width(case, _size), small])
    return table([*_HEADS, "in the simulator"], rows)


def reasons() -> tuple[str, ...]:
    """Why some case does not run on some target, each once."""
    targets = [Target.parse(name) for name in Target.all_names()]
    refused = (case.refusal(target) for case in CASES for target in targets)
    return tuple(dict.fromkeys(reason for reason in refused if reason))


def reasons_list() -> str:
    """The same, numbered as in the table."""
    return "\n" + "".join(f"{number}. {reason}\n" for number, reason in enumerate(reasons(), start=1)) + "\n"


def _tasks(case: Case) -> Iterator[str]:
    """What is to be done, function by function."""
    parts = Sources("solutions").learner_files(case)
    marked = {name: found for part in parts for name, found in _marked(part.path).items() if name in part.functions}
    if marked:
        yield from (f"`{name}`: {', '.join(hints)}" for name, hints in marked.items())
    else:
        yield f"`{case.kernel_names}`: " + ("a mistake to fix" if isinstance(case.handout, Wrong) else "nothing")


def _marked(file: Path) -> dict[str, list[str]]:
    """How long the regions of a file are, by the function or the struct that they stand in."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if match := _FUNCTION.match(line):
            name = match[1]
        if line.lstrip().startswith(_MARK):
            found.setdefault(name, []).append(line.rpartition(": ")[2])
    return found


def _launches(case: Case, width: int) -> str:
    return "<br>".join(map(str, case.launches(width))) or "a library's"


def _size(case: Case, width: int) -> str:
    """What the inputs hold, in elements."""
    shapes: dict[str, list[str]] = {}
    for tensor in case.geometry(width).initialized:
        shapes.setdefault(" x ".join(f"{extent:,}" for extent in tensor.shape), []).append(f"`{tensor.name}`")
    return "; ".join(f"{', '.join(names)} {shape}" for shape, names in shapes.items())


def _by_width(case: Case, shown: Callable[[Case, int], str]) -> str:
    """What a case has at a warp width, with `W` where a number follows that."""
    narrow, wide = (_NUMBER.split(shown(case, width)) for width in (32, 64))
    if len(narrow) != len(wide):
        return f"{''.join(narrow)}, with 64 lanes {''.join(wide)}"
    return "".join(one if one == other else _in_warps(one, other) for one, other in zip(narrow, wide, strict=True))


def _in_warps(narrow: str, wide: str) -> str:
    one, other = (int(text.replace(",", "")) for text in (narrow, wide))
    if other == 2 * one and one % 32 == 0:
        return f"{one // 32 if one > 32 else ''}W"
    return f"{narrow} or {wide}"


def _where(case: Case, vendor: str) -> str:
    """From which architecture on it runs, and the number of the reason why it does not elsewhere."""
    targets = [target for target in map(Target.parse, Target.all_names()) if target.vendor == vendor]
    able = [target for target in targets if case.refusal(target) is None]
    if len(able) == len(targets):
        return "yes"
    why = next(reasons().index(reason) + 1 for target in targets if (reason := case.refusal(target)))
    return f"from {able[0].architecture} ({why})" if able else f"no ({why})"
