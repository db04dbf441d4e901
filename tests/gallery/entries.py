"""The gallery's entries: which defect each program of `docs/gallery` has, and what has to be found in it.

NAME.mojo has the defect, NAME_fixed.mojo is the same program without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.model.sources import ROOT

__all__ = ["ENTRIES", "FOLDER", "LONGEST", "RECORD", "Entry", "code", "documentation", "programs_for"]

FOLDER = ROOT / "docs" / "gallery"
RECORD = FOLDER / "recorded.json"  # what a GPU printed; `tests.gallery.record` writes it
LONGEST = 25  # lines of code of a program, without blank lines and its documentation


@dataclass(frozen=True, slots=True)
class Entry:
    """A defect, and the findings that it has to come to.

    Attributes:
        name: Of the program, without `.mojo`.
        findings: The id of each error and warning, and a part of the line that its first place is at.
        targets: Vendors whose default target shows the defect; the page has the report of the first one.
        harmless_on: Vendors on whose target the defect does no harm, and nothing is found.
    """

    name: str
    findings: tuple[tuple[str, str], ...]
    targets: tuple[str, ...] = ("nvidia", "amd", "apple")
    harmless_on: tuple[str, ...] = ()

    @property
    def faulty(self) -> Path:
        """The program with the defect."""
        return FOLDER / f"{self.name}.mojo"

    @property
    def fixed(self) -> Path:
        """The program without it."""
        return FOLDER / f"{self.name}_fixed.mojo"


ENTRIES = (
    Entry("tail", (("out-of-bounds.after", "values[i] = values[i] * 2"),)),
    Entry("overrun", (("out-of-bounds.after", "scratch[t + 1] ="),)),
    Entry("overflow", (("out-of-bounds.before", "i * STEP"),)),
    Entry("unzeroed", (("uninitialised.output", "output[0] = sum[0]"),), ("nvidia", "amd")),
    Entry("unwritten", (("uninitialised.output", "output[0] = sums[0]"),)),
    Entry("ticket", (("race.shared.write-read", "Int(Atomic.fetch_add(tickets"),)),
    Entry("early_overwrite", (("race.shared.read-write", "sum += tile[255 - t]"),)),
    Entry("plain_read", (("race.global.write-read", "_ = Atomic.fetch_add(counter"),)),
    Entry(
        "lockstep",
        (("race.shared.write-read", "sums[t] = Int32(t)"), ("race.shared.write-read", "sums[t] += sums[t + step]")),
        ("nvidia",),
    ),
    Entry("in_place", (("race.global.read-write", "values[i] += values[i + 1]"),), ("nvidia", "amd")),
    Entry("radix", (("out-of-bounds.after", "sorted["),), ("amd",), harmless_on=("nvidia", "apple")),
    Entry("shuffle", (("inactive-source.undefined", "warp.sum"),), ("nvidia", "apple")),
    Entry("missed", (("missed-barrier.ended", "barrier()"),)),
    Entry(
        "live_mbarrier",
        (("mbarrier.again", "mbarrier_init(phase"), ("race.shared.write-write", "mbarrier_test_wait(phase")),
        ("nvidia",),
    ),
    Entry("freed", (("use-after-free.host", "ctx.enqueue_copy(copy, view)"),)),
    Entry("early_read", (("missing-wait.read", 'print("value"'),)),
)


def programs_for(vendor: str) -> list[str]:
    """Return the names of all programs, faulty and fixed, that run on a vendor's target."""
    ours = [entry for entry in ENTRIES if vendor in (*entry.targets, *entry.harmless_on)]
    return [name for entry in ours for name in (entry.name, f"{entry.name}_fixed")]


def documentation(file: Path) -> tuple[str, str]:
    """Return a program's title, without its full stop, and the text below it."""
    head, _, rest = file.read_text(encoding="utf-8").removeprefix('"""').partition('"""')[0].partition("\n")
    return head.rstrip("."), rest.strip()


def code(file: Path) -> Sequence[str]:
    """Return a program's lines after its documentation."""
    return file.read_text(encoding="utf-8").removeprefix('"""').partition('"""\n')[2].strip("\n").split("\n")
