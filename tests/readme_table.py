"""The README's table of cases and targets, made from the catalogue.

`python -m tests.readme_table` writes it into the README.
"""

from __future__ import annotations

from harness.catalogue import CASES
from harness.model.sources import ROOT
from harness.model.target import Target

__all__ = ["README", "between_markers", "table"]

README = ROOT / "README.md"
BEGIN, END = "<!-- cases: begin -->\n", "<!-- cases: end -->\n"
COLUMNS = {
    "NVIDIA": ("nvidia:sm_80", "nvidia:sm_90"),
    "AMD": ("amd:gfx942", "amd:gfx1100"),
    "Apple": ("apple:apple-m4",),
}


def table() -> str:
    """A row for each case: what it is, how it is launched, where it runs."""
    heads = ["case", "kernel", "grid x block x cluster", *COLUMNS]
    rows = [heads, ["---"] * len(heads)]
    for case in CASES:
        launch = (
            str(case.instance(32).launch).replace("32", "W") if case.puzzle == "p26" else str(case.instance(32).launch)
        )
        rows.append([f"`{case.id}`", f"`{case.kernel}`", launch, *(_where(case, names) for names in COLUMNS.values())])
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)


def _where(case, names: tuple[str, ...]) -> str:
    able = [name for name in names if case.refusal(Target.parse(name)) is None]
    if len(able) == len(names):
        return "yes"
    return f"from {able[0].partition(':')[2]}" if able else "no"


def between_markers(text: str) -> str:
    """What stands in the README where the table belongs."""
    return text.partition(BEGIN)[2].partition(END)[0]


if __name__ == "__main__":
    text = README.read_text()
    README.write_text(text.replace(BEGIN + between_markers(text) + END, BEGIN + table() + END))
