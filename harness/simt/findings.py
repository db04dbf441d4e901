"""What a launch has to say about its kernel, as values.

Findings of the same kind at the same sites are one finding with a count.
"""

from dataclasses import dataclass, field

__all__ = ["Collector", "Finding", "Place", "Who"]

EXAMPLES = 64
SEVERITIES = ("error", "warning", "information")


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the source and the instruction compiled from it.

    Attributes:
        frames: The chain of inlining, innermost first, as `file:line:column`.
    """

    file: str
    line: int
    column: int
    instruction: str
    frames: tuple[str, ...] = ()

    def __str__(self):
        return f"{self.file}:{self.line}:{self.column}"

    @classmethod
    def of(cls, site):
        """The place of a site of the program."""
        source, location = site.source, site.location
        if source is None:
            return cls("<unknown>", 0, 0, site.text)
        frames = tuple(map(str, location.frames))
        return cls(source.file, source.line, source.column, site.text, frames)


@dataclass(frozen=True, slots=True)
class Who:
    """A lane: its block and thread as (x, y, z), its warp in the block, its lane."""

    block: tuple[int, int, int]
    thread: tuple[int, int, int]
    warp: int
    lane: int

    def __str__(self):
        thread = ",".join(map(str, self.thread))
        block = ",".join(map(str, self.block))
        return f"thread ({thread}) in block ({block}), warp {self.warp} lane {self.lane}"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong, doubtful or notable.

    Attributes:
        kind: A short name, such as `out-of-bounds`.
        severity: `error`, `warning` or `information`.
        message: One sentence, without place and lanes.
        kernel: The kernel's name.
        sites: The places involved; for a hazard both sides, earlier first.
        who: The first lanes involved, at most 64; pairs for a hazard.
        argument: The kernel's argument or the variable concerned, if any.
        offset: The first byte concerned in it, or None.
        size: How many bytes each access touches, or None.
        values: Values worth showing, by name.
        count: How many times it was seen.
    """

    kind: str
    severity: str
    message: str
    kernel: str = ""
    sites: tuple[Place, ...] = ()
    who: tuple[Who, ...] = ()
    argument: str | None = None
    offset: int | None = None
    size: int | None = None
    values: dict = field(default_factory=dict)
    count: int = 1

    def __post_init__(self):
        if self.severity not in SEVERITIES:
            msg = f"severity must be one of {SEVERITIES}, but got {self.severity!r}"
            raise ValueError(msg)

    def __str__(self):
        parts = [f"{self.message} in kernel {self.kernel}"]
        if self.sites:
            parts.append(f"at {self.sites[0]}")
        if self.who:
            parts.append(f"by {self.who[0]}")
        return ", ".join(parts) + (f" ({self.count} times)" if self.count > 1 else "")


class Collector:
    """Gathers findings, merged by kind, sites and argument."""

    def __init__(self, kernel):
        self.kernel = kernel
        self._found = {}

    def add(self, kind, severity, message, sites, who, **details):
        """Adds what was seen by each lane in `who`.

        Args:
            sites: `Site`s of the program.
            details: Fields of `Finding`; `key` may hold what else must differ
                for findings to stay apart, `count` overrides `len(who)`.
        """
        key = (kind, severity, *map(id, sites), details.get("argument"), details.pop("key", None))
        count = details.pop("count", None) or max(1, len(who))
        found = self._found.get(key)
        if found is None:
            self._found[key] = [kind, severity, message, tuple(sites), list(who[:EXAMPLES]), details, count]
        else:
            found[4].extend(who[: EXAMPLES - len(found[4])])
            found[6] += count

    def result(self) -> tuple[Finding, ...]:
        """All findings, in the order they were first seen."""
        return tuple(
            Finding(
                kind,
                severity,
                message,
                self.kernel,
                tuple(map(Place.of, sites)),
                tuple(who),
                count=count,
                **details,
            )
            for kind, severity, message, sites, who, details, count in (self._found.values())
        )

    def __len__(self):
        return len(self._found)
