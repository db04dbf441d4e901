"""A pytest plug-in: Mojo programs and cases as tests; fixtures `mojo`, `mojo_op`, `mojo_call`; accepted findings.

    pytest --mojo kernels/ --target amd       a test for each program, and none of the repository's other tests
    pytest --puzzles p15 p26                  a test for each case of the catalogue; all cases if none is named

A program fails its test as `puzzles exec` fails; `--mojo-baseline FILE` accepts what is in that baseline, and
`--mojo-fail-on warning`, or `mojo_fail_on = warning` in the ini file, fails on warnings too.
Tests of one's own take the fixture `mojo`:

    def test_sum(mojo):
        assert mojo("sum.mojo", "--size", "64").output == b"2016\\n"

or `mojo_op`, which calls an op of a library of custom ops:

    def test_softmax(mojo_op):
        mojo_op("kernels", "softmax", [x], expected=[y], rtol=1e-5, parameters={"size": 128})

or `mojo_call`, which calls a function that a file exports:

    def test_solve(mojo_call):
        mojo_call("solve.mojo", "solve", {"input": x, "n": len(x)}, expected={"input": x[::-1]})

It is loaded where this package is installed, and else with `-p harness.pytest_plugin`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.cases import pipeline
from harness.cases.call import CallResult, call
from harness.cases.op import Called, op
from harness.catalogue import select_cases
from harness.errors import CompileError, HarnessError, unknown_name
from harness.model import spelling
from harness.model.case import Case
from harness.model.named import relativize_files
from harness.model.report import CaseReport
from harness.model.sources import Sources
from harness.model.terms import command_line
from harness.model.verdict import Verdict
from harness.programs import Execution, Options, Run, execute
from harness.programs.host.options import BACKENDS
from harness.programs.many import of_paths
from harness.programs.program_plan import plan_launches
from harness.report import findings, programs
from harness.report.acceptances import Acceptances
from harness.simt.findings import SEVERITIES
from harness.simt.plain import printable

__all__ = ["mojo", "mojo_call", "mojo_op"]

Mojo = Callable[..., Execution]
_ACCEPTANCES = pytest.StashKey[Acceptances]()
_FAIL_ON = "fail on findings of this severity or worse"
_PROPERTIES = ("mojo accepted", "mojo occurred", "mojo absent")  # of a test's report


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of this plug-in; a hook of pytest."""
    group = parser.getgroup("mojo", "Mojo programs and puzzles")
    group.addoption("--mojo", nargs="+", metavar="FILE|DIR", help="programs, or folders of them, as tests")
    group.addoption(
        "--puzzles", nargs="*", metavar="CASE", help="cases of the catalogue as tests; all if none is named"
    )
    group.addoption(
        "--mojo-baseline",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="accept the findings in what `puzzles exec --sarif FILE` wrote; may be repeated",
    )
    group.addoption("--mojo-fail-on", metavar="|".join(reversed(SEVERITIES)), help=f"{_FAIL_ON} (default: the ini's)")
    parser.addini("mojo_fail_on", f"{_FAIL_ON} (default: error; of cases and ops: warning)", default="")
    group.addoption(
        "--mojo-as-is", action="store_true", help="compile each text as it is, with older spellings of Mojo"
    )
    group.addoption("--target", metavar="T", help="vendor:architecture, or a vendor (default: this machine's GPU)")
    group.addoption("--backend", default="auto", choices=BACKENDS, help="where to run (default: GPU, else simulator)")


def pytest_configure(config: pytest.Config) -> None:
    """Apply options, or raise pytest.UsageError; without a path collect only what `--mojo` or `--puzzles` names."""
    is_requested = config.getoption("--mojo") or config.getoption("--puzzles") is not None
    if is_requested and config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = []
    spelling.set_as_is(as_is=config.getoption("--mojo-as-is"))
    try:
        config.stash[_ACCEPTANCES] = Acceptances(config.getoption("--mojo-baseline"))
        _fail_on_option(config)
        if config.getoption("--target"):
            with command_line():
                plan_launches(**_target_and_backend(config))
    except HarnessError as error:
        raise pytest.UsageError(str(error)) from None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print how many findings were accepted, if any, and each comment or baseline entry that no test needed."""
    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    calls = (report for report in reports if getattr(report, "when", "") == "call")
    properties = [(name, text) for report in calls for name, text in report.user_properties if name in _PROPERTIES]
    sentences = {
        name: {sentence for property_name, sentence in properties if property_name == name} for name in _PROPERTIES
    }
    if accepted := sum(name == "mojo accepted" for name, _ in properties):
        terminalreporter.write_line(f"accepted: {accepted} finding{'s' * (accepted > 1)}")
    for sentence in (
        *sorted(sentences["mojo absent"] - sentences["mojo occurred"]),
        *config.stash[_ACCEPTANCES].absent_programs,
    ):
        terminalreporter.write_line(printable(f"accepted no longer: {sentence}."))


def _filter_accepted(execution: Execution, item: pytest.Item, includes: Sequence[Path] = ()) -> Execution:
    """Return an execution without the findings that a comment or a baseline accepts; add to the item's
    `user_properties` which were accepted, and which acceptances were needed or not. Comments in files that are imported
    from the folders `includes` count too. UsageError for a malformed comment.
    """
    judged = item.config.stash[_ACCEPTANCES].judged(execution, includes)
    accepted = [f"{each.finding.id}: {each.reason or 'in the baseline'}" for each in judged.execution.accepted]
    for name, texts in zip(_PROPERTIES, (accepted, judged.occurred, judged.absent), strict=True):
        item.user_properties += [(name, text) for text in texts]
    return judged.execution


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add the tests that the options request; a hook of pytest."""
    try:
        items += _collect_programs(session, config)
        items += _collect_cases(session, config)
    except HarnessError as error:
        raise pytest.UsageError(str(error)) from None


def _collect_programs(session: pytest.Session, config: pytest.Config) -> Iterator[pytest.Item]:
    for run in of_paths([Path(path) for path in config.getoption("--mojo") or ()]):
        # From the root folder, as pytest names its own tests, wherever it was called.
        place = Path(os.path.relpath(run.file, config.rootpath)).as_posix()
        yield ProgramTest.from_parent(session, name=str(run.file), nodeid=f"{place}::main", run=run)


def _collect_cases(session: pytest.Session, config: pytest.Config) -> Iterator[pytest.Item]:
    names = config.getoption("--puzzles")
    if names is not None:
        for case in select_cases(names):
            yield CaseTest.from_parent(session, name=case.id, case=case)


class Failed(Exception):
    """A test failed; the text says why."""


class _HarnessTest(pytest.Item):
    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any, **__: Any) -> Any:
        """Return the text of `Failed` or a HarnessError, without a traceback; a hook of pytest."""
        error = excinfo.value
        if isinstance(error, HarnessError):
            return _format_error(error)
        return str(error) if isinstance(error, Failed) else super().repr_failure(excinfo)


class ProgramTest(_HarnessTest):
    """A test that runs a program, which must end without failing findings."""

    def __init__(self, *, run: Run, **parts: Any) -> None:
        super().__init__(**parts)
        self._run = run

    def runtest(self) -> None:
        """Run the program. Raise `Failed` for another status than 0, a failing finding or a limit; errors pass."""
        settings = _add_settings(self.config, {"options": Options(counters=False)})
        with command_line():
            execution = execute(self._run.file, arguments=self._run.arguments, **settings)
        execution = _filter_accepted(execution, self)
        if execution.exit_code:
            raise Failed("\n".join([f"{execution.verdict}: {execution.reason}", *programs.format_execution(execution)]))

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return the file and the name for reports; a hook of pytest."""
        return self._run.file, None, self.name


class CaseTest(_HarnessTest):
    """A test that runs a case of the catalogue on all of its data sets."""

    def __init__(self, *, case: Case, **parts: Any) -> None:
        super().__init__(**parts)
        self._case = case

    def runtest(self) -> None:
        """Run the case; skip if the target does not run it. Raise `Failed` if it is not right; errors pass."""
        where = _target_and_backend(self.config)
        sources = Sources()
        with command_line():
            plan = replace(pipeline.plan(where["target"], where["backend"]), **_fail_on_option(self.config))
        report = pipeline.run([self._case], plan=plan, sources=sources)
        case: CaseReport = report.cases[0]
        if case.verdict == Verdict.SKIPPED:
            pytest.skip(case.reason)
        if not case.ok:
            raise Failed("\n".join(findings.format_case(case, findings.make_renderer(sources))))

    def reportinfo(self) -> tuple[str, None, str]:
        """Return the case's id and the name for reports; a hook of pytest."""
        return self._case.id, None, self.name


def _format_error(error: HarnessError) -> str:
    return relativize_files(f"{error}\n{error.diagnostics}") if isinstance(error, CompileError) else str(error)


def _target_and_backend(config: pytest.Config) -> dict[str, Any]:
    return {"target": config.getoption("--target"), "backend": config.getoption("--backend")}


def _fail_on_option(config: pytest.Config) -> dict[str, Any]:
    """Return `{"fail_on": severity}` from the option or the ini, or {} if neither is set, so that the callee's default
    holds. `harness.errors.UsageError` if it is no severity.
    """
    severity = config.getoption("--mojo-fail-on") or config.getini("mojo_fail_on")
    if severity and severity not in SEVERITIES:
        raise unknown_name("severity", severity, SEVERITIES)
    return {"fail_on": severity} if severity else {}


def _add_settings(config: pytest.Config, how: dict[str, Any]) -> dict[str, Any]:
    """Return a test's keywords for a run, completed by the command line and the ini; the test's own come first."""
    options = how.get("options") or Options()
    if options.fail_on == Options().fail_on:  # the test has no severity of its own
        options = replace(options, **_fail_on_option(config))
    return {**_target_and_backend(config), **how, "options": options}


@pytest.fixture
def mojo(request: pytest.FixtureRequest) -> Mojo:
    """Return a function that runs a program beside the test's file and returns its `Execution`, less accepted findings.

    Arguments of any type are passed as `str` writes them. A program with failing findings, over a limit, not simulated
    completely, or that does not compile or cannot run, fails the test at once. With `check=False` nothing fails it, and
    a `HarnessError` is raised. The test itself judges the exit status. Further keywords are those of
    `harness.programs.execute`.
    """

    def run(file: str | Path, *arguments: object, check: bool = True, **how: Any) -> Execution:
        try:
            settings = _add_settings(request.config, how)
            execution = execute(request.path.parent / file, arguments=arguments, **settings)
            execution = _filter_accepted(execution, request.node, how.get("includes", ()))
        except HarnessError as error:
            if not check:
                raise
            raise pytest.fail.Exception(_format_error(error), pytrace=False) from None
        if check and (execution.failing or execution.missing or execution.limit):
            pytest.fail("\n".join(programs.format_execution(execution)), pytrace=False)
        return execution

    return run


@pytest.fixture
def mojo_op(request: pytest.FixtureRequest) -> Callable[..., Called]:
    """Return a function that calls an op of a library beside the test's file, as `harness.programs.op` does.

    An op that is not right, or any `HarnessError`, fails the test at once. With `check=False` wrong results are
    returned, and errors are raised.
    """

    def call_op(folder: str | Path, name: str, *inputs: Any, check: bool = True, **how: Any) -> Called:
        library = request.path.parent / folder
        try:
            called = op(
                library,
                name,
                *inputs,
                **{**_target_and_backend(request.config), **_fail_on_option(request.config), **how},
            )
        except HarnessError as error:
            if not check:
                raise
            raise pytest.fail.Exception(_format_error(error), pytrace=False) from None
        if check and not called.ok:
            pytest.fail(
                "\n".join(findings.format_case(called.report, findings.make_renderer(None, library))), pytrace=False
            )
        return called

    return call_op


@pytest.fixture
def mojo_call(request: pytest.FixtureRequest) -> Callable[..., CallResult]:
    """Return a function that calls a function exported by a file beside the test's; see `harness.programs.call`.

    A call with an error that nothing accepts, or any `HarnessError`, fails the test at once. With `check=False` what is
    wrong is returned, and a `HarnessError` is raised.
    """

    def call_function(file: str | Path, function: str, *arguments: Any, check: bool = True, **how: Any) -> CallResult:
        try:
            called = call(request.path.parent / file, function, *arguments, **_add_settings(request.config, how))
            execution = _filter_accepted(called.execution, request.node, how.get("includes", ()))
            called = replace(called, execution=execution)
        except HarnessError as error:
            if not check:
                raise
            raise pytest.fail.Exception(_format_error(error), pytrace=False) from None
        if check and not called.ok:
            pytest.fail("\n".join(programs.format_execution(called.execution)), pytrace=False)
        return called

    return call_function
