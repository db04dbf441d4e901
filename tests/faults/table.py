"""Prints what each fault came to as a Markdown table.

`python -m tests.faults.table --target nvidia:sm_90 --backend max|simulator`
"""

from __future__ import annotations

import argparse
import re
import sys

from harness.cases import pipeline
from harness.errors import HarnessError
from harness.model import exit_code
from tests.faults.faults import FAULTS, Fault
from tests.faults.trials import Hardware, Simulated, Trial

__all__ = ["HEAD", "main", "row"]

HEAD = "| fault | verdict | reason | next case | seconds |\n| --- | --- | --- | --- | ---: |"
SHORTENED = 110  # characters


def shortened(reason: str) -> str:
    """A reason in one cell: its first clause, without its data set's name and what would end a column."""
    line = " ".join(re.sub(r"^[\w-]+: ", "", reason).partition("; ")[0].split())
    line = line.replace("tests/faults/", "").replace("|", "\\|")
    if len(line) <= SHORTENED:
        return line
    return line[:SHORTENED].rpartition(" ")[0] + " ..."


def row(fault: Fault, trial: Trial) -> str:
    """One line of the table."""
    name, seconds = f"`{fault.name}`: {fault.title}", f"{trial.seconds:.1f}"
    cells = (name, trial.verdict, shortened(trial.reason), trial.afterwards[0], seconds)
    return f"| {' | '.join(cells)} |"


def main(arguments: list[str]) -> int:
    """Runs every fault; 1 if one comes to something that is not expected."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.table", description=__doc__.partition("\n")[0])
    parser.add_argument("--target", default="nvidia:sm_90")
    parser.add_argument("--backend", choices=("max", "simulator"), required=True)
    options = parser.parse_args(arguments)
    wrong = []
    try:
        plan = pipeline.plan(options.target, options.backend)
        print(f"{plan.target} on {plan.device}", file=sys.stderr)
        bench = Hardware(plan.target) if options.backend == "max" else Simulated(plan.target)
    except HarnessError as error:
        print(f"error: {error}", file=sys.stderr)
        return exit_code.code_of_error(error)
    print(HEAD)
    try:
        for fault in FAULTS:
            expected = fault.gpu if options.backend == "max" else fault.simulator
            if expected is None:
                continue
            try:
                trial = bench.run(fault)
            except (HarnessError, RuntimeError) as error:
                trial = Trial(type(error).__name__, str(error), ("not run", ""), 0.0)
            print(row(fault, trial), flush=True)
            if not expected.met(trial.verdict, trial.reason) or trial.afterwards != ("PASS", ""):
                wrong.append(f"{fault.name}: expected {expected}, but got {trial}")
    finally:
        bench.close()
    for line in wrong:
        print(f"wrong: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
