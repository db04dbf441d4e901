"""`call`: a function that a Mojo file exports, on arrays from the command line."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

import numpy as np

from harness.build.exported import require_file
from harness.cases.call import CallResult, call
from harness.cli.files import require_folders, write_arrays
from harness.cli.programs import how_to_run, notify, report
from harness.cli.values import Values, named_value
from harness.errors import CompileError, UsageError
from harness.model.language import told
from harness.programs.one import plan_launches
from harness.programs.result import Execution
from harness.programs.streams import Streams
from harness.report import programs
from harness.report.acceptances import Acceptances
from harness.simt.plain import printable

__all__ = ["run"]


def run(arguments: Namespace) -> int:
    """Calls the function; prints what its arrays hold on stdout, and what is wrong on stderr."""
    require_folders(arguments.json, arguments.junit, arguments.sarif)
    how = how_to_run(arguments)
    require_file(arguments.file)
    acceptances = Acceptances(arguments.baseline)
    acceptances.check([arguments.file], how["includes"])
    values = Values()
    values_by_name = _read(values, "--arg", arguments.arg)
    expected = _read(Values(dict(values.arrays)), "--expect", arguments.expect)
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
            notify=notify,
            **how,
        )
    except CompileError as error:
        called = CallResult(execution=_uncompiled(arguments, error))
    judged = acceptances.judged(called.execution, how["includes"])
    for line in programs.format_execution(judged.execution, form=arguments.format):
        print(line, file=sys.stderr)
    for name in dict.fromkeys((*called.changed, *(name for name in called.results if name in expected))):
        print(printable(f"{name} = {np.array2string(called.results[name], threshold=64)}"))
    if called.results and not (called.changed or expected):
        print(told("no array was changed"), file=sys.stderr)
    report(arguments, acceptances, [judged])
    if arguments.out:
        write_arrays(arguments.out, called.results)
    return judged.execution.exit_code


def _read(values: Values, flag: str, texts: Sequence[str]) -> dict[str, Any]:
    """The values of a flag that is given several times, by name."""
    read: dict[str, Any] = {}
    for text in texts:
        name, value = named_value(flag, text)
        if name in read:
            raise UsageError(f"{flag} {name}=... is given twice.")
        # What is expected of an array is another one, which has no name that a value could refer to.
        read[name] = values.read(name if flag == "--arg" else f"{flag} {name}", value)
    return read


def _uncompiled(arguments: Namespace, error: CompileError) -> Execution:
    plan = plan_launches(arguments.target, arguments.backend)
    return Execution(
        file=arguments.file,
        arguments=(arguments.function,),
        target=plan.target,
        backend=plan.backend,
        status=1,
        diagnostics=error.diagnostics or str(error),
    )
