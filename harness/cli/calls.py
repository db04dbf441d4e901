"""`call`: parse values, call an exported Mojo function (by `harness.cases.call`), print its arrays, write reports."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

import numpy as np

from harness.build.exported import require_file
from harness.cases.call import CallResult, call
from harness.cli.files import require_writable_reports, write_arrays
from harness.cli.programs import execute_options, print_progress, write_reports
from harness.cli.values import Values, split_assignment
from harness.errors import CompileError, UsageError
from harness.model.language import translate
from harness.programs.program_plan import plan_launches
from harness.programs.result import Execution
from harness.programs.streams import Streams
from harness.report import programs
from harness.report.acceptances import Acceptances
from harness.simt.plain import printable

__all__ = ["run"]


def run(arguments: Namespace) -> int:
    """Call the function; print its changed and its compared arrays on stdout, and the findings on stderr.

    Writes the reports and, with `--out`, all arrays. Returns the exit code of the execution: 0 only if it ended with
    status 0, no result differs, and no finding fails it. A file that does not compile is printed, and the code is 1.

    Raises:
        UsageError: A value, a file, a folder or a flag is wrong.
        EnvironmentFault: The function cannot run here, or a report or array cannot be written.
    """
    require_writable_reports(arguments.json, arguments.junit, arguments.sarif)
    how = execute_options(arguments)
    require_file(arguments.file)
    acceptances = Acceptances(arguments.baseline)
    acceptances.check([arguments.file], how["includes"])
    values = Values()
    values_by_name = _parse_values(values, "--arg", arguments.arg)
    expected = _parse_values(Values(dict(values.arrays)), "--expect", arguments.expect)
    sys.stdout.flush()
    try:
        called = call(
            arguments.file,
            arguments.function,
            values_by_name,
            expected,
            rtol=arguments.rtol,
            atol=arguments.atol,
            host=arguments.host,
            streams=Streams(0, 1, 2),
            notify=print_progress,
            **how,
        )
    except CompileError as error:
        called = CallResult(execution=_make_uncompiled(arguments, error))
    judged = acceptances.judged(called.execution, how["includes"])
    for line in programs.format_execution(judged.execution, form=arguments.format):
        print(line, file=sys.stderr)
    for name in dict.fromkeys((*called.changed, *(name for name in called.results if name in expected))):
        print(printable(f"{name} = {np.array2string(called.results[name], threshold=64)}"))
    if called.results and not (called.changed or expected):
        print(translate("no array was changed"), file=sys.stderr)
    write_reports(arguments, acceptances, [judged])
    if arguments.out:
        write_arrays(arguments.out, called.results)
    return judged.execution.exit_code


def _parse_values(values: Values, flag: str, texts: Sequence[str]) -> dict[str, Any]:
    """Parse the values of a repeated flag into a dict by name; arrays are also added to `values`.

    There an array has the name of its value, or `--expect NAME` if `flag` is `--expect`.

    Raises:
        UsageError: A text is not NAME=VALUE, has no valid value, or repeats a name.
    """
    values_by_name: dict[str, Any] = {}
    for text in texts:
        name, value = split_assignment(flag, text)
        if name in values_by_name:
            raise UsageError(f"{flag} {name}=... is given twice.")
        # What is expected of an array is another one, which has no name that a value could refer to.
        values_by_name[name] = values.read(name if flag == "--arg" else f"{flag} {name}", value)
    return values_by_name


def _make_uncompiled(arguments: Namespace, error: CompileError) -> Execution:
    plan = plan_launches(arguments.target, arguments.backend)
    return Execution(
        file=arguments.file,
        arguments=(arguments.function,),
        target=plan.target,
        backend=plan.backend,
        status=1,
        diagnostics=error.diagnostics or str(error),
    )
