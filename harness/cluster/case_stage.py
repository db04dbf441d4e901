"""`python -m harness.cluster.case_stage ORDER ANSWER`: in a child of a worker, runs one case in the simulator.

ORDER is JSON: `case`, `target`, `seed`, `data_seed`, `documented_size`, `kind` and `files` of the sources, and the
`llvm` of each launch.
ANSWER is JSON: the `report`, as `harness.cluster.records` has it.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.cases import pipeline
from harness.cases.runner import Runner, import_simulator
from harness.catalogue import case as case_of
from harness.cluster import records
from harness.model.report import CaseReport
from harness.model.sources import Sources
from harness.process.box import order_and_answer

__all__ = ["main", "prepare"]


def prepare() -> None:
    """Loads what every order needs."""
    import_simulator()


def main() -> None:
    """Does what the order asks."""
    data, out = order_and_answer(sys.argv)
    order = json.loads(data)
    places = {puzzle: out.parent / f"{puzzle}.mojo" for puzzle in order["files"]}
    for puzzle, path in places.items():
        path.write_text(order["files"][puzzle]["text"], encoding="utf-8")
    answer = json.dumps({"report": records.packed(_report(order, places))})
    for puzzle, path in places.items():  # a report names the file as its owner does
        answer = answer.replace(json.dumps(str(path))[1:-1], json.dumps(order["files"][puzzle]["name"])[1:-1])
    out.write_text(answer, encoding="utf-8")


def _report(order: dict[str, Any], places: dict[str, Path]) -> CaseReport:
    case, sources = case_of(order["case"]), Sources(order["kind"], places)
    plan = replace(pipeline.plan(order["target"], "simulator"), documented_size=order["documented_size"])
    code = {case.id: tuple(order["llvm"])}
    with Runner([case], plan, sources, order["seed"], data_seed=order["data_seed"], code=code) as runner:
        return runner.report(case)


if __name__ == "__main__":
    main()
