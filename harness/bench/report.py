"""`Results` and `Measurement` of a benchmark; write them as JSON and format them as Markdown tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from harness.bench.stats import Timing
from harness.bench.work import format_size
from harness.model.whole_file import replace_file

__all__ = ["Measurement", "Results", "format_markdown", "write_json"]


@dataclass(frozen=True, slots=True)
class Measurement:
    """The timing of one graph by one method.

    Attributes:
        case: Its id.
        size: Bytes of the input.
        way: `engine`, `replay`, `bound replay`, a peer (`torch`, `torch graph`, `cupy`, `triton`), `called` (a host
            function), `MAX alone` or `through the harness`.
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
    """The results of a whole benchmark.

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
    measured: list[Measurement] = field(default_factory=list)
    transfers: list[dict[str, Any]] = field(default_factory=list)
    clocks: dict[str, Any] = field(default_factory=dict)
    checks: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def find_timing(self, case: str, size: int, method: str, how: str) -> Timing | None:
        """Return the first timing of a case, size, method (`way`) and `how`; None if it was not taken."""
        key = (case, size, method, how)
        timings = (row for row in self.measured if (row.case, row.size, row.way, row.how) == key)
        return next((row.timing for row in timings), None)

    def list_methods(self, how: str) -> list[str]:
        """Return every method that was timed so, in the order of the run."""
        return list(dict.fromkeys(row.way for row in self.measured if row.how == how))


def write_json(results: Results, path: Path) -> None:
    """Write everything as JSON, with summaries of samples."""
    replace_file(path, f"{json.dumps(asdict(results), indent=1)}\n".encode())


def format_markdown(results: Results) -> str:
    """Format the tables, ready for `docs/benchmarks.md`; sections of what was not measured are left out."""
    sections = [
        _format_bullets(results.environment),
        _format_first(results),
        _format_launches(results),
        _format_scaled(results),
    ]
    sections += [_format_transfers(results), _format_conditions(results)]
    return "\n\n".join(section for section in sections if section) + "\n"


def _format_table(head: Sequence[str], cells_of_rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in cells_of_rows])


def _format_bullets(facts: Mapping[str, str]) -> str:
    return "\n".join(f"- {name}: {value}" for name, value in facts.items())


def _format_first(results: Results) -> str:
    first_times = [(name, f"{value:.2f}") for name, value in results.first.items()]
    return "## Start\n\n" + _format_table(("what", "ms"), first_times) if first_times else ""


def _format_launches(results: Results) -> str:
    cases = list(dict.fromkeys(row.case for row in results.measured if row.how == "host"))
    if not cases:
        return ""

    def row(case: str, columns: Sequence[tuple[str, str, str]]) -> list[str]:
        size = next(row.size for row in results.measured if row.case == case)
        timings = [results.find_timing(case, size, method, how) for _, method, how in columns]
        return [case, *(f"{timing.median:.2f}" if timing else "-" for timing in timings)]

    def table(columns: Sequence[tuple[str, str, str]]) -> str:
        return _format_table(["case", *(name for name, _, _ in columns)], [row(case, columns) for case in cases])

    return "\n\n".join(
        [
            "## The documented cases: µs for each launch",
            "Median of batches of 100 launches by the host's clock, from the first call to the end of the last; "
            "of several copies of the buffers the middle one.",
            table([(method, method, "host") for method in results.list_methods("host")]),
            "The GPU's own time for each: device events while the host is far ahead.",
            table([(method, method, "device") for method in results.list_methods("device")]),
            "One engine execution and its end, by the host's clock, both in turns.",
            table([(method, method, "awaited") for method in results.list_methods("awaited")]),
        ]
    )


def _format_scaled(results: Results) -> str:
    tables = []
    methods = results.list_methods("cold")
    for case in dict.fromkeys(row.case for row in results.measured if row.how == "cold"):
        sizes = sorted({row.size for row in results.measured if row.case == case})
        table_rows = []
        for size in sizes:
            row = [format_size(size)]
            for method in methods:
                timing = results.find_timing(case, size, method, "cold")
                row.append(f"{timing.median:.1f} ({timing.rate(size):.2f})" if timing else "-")
            table_rows.append(row)
        tables.append(f"### {case}\n\n" + _format_table(["read", *methods], table_rows))
    if not tables:
        return ""
    title = "## Full size: µs (TB/s of bytes read)\n\nOne call after a flush, device events.\n\n"
    return title + "\n\n".join(tables)


def _format_transfers(results: Results) -> str:
    if not results.transfers:
        return ""
    tables = []
    for direction in ("host to device", "device to host"):
        transfers = [transfer for transfer in results.transfers if transfer["way"] == direction]
        kinds = list(dict.fromkeys(transfer["what"] for transfer in transfers))
        rates = {(transfer["what"], transfer["size"]): transfer for transfer in transfers}
        table_rows = []
        for size in sorted({transfer["size"] for transfer in transfers}):
            cells = [rates.get((kind, size)) for kind in kinds]
            texts = [f"{cell['GB/s']:.2f} ({cell['us']:.1f})" if cell else "-" for cell in cells]
            table_rows.append([format_size(size), *texts])
        tables.append(f"### {direction.capitalize()}\n\n" + _format_table(["size", *kinds], table_rows))
    return "## Transfers: GB/s (µs), awaited\n\n" + "\n\n".join(tables)


def _format_conditions(results: Results) -> str:
    lines = ["## Conditions", "", f"- clocks: {json.dumps(results.clocks, ensure_ascii=False)}"]
    lines.append("- results after the loops: " + ("; ".join(results.checks) or "all right"))
    lines += [f"- {note}" for note in results.notes]
    return "\n".join(lines)
