"""Print runs, cases, builds, programs and promises: tables to stdout, headers, progress and remarks to stderr."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from harness.model.language import current_language, current_words, translate
from harness.model.launch_plan import LaunchPlan
from harness.model.lines import fold_for_stream
from harness.model.messages import make_finding
from harness.model.report import BuildReport, CaseReport, RunReport
from harness.model.sizes import OtherSize
from harness.model.sources import Sources
from harness.model.verdict import Verdict
from harness.report import profile
from harness.report.findings import describe_size, find_reason, format_case, make_renderer
from harness.report.screen import Screen
from harness.simt.plain import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

    from harness.backends.compute_sanitizer.run import Examined

__all__ = [
    "clear_screen",
    "print_builds",
    "print_case",
    "print_claims",
    "print_code_generator",
    "print_examinations",
    "print_facts",
    "print_header",
    "print_kernel_output",
    "print_markdown",
    "print_programs",
    "print_run",
    "show_progress",
]

WIDE = 150  # columns that a table with everything in its rows needs
COUNTERS_SHOWN = 40
ALWAYS = "instructions"  # counted of each launch that is counted whole
_NOT_RUN = "note: Metal's own code generator was not run: what it refuses, or compiles wrongly, is not found here."
PRINTED_SHOWN = 200  # lines that a kernel printed


def print_header(plan: LaunchPlan, kernels: str) -> None:
    """Print one line to stderr: which kernels run on what, and why; one more if Metal's code generator is left out.

    Args:
        kernels: What runs, in words; the CPU backend says "the sequential reference" in its place.
    """
    what = "the sequential reference, not the kernels," if plan.backend == "cpu" else kernels
    where = "in the simulator" if plan.backend == "simulator" else f"on {plan.device}"
    print(printable(translate(f"{what} for {plan.target}, {where} ({plan.why})")), file=sys.stderr)
    print_code_generator(plan.target.vendor, plan.backend)


def print_code_generator(vendor: str, backend: str = "simulator") -> None:
    """Print to stderr that Metal's code generator was not run, for `apple` in the simulator; else print nothing."""
    if (vendor, backend) == ("apple", "simulator"):
        print(translate(_NOT_RUN), file=sys.stderr)


@contextmanager
def show_progress() -> Iterator[Callable[[str], None]]:
    """Yield a function that shows a line of progress, in the user's language, on stderr.

    On a terminal each line replaces the one before, and the last is erased at the end of the `with` block. Elsewhere
    each line is printed with " ...".
    """
    if not sys.stderr.isatty():
        yield lambda line: print(printable(f"{translate(line)} ..."), file=sys.stderr)
        return
    with ExitStack() as stack:
        started: list[Status] = []

        def show(line: str) -> None:
            from rich.text import Text

            if not started:  # Rich takes longer to load than many a run that has nothing slow in it
                started.append(stack.enter_context(_make_console(file=sys.stderr).status("")))
            started[0].update(Text(printable(translate(line))))

        yield show


def print_run(report: RunReport, *, counters: bool = False) -> None:
    """Print a row for each case, then the findings, profiles and a summary; with `counters` the counters too.

    Findings of a passing case are left out, unless it breaks promises or is not among the puzzles' solutions.
    Remarks on how the cases ran (orders, fresh data) go to stderr.
    """
    screen = Screen()
    wide = screen.width >= WIDE
    if not wide and report.cases:
        # The same in every row: said once where there is no room.
        print(translate(f"{report.plan.backend}: {report.cases[0].device}, for {report.plan.target}"))
    heads = ("data sets", "build s", "run s") if wide else ("data\nsets", "build\ns", "run\ns")
    where = ("backend", "device", "target") if wide else ()
    case_rows = [
        (
            case.verdict,
            case.case,
            *((case.backend, translate(case.device), case.target) if wide else ()),
            "\n".join(map(str, case.launches)),
            case.tally,
            f"{case.build_seconds:.1f}",
            f"{case.run_seconds:.3f}",
        )
        for case in report.cases
    ]
    screen.table(("verdict", "case", *where, "grid x block x cluster", *heads), case_rows)
    show = make_renderer(report.sources)
    for case in report.cases:
        # What is for information is for those whose kernel it is: the solutions are as they should be.
        if not case.ok or case.unkept or (case.findings and not report.binding):
            for line in format_case(case, show, remarks=not report.binding):
                print(line)
        if counters and case.counters:
            _print_counters(screen, case)
        if profiles := report.profiles.get(case.case):
            print(case.case)
            profile.print_profiles(profiles, screen=screen)
    sizes: dict[OtherSize, list[str]] = {}
    for case in report.cases:
        if case.resized:
            sizes.setdefault(case.resized, []).append(case.case)
    for size, names in sizes.items():
        print(show.words.text(describe_size(", ".join(names), size)))
    if any(case.verdict == Verdict.REFERENCE for case in report.cases):
        print(translate("REFERENCE: the op's sequential branch gave the documented result; no kernel was executed."))
    print(_format_summary(report))
    if order := report.environment.get("order of the cases"):
        print(translate(f"the order of the cases was {order} (--seed repeats it)"), file=sys.stderr)
    if fresh := report.environment.get("fresh data"):
        print(translate(f"fresh data was {fresh} (--data-seed repeats it)"), file=sys.stderr)
    for line in _describe_orders(report):
        print(translate(line), file=sys.stderr)


def _describe_orders(report: RunReport) -> Iterator[str]:
    """Yield in how many thread orders the simulator ran the data sets, and why in no more.

    There is one English line for each pair of number and reason; none for data sets that no simulator ran.
    """
    datasets = [dataset for case in report.cases for dataset in case.datasets]
    for (orders, why), count in Counter((dataset.orders, dataset.why_no_more) for dataset in datasets).items():
        if orders:
            ran = f"orders of the threads: {orders} on {count} of {len(datasets)} data sets"
            yield f"{ran} ({why})" if why else ran


def print_case(
    report: CaseReport, sources: Sources, *, remarks: bool, stream: TextIO | None = None, home: str = ""
) -> None:
    """Print a case's verdict, findings and broken promises to `stream` (default: stderr), folded to its width.

    Args:
        remarks, home: See `format_case`; with `home` nothing is folded, and each line is flushed.
    """
    out = stream or sys.stderr
    for line in format_case(report, make_renderer(sources), remarks=remarks, home=home):
        print(line if home else fold_for_stream(line, out), file=out, flush=bool(home))


def print_kernel_output(lines: Sequence[str], stream: TextIO | None = None) -> None:
    """Print a kernel's own output below a heading, on stderr unless a stream is given; nothing without output.

    The first 200 lines are printed, indented and with control characters escaped, then how many more there are.
    """
    out, words = stream or sys.stderr, current_words()
    if lines:
        print(words.text(make_finding("run.printed")), file=out)
    output_lines = [part for line in lines for part in line.rstrip("\n").split("\n")]
    for line in output_lines[:PRINTED_SHOWN]:
        print(printable(f"    | {line}"), file=out)
    if len(output_lines) > PRINTED_SHOWN:
        print(f"    {words.text(make_finding('run.printed-more', count=len(output_lines) - PRINTED_SHOWN))}", file=out)


def print_markdown(text: str) -> None:
    """Print Markdown: laid out in a terminal, as it is elsewhere."""
    if sys.stdout.isatty():
        from rich.markdown import Markdown

        _make_console().print(Markdown(text))
    else:
        print(text)


def clear_screen() -> None:
    """Clear the screen of a terminal; print an empty line elsewhere."""
    print("\x1b[2J\x1b[H" if sys.stdout.isatty() else "\n", end="")


def print_claims(reports: Sequence[CaseReport]) -> None:
    """Print to stdout, for each case, a line with its name and target, then two or three lines for each promise.

    These are the promise after `ok`, `FAIL` or `?` (not measured), what was promised and measured, and why it is
    broken. A case without promises has its verdict and reason instead.
    """
    show = make_renderer()
    for report in reports:
        print(f"{report.case} on {report.target}")
        if not report.claims:
            print(printable(f"  {report.verdict}: {report.reason or 'no claims'}"))
        for claim in report.claims:
            mark = "?   " if not claim.is_known else "ok  " if claim.holds else "FAIL"
            print(f"  {mark} {claim.sentence}")
            measured = f"measured {claim.measured}" if claim.is_known else f"not measured: {claim.measured}"
            print(printable(f"       promised {claim.promised}, {measured}"))
            if claim.unkept and (why := find_reason(claim.unkept, show)):
                print(f"       why: {why}")


def _format_summary(report: RunReport) -> str:
    """Return the last line of a run: the number of cases of each verdict.

    If no case passed, it says so and no more. For the puzzles' solutions (`binding`) it adds how many break a promise,
    if any, and how to run the user's kernels.
    """
    verdicts = [case.verdict for case in report.cases]
    counts = ", ".join(f"{verdicts.count(name)} {name}" for name in dict.fromkeys(verdicts))
    if not any(case.ok for case in report.cases):
        return translate(f"{counts}: no case passed") if counts else translate("no case passed")
    if not report.binding:
        return counts
    unkept = sum(bool(case.unkept) for case in report.cases)
    promises = f", {unkept} of them without what the puzzles promise" if unkept else ""
    return translate(f"{counts}{promises}: the puzzles' own solutions; `--kernels problems` runs yours")


def _print_counters(screen: Screen, case: CaseReport) -> None:
    """Print a table of each launch's counters, at most `COUNTERS_SHOWN`."""
    for number, counters in enumerate(case.counters, 1):
        print(case.case if len(case.counters) == 1 else translate(f"{case.case}, launch {number}"))
        first_counters = list(counters.items())[:COUNTERS_SHOWN]
        # In other languages than English a counter is called by its id.
        names = [name.replace("_", " ") if current_language() == "en" else name for name, _ in first_counters]
        screen.table(
            ("counter", "value"), [(name, str(value)) for name, (_, value) in zip(names, first_counters, strict=True)]
        )
        if ALWAYS not in counters:
            print(translate("Machine code cannot count the rest of it, and Python would take long."))


def print_builds(reports: Sequence[BuildReport]) -> None:
    """Print a row for each case and target, with the reason, if any, on a wide screen; else reasons come after the
    table.
    """
    screen = Screen()
    wide = screen.width >= WIDE
    build_rows = [
        (
            report.status,
            report.case,
            report.target,
            ", ".join(report.artifacts),
            f"{report.seconds:.1f}",
            *((printable(report.reason),) if wide else ()),
        )
        for report in reports
    ]
    screen.table(("status", "case", "target", "artifacts", "s", *(["reason"] if wide else [])), build_rows)
    for report in reports:
        if report.reason and not wide:
            print(printable(translate(f"{report.case} for {report.target}: {report.reason}")))


def print_examinations(examinations: Sequence[Examined]) -> None:
    """Print a row for each tool and case, then lines `tool: case: text` with its reason and messages, if any."""
    tool_rows = [(each.status, each.tool, each.case, str(each.errors)) for each in examinations]
    Screen().table(("status", "tool", "case", "errors"), tool_rows)
    for examination in examinations:
        for line in (*((examination.reason,) if examination.reason else ()), *examination.messages):
            print(printable(f"{examination.tool}: {examination.case}: {line}"))


def print_programs(program_rows: Sequence[Mapping[str, str]]) -> None:
    """Print a row for each program and each set of arguments; the reason only on a screen of 150 columns or more.

    There must be a row: its keys are the heads.
    """
    screen = Screen()
    columns = [name for name in program_rows[0] if name != "reason" or screen.width >= WIDE]
    screen.table(columns, [[row[name] for name in columns] for row in program_rows])


def print_facts(values: Mapping[str, str]) -> None:
    """Print a table of names and values."""
    Screen().table((), [*values.items()])


def _make_console(**options: Any) -> Console:
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # Rich would end the process, as if something were wrong

    return Plain(highlight=False, **options)
