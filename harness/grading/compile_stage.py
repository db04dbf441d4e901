"""The sandboxed process that compiles puzzles' files for the simulator: its order, code, limits and entry point.

It compiles kernels and host programs, each file as if it were alone. Paths of temporary folders are blanked out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from harness.build import compiler
from harness.build.cache import Cache, sha256_hex
from harness.build.device_code import Code, compile_kernels, group_by_case
from harness.build.hosts import Programs, build_host_programs
from harness.build.unit import Build, make_units
from harness.catalogue import select_cases
from harness.errors import CompileError, CompileTimeout
from harness.grading.work import MOST_CODE, Codes, HostCall, HostCode, HostPrograms, KernelCode, NotCompiled
from harness.model.sources import Sources
from harness.model.target import Target
from harness.process.child import Child, Limits
from harness.process.python import module_command
from harness.process.stage import Stage

__all__ = ["LIMITS", "STAGE", "TOOL", "CompileOrder", "Compiled", "main"]

TOOL = sha256_hex(Path(__file__).read_bytes())  # another one made other code of the same file
_STRING = re.compile(r'(?<=\] c)"[^"\n]*"')  # of LLVM IR, which writes a quote in it in another way
# All puzzles take a third of it together. A puzzle's kernels may come to the limit of the processor's time all
# together, then, of more than a few, in halves, and then each alone: there is room for that by the clock, one after
# another, on a machine half of which others have.
LIMITS = Limits(
    memory_bytes=2 << 30,
    cpu_seconds=60,
    file_bytes=256 << 20,
    open_files=512,
    processes=32,
    folder_bytes=1 << 30,
    seconds=1000.0,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileOrder:
    """Files and a target.

    Attributes:
        files: The text of each puzzle's file, by puzzle.
        target: The target of the kernels.
        limits: The limits of the stage; the compiler's own processes have the same, so that their end is seen and
            reported.
    """

    files: Mapping[str, str]
    target: str
    limits: Limits


@dataclass(frozen=True, slots=True)
class Compiled:
    """The code of several files.

    Attributes:
        codes: The code by case, or why it does not compile.
        seconds: Processor seconds; 0 if the code was cached.
        peak_bytes: The highest memory use of a process.
        hosts: The programs that call host functions, by puzzle, if its cases call some.
    """

    codes: Codes
    seconds: float = 0.0
    peak_bytes: int = 0
    hosts: Mapping[str, HostPrograms] = field(default_factory=dict)

    @property
    def small(self) -> bool:
        """Return whether each host program has at most `MOST_CODE` characters of kernels, other files' included."""
        programs = (program for hosts in self.hosts.values() for program in hosts.programs)
        return all(sum(map(len, program.kernels.values())) <= MOST_CODE for program in programs)


STAGE = Stage(__name__, CompileOrder, Compiled, most_bytes=128 << 20)


def main() -> None:
    """Serve one order: compile its files."""
    STAGE.serve(_compile_files)


def _compile_files(order: CompileOrder, folder: Path) -> Compiled:
    files, target = {puzzle: folder / f"{puzzle}.mojo" for puzzle in order.files}, Target.parse(order.target)
    for puzzle, file in files.items():
        file.write_bytes(order.files[puzzle].encode())
    limits = replace(compiler.LIMITS, cpu_seconds=order.limits.cpu_seconds, memory_bytes=order.limits.memory_bytes)
    build = Build(target=target, sources=Sources(overrides=files), cache=Cache(folder / "cache"))
    # This code is for the simulator: on a GPU the stage that judges compiles.
    cases = [size for case in select_cases(list(files)) for size in case.simulated.sizes]
    units_of_files = make_units(cases, build)
    codes = compile_kernels([(unit, target) for unit in units_of_files], limits=limits, apart=True)
    codes_by_case = {
        name: _code(code, folder) for name, code in group_by_case(zip(units_of_files, codes, strict=True)).items()
    }
    called = [case for case in cases if case.called]
    programs, hosts = build_host_programs(called, replace(build, limits=limits, apart=True)), {}
    for puzzle in files:
        cases_of_puzzle = [case for case in called if case.puzzle == puzzle and case.id in programs]
        if cases_of_puzzle:
            programs_by_case = {case.id: programs[case.id] for case in cases_of_puzzle}
            hosts[puzzle] = _collect_host_programs(programs_by_case, limits, folder)
            codes_by_case = {case.id: () for case in cases_of_puzzle if not case.kernel_steps} | codes_by_case
            codes_by_case |= {
                name: _code(error, folder)
                for name, error in programs_by_case.items()
                if isinstance(error, CompileError)
            }
    return Compiled(codes_by_case, hosts=hosts)


def _collect_host_programs(programs_by_case: Programs, limits: Limits, folder: Path) -> HostPrograms:
    """Return each host program once, and by case the calls to it; cases that do not compile are left out.

    A child process compiles each program's machine code, which is empty if that fails. Paths in `folder` are blanked
    out of the kernels.
    """
    good = {name: steps for name, steps in programs_by_case.items() if not isinstance(steps, CompileError)}
    each = {program.host.path: program for steps in good.values() for program in steps.values()}
    places = {path: number for number, path in enumerate(each)}
    calls = {
        name: tuple(HostCall(step, places[program.host.path], program.number) for step, program in steps.items())
        for name, steps in good.items()
    }
    programs = []
    for program_of_host in each.values():
        kernels = {symbol: _placeless(text, folder) for symbol, text in program_of_host.texts.items()}
        programs.append(HostCode(program_of_host.host.data, kernels, _machine_code(program_of_host.host.data, limits)))
    return HostPrograms(tuple(programs), calls)


@lru_cache(maxsize=4)  # puzzles that were compiled together have one
def _machine_code(host: bytes, limits: Limits) -> bytes:
    """Compile the host's compressed LLVM IR in a child process, since LLVM ends its process at invalid assembly.

    Returns the compressed machine code, empty if that fails; the last four results are cached.
    """
    with Child(limits) as child:
        ir, output = child.folder / "host", child.folder / "made"
        ir.write_bytes(host)
        command, variables = module_command("harness.programs.jit", str(ir), str(output))
        child.start(command, variables)
        end = child.wait()
        return output.read_bytes() if end and end.status == 0 else b""


def _code(code: tuple[Code, ...] | CompileError, folder: Path) -> tuple[KernelCode, ...] | NotCompiled:
    if isinstance(code, CompileError):
        return NotCompiled(str(code), code.diagnostics, isinstance(code, CompileTimeout))
    # One character more than there may be says that it is too large.
    return tuple(
        KernelCode(**{level: _placeless(text, folder)[: MOST_CODE + 1] for level, text in part.items()})
        for part in code
    )


def _placeless(text: str, folder: Path) -> str:
    """Blank out a temporary folder in the string constants of LLVM IR; other text, such as PTX, is returned as it is.

    Slashes replace the folder, so that a string keeps its declared length. The end of a path stays, since an assertion
    names its file by it (`harness.build.device_code.restore_paths`).
    """
    place = re.compile(rf"{re.escape(str(folder))}(/puzzles-\w+)?(?=/)")  # a compiler has one of its own in there
    return _STRING.sub(lambda string: place.sub(lambda path: "/" * len(path[0]), string[0]), text)
