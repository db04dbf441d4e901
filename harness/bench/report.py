"""Measurements to JSON and to markdown tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from harness.bench.stats import Timing
from harness.bench.work import label
from harness.model.whole_file import write_whole

__all__ = ["Measured", "Results", "markdown", "write_json"]


@dataclass(frozen=True, slots=True)
class Measured:
    """One way to do one piece of work.

    Attributes:
        case: Its id.
        size: Bytes of the input.
        way: `engine`, `replay`, `torch`, `torch graph`, `cupy` or `triton`.
        how: `cold`: one call after a flush, by device events. `host`: each of many in
            a row, by the host's clock. `device`: the same by device events while the
            host is far ahead. `awaited`: one call and its end, by the host's clock.
        timing: In microseconds.
    """

    case: str
    size: int
    way: str
    how: str
    timing: Timing


@dataclass(slots=True)
class Results:
    """A whole run.

    Attributes:
        environment: Versions, device, driver, date.
        first: Milliseconds of load and first launches, by what.
        measured: Every timing.
        transfers: As rows: way, what, size in bytes, GB/s, microseconds.
        clocks: What the management library said, before and after, and throttling.
        checks: What was wrong after the loops; empty when all was right.
        notes: What is missing or unusual.
    """

    environment: dict[str, str] = field(default_factory=dict)
    first: dict[str, float] = field(default_factory=dict)
    measured: list[Measured] = field(default_factory=list)
    transfers: list[dict[str, Any]] = field(default_factory=list)
    clocks: dict[str, Any] = field(default_factory=dict)
    checks: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def timing(self, case: str, size: int, way: str, how: str) -> Timing | None:
        """One timing, if it was taken."""
        wanted = (case, size, way, how)
        rows = (row for row in self.measured if (row.case, row.size, row.way, row.how) == wanted)
        return next((row.timing for row in rows), None)

    def ways(self, how: str) -> list[str]:
        """Every way timed so, in the order of the run."""
        return list(dict.fromkeys(row.way for row in self.measured if row.how == how))


def write_json(results: Results, path: Path) -> None:
    """Writes everything, samples summarised."""
    write_whole(path, f"{json.dumps(asdict(results), indent=1)}\n".encode())


def markdown(results: Results) -> str:
    """The tables, ready for `docs/benchmarks.md`."""
    parts = [_bullets(results.environment), _first(results), _launches(results), _scaled(results)]
    parts += [_transfers(results), _closing(results)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def _bullets(facts: Mapping[str, str]) -> str:
    return "\n".join(f"- {name}: {value}" for name, value in facts.items())


def _first(results: Results) -> str:
    rows = [(name, f"{value:.2f}") for name, value in results.first.items()]
    return "## Start\n\n" + _table(("what", "ms"), rows) if rows else ""


def _launches(results: Results) -> str:
    cases = list(dict.fromkeys(row.case for row in results.measured if row.how == "host"))
    if not cases:
        return ""

    def row(case: str, columns: Sequence[tuple[str, str, str]]) -> list[str]:
        size = next(row.size for row in results.measured if row.case == case)
        timings = [results.timing(case, size, way, how) for _, way, how in columns]
        return [case, *(f"{timing.median:.2f}" if timing else "-" for timing in timings)]

    def table(columns: Sequence[tuple[str, str, str]]) -> str:
        return _table(["case", *(name for name, _, _ in columns)], [row(case, columns) for case in cases])

    return "\n\n".join(
        [
            "## The documented cases: µs for each launch",
            "Median of batches of 100 launches by the host's clock, from the first call to the end of the last; "
            "of several copies of the buffers the middle one.",
            table([(way, way, "host") for way in results.ways("host")]),
            "The GPU's own time for each: device events while the host is far ahead.",
            table([(way, way, "device") for way in results.ways("device")]),
            "One engine execution and its end, by the host's clock, both in turns.",
            table([(way, way, "awaited") for way in results.ways("awaited")]),
        ]
    )


def _scaled(results: Results) -> str:
    parts = []
    ways = results.ways("cold")
    for case in dict.fromkeys(row.case for row in results.measured if row.how == "cold"):
        sizes = sorted({row.size for row in results.measured if row.case == case})
        rows = []
        for size in sizes:
            row = [label(size)]
            for way in ways:
                timing = results.timing(case, size, way, "cold")
                row.append(f"{timing.median:.1f} ({timing.rate(size):.2f})" if timing else "-")
            rows.append(row)
        parts.append(f"### {case}\n\n" + _table(["read", *ways], rows))
    if not parts:
        return ""
    title = "## Full size: µs (TB/s of bytes read)\n\nOne call after a flush, device events.\n\n"
    return title + "\n\n".join(parts)


def _transfers(results: Results) -> str:
    if not results.transfers:
        return ""
    parts = []
    for way in ("host to device", "device to host"):
        transfers = [transfer for transfer in results.transfers if transfer["way"] == way]
        kinds = list(dict.fromkeys(transfer["what"] for transfer in transfers))
        rates = {(transfer["what"], transfer["size"]): transfer for transfer in transfers}
        rows = []
        for size in sorted({transfer["size"] for transfer in transfers}):
            cells = [rates.get((kind, size)) for kind in kinds]
            texts = [f"{cell['GB/s']:.2f} ({cell['us']:.1f})" if cell else "-" for cell in cells]
            rows.append([label(size), *texts])
        parts.append(f"### {way.capitalize()}\n\n" + _table(["size", *kinds], rows))
    return "## Transfers: GB/s (µs), awaited\n\n" + "\n\n".join(parts)


def _closing(results: Results) -> str:
    lines = ["## Conditions", "", f"- clocks: {json.dumps(results.clocks, ensure_ascii=False)}"]
    lines.append("- results after the loops: " + ("; ".join(results.checks) or "all right"))
    lines += [f"- {note}" for note in results.notes]
    return "\n".join(lines)
