"""`python -m harness.grading.judge_stage ORDER ANSWER`: in a box, runs and judges what a puzzle's file was compiled to.

ORDER is JSON: `puzzle`, `text`, what was `handed_out`, `target`, `backend`, `data_seed`, the `language` of what people
are told and, for the simulator, the `codes` of the compile stage. ANSWER is JSON: `modes`, a record for each; or
`fault`, why this machine could not judge it.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import Any

from harness import simt
from harness.build import compiler, stage
from harness.build.device_code import Code, Texts
from harness.cases import pipeline
from harness.cases.runner import Runner, import_simulator
from harness.catalogue import select
from harness.errors import CompileError, CompileTimeout, HarnessError
from harness.grading.work import LIMIT, MOST_CODE, NOT_ATTEMPTED, STUMBLED, ModeResult
from harness.model.case import Case
from harness.model.language import choose
from harness.model.report import CaseReport
from harness.model.sources import MOJO, Sources
from harness.process.box import order_and_answer
from harness.process.child import Limits, settle
from harness.report.findings import case_lines, reason_of, renderer
from harness.simt.excerpt import Excerpts
from harness.simt.plain import one_line
from harness.simt.render import Renderer

__all__ = ["ANSWER_BYTES", "LIMITS", "main", "prepare"]

ANSWER_BYTES = 4 << 20

LIMITS = Limits(
    memory_bytes=3 << 29,
    cpu_seconds=120,
    file_bytes=64 << 20,
    open_files=256,
    processes=32,
    folder_bytes=256 << 20,
    seconds=300.0,
)
# Of MAX's own compiler and of Mojo's, of the processor: the largest of the puzzles takes half of it.
GRAPH_SECONDS, GRAPH_BYTES = 100, 4 << 30
MOST_LINES = 60
WIDEST = 600


_NOTHING = "define void @nothing() { ret void }"


def prepare() -> None:
    """Loads what every order needs: the simulator and LLVM."""
    import_simulator()
    simt.decode(_NOTHING)


def main() -> None:
    """Does what the order asks."""
    data, out = order_and_answer(sys.argv)
    order = json.loads(data)
    os.environ["HARNESS_CACHE"] = str(
        out.parent / "cache"
    )  # of its own: a shared one would be a way between submissions
    try:
        answer: dict[str, Any] = {"modes": [asdict(mode) for mode in _judged(order, out.parent)]}
    except HarnessError as error:
        answer = {"fault": str(error)}
    except MemoryError:
        answer = {"limit": "memory_bytes"}
    settle()  # on a GPU the compilers are in this box
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    answer |= {
        "judge_seconds": sum(usage.ru_utime + usage.ru_stime for usage in used),
        "peak_bytes": max(usage.ru_maxrss for usage in used) * 1024,
    }
    out.write_text(json.dumps(answer).replace(f"{out.parent}/", ""), encoding="utf-8")


def _judged(order: dict[str, Any], folder: Path) -> list[ModeResult]:
    file = folder / f"{order['puzzle']}.mojo"
    file.write_bytes(order["text"].encode())
    choose(order["language"])
    if order["codes"] is None:  # the box of a GPU has the compilers in it: their ends are to be seen and told
        compiler.LIMITS = replace(compiler.LIMITS, cpu_seconds=GRAPH_SECONDS)
        stage.COMPILE_SECONDS, stage.MEMORY_BYTES = GRAPH_SECONDS, GRAPH_BYTES
    cases = select([order["puzzle"]])
    sources = Sources(overrides={order["puzzle"]: file}, problems={order["puzzle"]: order["handed_out"]})
    plan = pipeline.plan(order["target"], order["backend"])
    told = None if order["codes"] is None else {name: _code(code) for name, code in order["codes"].items()}
    llvm = None if told is None else {name: _level(code, "llvm") for name, code in told.items()}
    # What is compiled names the file as it lay in its own box: without the folder.
    show = replace(renderer(sources), source=Excerpts(MOJO, file, root=folder))
    results = []
    with Runner(cases, plan, sources, data_seed=order["data_seed"], code=llvm) as runner:
        for case in cases:
            code = (told or {}).get(case.id)
            if code is None or isinstance(code, CompileError):
                results.append(_result(case, runner.report(case), show))
            elif sum(len(part["llvm"]) for part in code) > MOST_CODE:
                reason = f"its device code has more than {MOST_CODE >> 20} MiB"
                results.append(_without_a_run(case, LIMIT, reason))
            else:
                results.append(_simulated(case, runner, "\n".join(part["asm"] for part in code), show))
    return results


def _simulated(case: Case, runner: Runner, code: str, show: Renderer) -> ModeResult:
    """The result of a mode; where the simulator itself stumbles, that is what became of it, and of no other mode."""
    try:
        return _result(case, runner.report(case, code), show)
    except (HarnessError, OSError, MemoryError):
        raise
    except Exception as error:
        said = one_line(f"{type(error).__name__}: {error}")[:WIDEST]
        return _without_a_run(case, "INCOMPLETE", f"{STUMBLED} ({said})")


def _without_a_run(case: Case, verdict: str, reason: str) -> ModeResult:
    return ModeResult(case=case.id, verdict=verdict, reason=reason, lines=(f"{case.id}: {reason}",))


def _code(record: Any) -> tuple[Code, ...] | CompileError:
    if "error" not in record:
        return tuple(record)
    return (CompileTimeout if record["late"] else CompileError)(record["error"], record["diagnostics"])


def _level(code: tuple[Code, ...] | CompileError, level: str) -> Texts | CompileError:
    return code if isinstance(code, CompileError) else tuple(part[level] for part in code)


def _result(case: Case, report: CaseReport, show: Renderer) -> ModeResult:
    empty = any(finding.id == "frame.unfilled" for finding in report.findings)
    outside = (finding for finding in report.findings if finding.id in ("frame.outside", "frame.unmarked"))
    promises = (f"{show.words.text(promise)}; why: {reason_of(promise, show)}" for promise in report.unkept)
    return ModeResult(
        case=case.id,
        verdict=NOT_ATTEMPTED if empty else report.verdict,
        reason=report.reason[:WIDEST],
        lines=tuple(line[:WIDEST] for line in islice(case_lines(report, show, remarks=True), MOST_LINES)),
        unkept=tuple(text[:WIDEST] for text in promises),
        notes=tuple(show.words.text(finding)[:WIDEST] for finding in outside),
        passed=report.passed,
        total=len(report.datasets),
        seconds=report.run_seconds,
    )


if __name__ == "__main__":
    main()
