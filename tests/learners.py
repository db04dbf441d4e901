"""Files of learners that several tests need, compiled by one program: alone each would take nearly as long as all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from harness.build import generate
from harness.build.cache import Cache
from harness.build.device_code import Code, build_device_code
from harness.build.hosts import build_host_programs
from harness.build.toolchain import package_versions
from harness.build.unit import Build, make_units
from harness.catalogue import CASES
from harness.catalogue import find_case as case_of
from harness.grading import compile_stage
from harness.grading.compile_stage import Compiled
from harness.grading.judge import CODE, code_key
from harness.grading.work import Job, KernelCode, Settings
from harness.model import codec
from harness.model.case import Case
from harness.model.frames import blank_regions
from harness.model.sources import MOJO, Sources
from harness.model.target import Target
from harness.process.child import temporary_folder
from tests import compiled
from tests.cases import sized
from tests.catalogue import full_size
from tests.exploits.known import KNOWN
from tests.faults.faults import FAULTS
from tests.generate.added import ADDED, solution_of
from tests.learning.told import SOUND, source

__all__ = ["LEARNERS", "code", "codes", "known", "known_to_graders", "solution", "solved_for_graders", "write"]

HERE = Path(__file__).parent
TARGET = Target.parse("nvidia:sm_90")


def solution(puzzle: str) -> str:
    """The text of a solution."""
    return (MOJO / puzzle / "solution.mojo").read_text(encoding="utf-8")


def _edited(puzzle: str, old: str, new: str) -> tuple[str, str]:
    assert old in solution(puzzle), (puzzle, old)
    return puzzle, solution(puzzle).replace(old, new)


def _moved(text: str) -> str:
    """A solution whose code stands below its region, which is empty."""
    region = re.search(r"    # FILL ME IN.*\n((?s:.*))    # END OF FILL ME IN\n", text)
    assert region
    return f"{blank_regions(text)}\n{region[1]}"


def _of_p29(parts: int) -> tuple[str, str]:
    """So many of the solution's parts in the first region, and nothing in the others."""
    found = re.findall(r"    # FILL ME IN.*\n((?s:.*?))    # END OF FILL ME IN\n", solution("p29"))[:parts]
    return "p29", blank_regions(solution("p29")).replace("    pass\n", "\n    barrier()\n".join(found), 1)


_FIRST = "    barrier()\n\n    var stride"
_SUMMED = "        output[batch, 0] = cache[0]"
_LAST = "        barrier()\n\n        stride //= 2"
_ACCEPTED = "# puzzles: accept race.shared.write-read: which may be said of a program, and of no puzzle"
_COUNTS = """    var spun = 0
    while spun >= 0:
        spun += 1
        cache[local_i] = Scalar[dtype](spun)

"""


def _empty(name: str) -> tuple[str, str]:
    """What the harness writes itself around a case's kernels, to find out whether they are to blame."""
    written: list[str] = []
    entry = case_of(name)
    generate._require_compilable(
        make_units([entry], Build(target=TARGET)),
        lambda empty: written.append(empty[0].file.read_text(encoding="utf-8")),
    )
    return entry.puzzle, written[0]


# Of the exploits, those that come to a verdict at once; more are named below.
_EXPLOITS = ("prints_a_verdict", "reads_behind_its_input", "writes_outside")
_FAULTS = {
    fault.name: fault
    for fault in FAULTS
    if fault.file and fault.simulator and fault.simulator.verdict != "COMPILE_ERROR"
}
_FULL_SIZE = full_size.cases(TARGET.name)
_TWICE = sized.twice(Path("twice.mojo"))
# Cases for which a file is compiled, where these are not all of its puzzle.
_CASES: dict[str, Sequence[Case]] = {
    **{name: [known.judged] for name, known in KNOWN.items()},
    **{name: [fault.case] for name, fault in _FAULTS.items()},
    **{mistake.id: [case_of(mistake.case)] for mistake in SOUND},
    "right in one block alone": [size for mode in sized.ONE_BLOCK for size in mode.sizes],
    **{f"{puzzle} solved": [case] for puzzle, case in ADDED.items()},
    **{name: [case] for name, case in _FULL_SIZE.items()},
    "row maxima without the last": [full_size.WRONG],
    "twice": [_TWICE.simulated, _TWICE],
    "twice, one element further": [_TWICE.simulated],
}
# By what is in them: the puzzle, and the text.
LEARNERS = {
    "p01 solved": ("p01", solution("p01")),
    "p15 solved": ("p15", solution("p15")),
    "p26 solved": ("p26", solution("p26")),
    "a loop that does nothing": _edited("p15", _FIRST, f"    while True:\n        pass\n\n{_FIRST}"),
    "a loop that counts": _edited("p15", _FIRST, _COUNTS + _FIRST),
    "no barrier at all": _edited("p15", "barrier()", "pass"),
    "no first barrier": _edited("p15", _FIRST, _FIRST.partition("\n\n")[2]),
    "no last barrier": _edited("p15", _LAST, "        stride //= 2"),
    "a print": _edited("p15", _SUMMED, f'{_SUMMED}; print("row", batch)'),
    "half of the tree": _edited("p15", "TPB // 2", "TPB // 4"),
    "a race that it accepts": _edited(
        "p15", f"+= addend\n\n{_LAST}", f"+= addend  {_ACCEPTED}\n\n        stride //= 2"
    ),
    "no last barrier in p34": _edited("p34", _LAST, "        stride //= 2"),
    "p34 as it is handed out": ("p34", (MOJO / "p34" / "problem.mojo").read_text(encoding="utf-8")),
    "a barrier of some": _edited("p34", _LAST, f"        if local_i < 128:\n    {_LAST}"),
    "fractions cut off": _edited("p15", "a[batch, global_i]", "a[batch, global_i].__trunc__()"),
    "a region left blank": ("p15", blank_regions(solution("p15"))),
    "p26 left blank": ("p26", blank_regions(solution("p26"))),
    "p34 left blank": ("p34", blank_regions(solution("p34"))),
    "a region left blank, and an import": (
        "p15",
        blank_regions(solution("p15")).replace(
            "from layout import", "from std.math import sqrt\nfrom layout import", 1
        ),
    ),
    "code below its region": ("p15", _moved(solution("p15"))),
    "wrong code below its region": ("p15", _moved(solution("p15").replace("] = cache[0]", "] = 1"))),
    "a lookup table": ("p15", (HERE / "exploits" / "lookup_table.mojo").read_text(encoding="utf-8")),
    "one size": ("p15", (HERE / "exploits" / "one_size.mojo").read_text(encoding="utf-8")),
    "the clock": ("p15", (HERE / "exploits" / "tells_the_simulator.mojo").read_text(encoding="utf-8")),
    "an empty kernel of p28": _empty("p28"),
    **{name: ("p15", (HERE / "exploits" / f"{name}.mojo").read_text(encoding="utf-8")) for name in _EXPLOITS},
    **{name: (known.judged.puzzle, known.text) for name, known in KNOWN.items()},
    **{name: ("p15", fault.file.read_text(encoding="utf-8")) for name, fault in _FAULTS.items()},
    "an index of another row": _edited("p15", "output[batch, 0]", "output[0, batch]"),
    "p10 as it is handed out": ("p10", Sources().original_text(case_of("p10:memory-bug"))),
    "p10 solved": ("p10", solution("p10")),
    "three regions in the first": _of_p29(3),
    "a part alone": _of_p29(1),
    "right in one block alone": _edited("p25", sized.OVER_ALL, sized.OVER_ALL.replace("first + i", "i")),
    **{f"{puzzle} solved": (puzzle, solution_of(puzzle).read_text(encoding="utf-8")) for puzzle in ADDED},
    **{name: (case.puzzle, case.file.read_text(encoding="utf-8")) for name, case in _FULL_SIZE.items() if case.file},
    "row maxima without the last": (full_size.WRONG.puzzle, full_size.wrong_text()),
    "twice": ("twice", sized.TEXT),
    "twice, one element further": ("twice", sized.WRONG),
    **{mistake.id: (case_of(mistake.case).puzzle, source(mistake)) for mistake in SOUND},
}
# Those that come to a result, right or wrong: their indices are looked at, in a build of their own.
_COMPUTING = (
    "p15 solved",
    "p26 solved",
    "a print",
    "half of the tree",
    "fractions cut off",
    "code below its region",
    "wrong code below its region",
    "a lookup table",
    "one size",
    "an index of another row",
    "p10 as it is handed out",
    "p10 solved",
    "three regions in the first",
    "a part alone",
)
# What the harness writes for the documented launch alone: it has no constants that a further one could redefine.
_DOCUMENTED_ALONE = ("an empty kernel of p28",)
_SHAPES = {"debug": True, "assertions": True}


def code(name: str, entry: Case) -> Code:
    """The device code of one of them for a case of one launch; `compiled.codes` has more."""
    (one,) = codes(name, entry)
    return one


def codes(name: str, entry: Case) -> list[Code]:
    """The same for each launch."""
    return _codes(tuple(LEARNERS))[_key(name, entry)]


def known(name: str, file: Path) -> None:
    """Lets the harness find the device code of a file with the text of one of them, as if it had compiled it."""
    _, text = LEARNERS[name]
    assert file.read_text(encoding="utf-8") == text
    for case in _cases(name):
        compiled.put(codes(name, case), case, file, TARGET)
        if name in _COMPUTING and not case.redefined:
            compiled.put(_codes(_COMPUTING, **_SHAPES)[_key(name, case)], case, file, TARGET, **_SHAPES)


def known_to_graders(name: str) -> None:
    """Lets `grade` find what one of them is compiled to, as if it had compiled it itself."""
    puzzle, text = LEARNERS[name]
    codes = {}
    for case in _cases(name):
        levels = {level: held.replace(compiled.HOLE, f"{puzzle}.mojo") for level, held in code(name, case).items()}
        codes[case.id] = (KernelCode(**levels),)
    _put(Job(puzzle, text), Compiled(codes))


def solved_for_graders(puzzle: str) -> None:
    """The same of a solution with functions of the host: theirs are a part of the program that calls all of them."""
    compiled.solutions()
    build = Build(target=TARGET)
    sizes = [size for case in CASES if case.puzzle == puzzle for size in case.simulated.sizes]
    llvm, asm = (build_device_code(sizes, build, level) for level in ("llvm", "asm"))
    codes = {size.id: tuple(map(KernelCode, llvm[size.id], asm[size.id])) for size in sizes}
    with temporary_folder() as folder:
        hosts = compile_stage._collect_host_programs(build_host_programs(sizes, build), compile_stage.LIMITS, folder)
    _put(Job(puzzle, solution(puzzle)), Compiled(codes, hosts={puzzle: hosts}))


def _put(job: Job, made: Compiled) -> None:
    settings = Settings(target=TARGET.name, backend="simulator", data_seed=0, versions=package_versions())
    (blob,) = CODE
    Cache.default().put(code_key(job, settings), {blob: codec.encode(made)})


def write(name: str, file: Path) -> str:
    """Writes one of them and makes it `known`.

    Returns:
        Its text.
    """
    _, text = LEARNERS[name]
    file.write_text(text, encoding="utf-8")
    known(name, file)
    return text


def _cases(name: str) -> Sequence[Case]:
    """Those for which a file is compiled, at their further launches too."""
    cases = _CASES.get(name) or [case for case in CASES if case.puzzle == LEARNERS[name][0]]
    sizes = [size for case in cases for size in ([case] if name in _DOCUMENTED_ALONE else case.sizes)]
    return list({size.id + str(size.resized): size for size in sizes}.values())


def _key(name: str, case: Case) -> tuple[str, str, str]:
    return name, case.id, str(case.resized)


@cache
def _codes(names: tuple[str, ...], **how: bool) -> dict[tuple[str, str, str], list[Code]]:
    cases = [(name, case) for name in names for case in _cases(name) if not (how and case.redefined)]
    wanted = {_key(name, case): (case, LEARNERS[name][1], TARGET) for name, case in cases}
    codes = iter(compiled.codes(list(wanted.values()), **how))
    return {key: [next(codes) for _ in case.kernel_steps] for key, (case, *_) in wanted.items()}
