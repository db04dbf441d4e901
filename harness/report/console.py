"""Reports for people.  Tables go to stdout, everything on the way to stderr."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from harness.model.language import chosen, told
from harness.model.lines import folded
from harness.model.messages import finding
from harness.model.report import BuildReport, CaseReport, Plan, RunReport
from harness.model.sources import Sources
from harness.report.findings import case_lines, reason_of, renderer
from harness.simt.plain import printable

if TYPE_CHECKING:  # what is loaded to show a table is loaded with the first one
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from harness.backends.compute_sanitizer.run import Examined

__all__ = [
    "built",
    "case",
    "claims",
    "examined",
    "facts",
    "fresh",
    "header",
    "listing",
    "markdown",
    "printed",
    "programs",
    "progress",
    "run",
]

PLAIN_WIDTH = 240  # where no terminal says otherwise: reasons are not to be cut
WIDE = 150  # columns that a table with everything in its rows needs
STYLES = {
    "PASS": "green",
    "REFERENCE": "cyan",
    "SKIPPED": "yellow",
    "built": "green",
    "cached": "green",
    "skipped": "yellow",
    "clean": "green",
}
COUNTERS_SHOWN = 40
PRINTED_SHOWN = 200  # lines that a kernel printed


def _out() -> Console:
    return _console(file=sys.stdout, width=None if sys.stdout.isatty() else PLAIN_WIDTH)


def header(plan: Plan, kernels: str) -> None:
    """One line that says which kernels run on what, and why."""
    what = "the sequential reference, not the kernels," if plan.backend == "cpu" else kernels
    where = "in the simulator" if plan.backend == "simulator" else f"on {plan.device}"
    print(printable(told(f"{what} for {plan.target}, {where} ({plan.why})")), file=sys.stderr)


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Yields a function that shows one line while something slow goes on."""
    if not sys.stderr.isatty():
        yield lambda line: print(printable(f"{told(line)} ..."), file=sys.stderr)
        return
    with _console(file=sys.stderr).status("") as status:
        yield lambda line: status.update(_text(printable(told(line))))


def run(report: RunReport, *, counters: bool = False) -> None:
    """A row for each case, then what was found."""
    console = _out()
    wide = console.width >= WIDE
    if not wide and report.cases:
        # The same in every row: said once where there is no room.
        console.print(f"{report.plan.backend}: {report.cases[0].device}, for {report.plan.target}", soft_wrap=True)
    table = _table()
    for name, shown in (
        ("verdict", True),
        ("case", True),
        ("backend", wide),
        ("device", wide),
        ("target", wide),
        ("grid x block x cluster", True),
        ("data\nsets", True),
        ("build\ns", True),
        ("run\ns", True),
    ):
        if shown:
            table.add_column(name.replace("\n", " ") if wide else name, no_wrap=name in ("verdict", "case"))
    for case in report.cases:
        table.add_row(
            _verdict(case.verdict),
            case.case,
            *((case.backend, case.device, case.target) if wide else ()),
            "\n".join(map(str, case.launches)),
            case.tally,
            f"{case.build_seconds:.1f}",
            f"{case.run_seconds:.3f}",
        )
    console.print(table)
    show = renderer(report.sources)
    for case in report.cases:
        # What is for information is for those whose kernel it is: the solutions are as they should be.
        if not case.ok or case.unkept or (case.findings and not report.binding):
            for line in case_lines(case, show, remarks=not report.binding):
                console.print(_text(line), soft_wrap=True)
        if counters and case.counters:
            _counters(console, case)
    if any(case.verdict == "REFERENCE" for case in report.cases):
        console.print("REFERENCE: the op's sequential branch gave the documented result; no kernel was executed.")
    console.print(_summary(report))
    if order := report.environment.get("order of the cases"):
        print(f"the order of the cases was {order} (--seed repeats it)", file=sys.stderr)
    if fresh := report.environment.get("fresh data"):
        print(f"fresh data was {fresh} (--data-seed repeats it)", file=sys.stderr)
    for line in _orders(report):
        print(told(line), file=sys.stderr)


def _orders(report: RunReport) -> Iterator[str]:
    """In how many orders of the threads the simulator ran the data sets, and why in no more."""
    datasets = [dataset for case in report.cases for dataset in case.datasets]
    for (orders, why), count in Counter((dataset.orders, dataset.why_no_more) for dataset in datasets).items():
        if orders:
            ran = f"orders of the threads: {orders} on {count} of {len(datasets)} data sets"
            yield f"{ran} ({why})" if why else ran


def case(report: CaseReport, sources: Sources, *, remarks: bool, stream: TextIO | None = None) -> None:
    """The verdict on a learner's kernel; unless told on stderr, where stdout holds what the documents show."""
    out = stream or sys.stderr
    for line in case_lines(report, renderer(sources), remarks=remarks):
        print(folded(line, out), file=out)


def printed(lines: Sequence[str], stream: TextIO | None = None) -> None:
    """What a kernel printed, apart from what the documents show; unless told on stderr."""
    out, tell = stream or sys.stderr, chosen()
    if lines:
        print(tell.text(finding("run.printed")), file=out)
    shown = [part for line in lines for part in line.rstrip("\n").split("\n")]
    for line in shown[:PRINTED_SHOWN]:
        print(printable(f"    | {line}"), file=out)
    if len(shown) > PRINTED_SHOWN:
        print(f"    {tell.text(finding('run.printed-more', count=len(shown) - PRINTED_SHOWN))}", file=out)


def markdown(text: str) -> None:
    """Markdown, laid out in a terminal and as it is elsewhere."""
    if sys.stdout.isatty():
        from rich.markdown import Markdown

        _console().print(Markdown(text))
    else:
        print(text)


def fresh() -> None:
    """An empty screen in a terminal, elsewhere an empty line: what comes takes the place of what was."""
    console = _console()
    if console.is_terminal:
        console.clear()
    else:
        print()


def claims(reports: Sequence[CaseReport]) -> None:
    """The promises of each case, each with what was measured."""
    show = renderer()
    for report in reports:
        print(f"{report.case} on {report.target}")
        if not report.claims:
            print(printable(f"  {report.verdict}: {report.reason or 'no claims'}"))
        for claim in report.claims:
            print(f"  {'ok  ' if claim.holds else 'FAIL'} {claim.sentence}")
            print(printable(f"       promised {claim.promised}, measured {claim.measured}"))
            if claim.unkept and (why := reason_of(claim.unkept, show)):
                print(f"       why: {why}")


def _summary(report: RunReport) -> str:
    verdicts = [case.verdict for case in report.cases]
    counts = ", ".join(f"{verdicts.count(name)} {name}" for name in dict.fromkeys(verdicts))
    if not any(case.ok for case in report.cases):
        return f"{counts or 'no case'}: no case passed"
    if not report.binding:
        return counts
    unkept = sum(bool(case.unkept) for case in report.cases)
    promises = f", {unkept} of them without what the documents promise" if unkept else ""
    return f"{counts}{promises}: the documents' solutions; `--kernels problems` runs yours"


def _counters(console: Console, case: CaseReport) -> None:
    for number, counters in enumerate(case.counters, 1):
        title = case.case if len(case.counters) == 1 else f"{case.case}, launch {number}"
        table = _table("counter", "value", title=title, title_justify="left")
        for name, value in list(counters.items())[:COUNTERS_SHOWN]:
            table.add_row(name.replace("_", " "), _text(str(value), overflow="fold"))
        console.print(table)


def built(reports: Sequence[BuildReport]) -> None:
    """A row for each case and target."""
    console = _out()
    wide = console.width >= WIDE
    table = _table("status", "case", "target", "artifacts", "s", *(["reason"] if wide else []))
    for report in reports:
        table.add_row(
            _verdict(report.status),
            report.case,
            report.target,
            ", ".join(report.artifacts),
            f"{report.seconds:.1f}",
            *((_folded(report.reason),) if wide else ()),
        )
    console.print(table)
    if not wide:
        _reasons(console, [(f"{report.case} for {report.target}", report.reason) for report in reports])


def examined(examinations: Sequence[Examined]) -> None:
    """A row for each tool and case, then what the tools said."""
    console = _out()
    table = _table("status", "tool", "case", "errors")
    for examination in examinations:
        table.add_row(_verdict(examination.status), examination.tool, examination.case, str(examination.errors))
    console.print(table)
    for examination in examinations:
        for line in (*((examination.reason,) if examination.reason else ()), *examination.messages):
            console.print(_text(printable(f"{examination.tool}: {examination.case}: {line}")), soft_wrap=True)


def listing(rows: Sequence[Mapping[str, Any]]) -> None:
    """A row for each case of the catalogue; where there is no room, what is needed to run it."""
    console = _out()
    columns = {
        "case": "case",
        "title": "title",
        "kernels": "kernels",
        "launches": "grid x block x cluster (32 lanes)",
        "data_sets": "data sets",
        "vendors": "vendors",
        "command": "command",
    }
    if console.width < WIDE:
        columns = {name: columns[name] for name in ("case", "vendors", "command")}
    table = _table(*columns.values())
    for row in rows:
        told = {**row, "vendors": ", ".join(row["vendors"])}
        table.add_row(*(str(told[name]) for name in columns))
    console.print(table)
    for remark in dict.fromkeys(row["remark"] for row in rows if row["remark"]):
        named = ", ".join(row["case"] for row in rows if row["remark"] == remark)
        console.print(_text(f"{named}: {remark}"), soft_wrap=True)


def _folded(reason: str) -> Text:
    return _text(printable(reason), overflow="fold")


def _reasons(console: Console, said: Sequence[tuple[str, str]]) -> None:
    for name, reason in said:
        if reason:
            console.print(_text(printable(f"{name}: {reason}")), soft_wrap=True)


def programs(rows: Sequence[Mapping[str, str]]) -> None:
    """A row for each program and each set of arguments."""
    console = _out()
    columns = [name for name in rows[0] if name != "reason" or console.width >= WIDE]
    table = _table(*columns)
    for row in rows:
        table.add_row(
            *(_verdict(row[name]) if name == "verdict" else _text(row[name], overflow="fold") for name in columns)
        )
    console.print(table)


def facts(values: Mapping[str, str]) -> None:
    """Names and values."""
    table = _table(show_header=False, show_edge=False, collapse_padding=True, padding=(0, 2))
    for name, value in values.items():
        table.add_row(name, _text(value, overflow="fold"))
    _out().print(table)


def _verdict(verdict: str) -> Text:
    return _text(verdict, style=STYLES.get(verdict, "bold red"))


def _console(**options: Any) -> Console:
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # Rich would end the process, as if something were wrong

    return Plain(highlight=False, **options)


def _table(*columns: str, **options: Any) -> Table:
    from rich.table import Table

    return Table(*columns, box=None, pad_edge=False, **options)


def _text(text: str, **options: Any) -> Text:
    from rich.text import Text

    return Text(text, **options)
