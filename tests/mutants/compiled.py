"""Compiles many hand-written mutants in one build: the standard library is compiled once."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from harness.build.device_code import Code, Texts
from harness.build.hosts import build_host_programs
from harness.build.unit import Build, make_units
from harness.cases import pipeline
from harness.catalogue import find_case
from harness.errors import CompileError
from harness.model.case import Case
from harness.model.report import CaseReport
from harness.model.sources import Sources
from harness.model.target import Target
from harness.model.verdict import Verdict
from tests import compiled
from tests.mutants.handwritten import FEW, HOSTS, MUTANTS, SourceMutant

__all__ = ["Compiled", "changed", "device_code", "few", "few_hosts", "hosts_reports", "killer_of_host"]


class Compiled(NamedTuple):
    """A mutant's LLVM IR by launch, the assembly of all launches, and the former at each further launch."""

    code: Texts
    assembly: str
    further: tuple[Texts, ...]


def few(target: Target) -> dict[str, Compiled]:
    """Those of `FEW`: whoever needs some of them asks for all, which other tests need, and which take little longer."""
    return device_code([mutant for mutant in MUTANTS if mutant.id in FEW], target)


def device_code(mutants: Sequence[SourceMutant], target: Target) -> dict[str, Compiled]:
    """Each mutant's code, by its id; those of `FEW` come from one program, and the others from another.

    Raises:
        CompileError: One of them does not compile.
    """
    some = [mutant for mutant in mutants if mutant.id in FEW]
    rest = [mutant for mutant in mutants if mutant.id not in FEW]
    return _together(some, target) | _together(rest, target)


def _together(mutants: Sequence[SourceMutant], target: Target) -> dict[str, Compiled]:
    build, parts = Build(target=target), []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for mutant in mutants:
            file = Path(folder) / f"{_module(mutant)}.mojo"
            file.write_text(mutant.source())
            for at, size in enumerate(_sizes(mutant)):
                module = f"{file.stem}_{at}"
                parts += [(replace(unit, file=file, module=module), target) for unit in make_units([size], build)]
        codes = iter(compiled.levels(parts))
    return {mutant.id: _joined([[next(codes) for _ in size.steps] for size in _sizes(mutant)]) for mutant in mutants}


def _sizes(mutant: SourceMutant) -> tuple[Case, ...]:
    """At what a mutant is compiled: at further launches only where the documented one does not show it."""
    entry = find_case(mutant.case).simulated
    return entry.sizes if mutant.equivalent or mutant.further else (entry,)


def _module(mutant: Any) -> str:
    """A name that no other one has; by it the code is found again."""
    return re.sub(r"\W", "_", mutant.id)


def few_hosts(target: Target) -> None:
    """The same of functions of the host: what calls them is in the cache then."""
    cases = changed([mutant for mutant in HOSTS if mutant.id in FEW])
    build_host_programs([size for entry in cases for size in entry.sizes], Build(target=target))


def hosts_reports(mutants: Sequence[Any], target: Target) -> dict[str, CaseReport]:
    """What host functions come to, by id: mutants, or what else has a case, an id and a source.

    All of them are compiled in one program, as the files of several people would be.

    Raises:
        CompileError: One of them does not compile, which catches nothing.
    """
    run = pipeline.run(changed(mutants), plan=pipeline.plan(target.name, "simulator"), sources=Sources())
    reports = {mutant.id: report for mutant, report in zip(mutants, run.cases, strict=True)}
    if broken := [name for name, report in reports.items() if report.verdict == Verdict.COMPILE_ERROR]:
        raise CompileError(", ".join(broken))
    return reports


def changed(mutants: Sequence[Any]) -> list[Case]:
    """A case for each, of a name of its own: its mode's, with the mutant's file."""
    cases = []
    for mutant in mutants:
        file = compiled.placed(f"{_module(mutant)}.mojo", mutant.source())
        own: dict[str, Any] = {"file": file, "graph": None, "op": ""}
        entry = replace(find_case(mutant.case).simulated, mode=file.stem, **own)
        further = [replace(one, mode=f"{file.stem}-{at}", **own) for at, one in enumerate(entry.further)]
        entry = replace(entry, further=tuple(further))
        cases.append(entry)
    return cases


def killer_of_host(report: CaseReport) -> str:
    """The verdict that killed a wrong host function, and on which data; empty if none did."""
    if report.ok:
        return "claim" if report.unkept else ""
    return f"{report.verdict} on {report.decisive.name}: {report.reason}" if report.decisive else str(report.verdict)


def _joined(sizes: Sequence[Sequence[Code]]) -> Compiled:
    documented, *further = (tuple(code["llvm"] for code in launches) for launches in sizes)
    return Compiled(documented, "\n".join(code["asm"] for code in sizes[0]), tuple(further))
