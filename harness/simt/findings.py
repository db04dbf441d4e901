"""`Finding`, its severity, source locations and lanes; `Collector`, which merges and counts them; launch verdicts.

Findings of the same kind at the same source locations are one finding with a count.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal, Protocol, TypeAlias, get_args

from harness.simt.messages import words

__all__ = [
    "APART",
    "ARRAY",
    "ATOMIC_ORDERING",
    "LIBRARY_PREFIXES",
    "SEVERITIES",
    "Collector",
    "Counts",
    "Finding",
    "LaunchVerdict",
    "Severity",
    "SourceLocation",
    "Who",
    "failing",
    "name_empty_buffer",
]

# The levels at which threads may race, `values["level"]`: whatever orders one level orders all before it.
# `step` and `phase` order threads of a block, `ticket` those of blocks that count themselves by an atomic.
APART = ("warp", "step", "statement", "phase", "block", "cluster", "ticket", "grid")
ARRAY = "array"  # an array indexed outside of its shape, until the source gives its name
ATOMIC_ORDERING = "ordering of atomics"  # in the fidelity of a launch, if the compiler is unknown
EXAMPLES = 64
_POINTER_REACH = 1 << 32  # bytes from a pointer to an access through it
FRAME = re.compile(r"(.+):(\d+):\d+")
# Prefixes of the paths that the compiler records for its own libraries.
LIBRARY_PREFIXES = ("Mojo/stdlib/", "max/kernels/", "max/mojo/", "<", "KGEN/")
Severity: TypeAlias = Literal["error", "warning", "information"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)  # the worst first
# The counters of a launch, by name; None for a ratio of zero to zero.
Counts = dict[str, int | float | None]


class LaunchVerdict(StrEnum):
    """The verdict of a launch; in JSON and comparisons it is its text.

    Attributes:
        CLEAN: There is neither an error nor a warning.
        FINDINGS: There is one.
        INCOMPLETE: Something is not modelled, or a budget is exceeded.
    """

    CLEAN = "clean"
    FINDINGS = "findings"
    INCOMPLETE = "incomplete"


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """A line of the source and the instruction compiled from it.

    Attributes:
        line: From 1; 0 if the code has no source lines.
        frames: The chain of inlining, innermost first, as `file:line:column`.
        function: The function that the line is in, if known.
    """

    file: str
    line: int
    column: int
    instruction: str
    frames: tuple[str, ...] = ()
    function: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    @property
    def lines(self) -> tuple[tuple[str, int], ...]:
        """(file, line) of the location, then those of the calls that lead there, innermost first."""
        frames = (FRAME.fullmatch(frame) for frame in self.frames)
        return ((self.file, self.line), *((frame[1], int(frame[2])) for frame in frames if frame))

    @property
    def known(self) -> bool:
        """True if there is a line of a source, not only an instruction."""
        return self.line > 0


class FindingSite(Protocol):
    """An instruction of the program, where a finding can be."""

    @property
    def place(self) -> SourceLocation:
        """The source location of the instruction."""
        ...

    @property
    def where(self) -> Hashable:
        """A key that is the same for all copies of an instruction at one source location."""
        ...


@dataclass(frozen=True, slots=True)
class Who:
    """A lane: its block and thread as (x, y, z), its warp in the block, its lane."""

    block: tuple[int, int, int]
    thread: tuple[int, int, int]
    warp: int
    lane: int

    @classmethod
    def numbered(cls, block: int, thread: int, grid: Sequence[int], threads: Sequence[int], warp: int) -> Who:
        """Return the lane of a thread, given its number in its block and the block's number in the grid.

        Args:
            grid: The extents of the grid, as (x, y, z).
            threads: The extents of a block.
            warp: Lanes of a warp.
        """
        (gx, gy, _), (x, y, _) = grid, threads
        return cls(
            (block % gx, block // gx % gy, block // (gx * gy)),
            (thread % x, thread // x % y, thread // (x * y)),
            thread // warp,
            thread % warp,
        )

    def __str__(self) -> str:
        thread = ",".join(map(str, self.thread))
        block = ",".join(map(str, self.block))
        return f"thread ({thread}) in block ({block}), warp {self.warp} lane {self.lane}"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong, doubtful or notable.

    Its text is in `harness.simt.messages`, by id and language.

    Attributes:
        id: Of its message, such as `race.shared.write-read`.
        severity: `error`, `warning` or `information`.
        kernel: The kernel's name.
        sites: The source locations involved; for a hazard both sides, earlier first.
        who: The first lanes involved, at most 64; pairs for a hazard.
        argument: The kernel's argument or the variable concerned, if any.
        offset: The first byte concerned in it, or None.
        size: How many bytes each access touches, or None.
        values: Parameters of the message, and values worth showing, by name.
        count: How many times it was seen.
    """

    id: str
    severity: str
    kernel: str = ""
    sites: tuple[SourceLocation, ...] = ()
    who: tuple[Who, ...] = ()
    argument: str | None = None
    offset: int | None = None
    size: int | None = None
    values: dict[str, Any] = field(default_factory=dict)
    count: int = 1

    def __post_init__(self) -> None:
        if self.severity not in SEVERITIES:
            msg = f"severity must be one of {SEVERITIES}, but got {self.severity!r}"
            raise ValueError(msg)

    @property
    def kind(self) -> str:
        """The first part of the id, such as `race`."""
        return self.id.partition(".")[0]

    @property
    def parameters(self) -> dict[str, Any]:
        """All values that a message may use, by name: some fields, and `values`, which take precedence."""
        fields = {name: getattr(self, name) for name in ("kernel", "argument", "offset", "size", "count")}
        return fields | self.values

    @property
    def message(self) -> str:
        """One sentence in English, without location and lanes."""
        return words().text(self)

    def __str__(self) -> str:
        clauses = ["; ".join((self.message, *words().items(self)))]
        if self.kernel:
            clauses.append(f"in kernel {self.kernel}")
        if self.sites and self.sites[0].known:
            clauses.append(f"at {self.sites[0]}")
        if self.who:
            clauses.append(f"by {self.who[0]}")
        return ", ".join(clauses) + (f" ({self.count} times)" if self.count > 1 else "")


def failing(findings: Iterable[Finding], fail_on: str) -> list[Finding]:
    """Return the findings that make a verdict fail: those of severity `fail_on` or worse, in their order.

    ValueError if `fail_on` is no severity. Every verdict and every exit code that depends on severities asks this
    function.
    """
    counted = SEVERITIES[: SEVERITIES.index(fail_on) + 1]
    return [finding for finding in findings if finding.severity in counted]


def name_empty_buffer(finding: Finding, empty: Mapping[int, str]) -> Finding:
    """Return a finding `out-of-bounds.pointer...` as `out-of-bounds.empty` if it accesses a buffer of no elements.

    That is so if the finding's `address` is less than 4 GiB from the buffer's pointer; the first such buffer becomes
    its `argument`, and `global` its space. Any other finding is returned unchanged.

    Args:
        empty: The names of the buffers of no elements, by the value that the kernel got as pointer.
    """
    if not finding.id.startswith("out-of-bounds.pointer"):
        return finding
    names = (name for value, name in empty.items() if abs(finding.values["address"] - value) < _POINTER_REACH)
    if (name := next(names, None)) is None:
        return finding
    return replace(finding, id="out-of-bounds.empty", argument=name, values=finding.values | {"space": "global"})


class Collector:
    """Gather findings, merged by kind, argument and source locations.

    A merged finding has the message of the first one.
    """

    def __init__(self, kernel: str) -> None:
        self.kernel = kernel
        self._findings: dict[Any, list[Any]] = {}

    def add(self, name: str, severity: str, sites: Sequence[FindingSite], who: Sequence[Who], **details: Any) -> None:
        """Add a finding seen by each lane in `who`, or count it to an earlier one with the same key.

        The key is the first part of the id, the severity, the sites' `where`, the argument and `key`. A merged finding
        has the first one's message and details, the first 64 lanes, and the sum of the counts.

        Args:
            name: The id of the message.
            sites: `Site`s of the program.
            details: Fields of `Finding`; `key` may hold what else must differ for findings to stay apart. `count`, if
                it is not 0, replaces the number of lanes in `who` (at least 1) as the count.
        """
        kind = name.partition(".")[0]
        key = (kind, severity, *(site.where for site in sites), details.get("argument"), details.pop("key", None))
        count = details.pop("count", None) or max(1, len(who))
        group = self._findings.get(key)
        if group is None:
            self._findings[key] = [name, severity, tuple(sites), list(who[:EXAMPLES]), details, count]
        else:
            group[3].extend(who[: EXAMPLES - len(group[3])])
            group[5] += count

    def result(self) -> list[Finding]:
        """Return all findings, in the order they were first seen."""
        return [
            Finding(
                name, severity, self.kernel, tuple(site.place for site in sites), tuple(who), count=count, **details
            )
            for name, severity, sites, who, details, count in self._findings.values()
        ]

    def __len__(self) -> int:
        return len(self._findings)
