"""What learners get wrong is told in their language, at the line to look at."""

from __future__ import annotations

import re
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from harness.build import toolchain
from harness.build.device_code import compile_kernels
from harness.build.unit import Build, units
from harness.cases import pipeline, runner
from harness.catalogue import CASES, case
from harness.errors import CompileError
from harness.model import language
from harness.model.frames import blank
from harness.model.sources import MOJO, Sources
from harness.model.target import Target
from harness.report.findings import case_lines, renderer
from tests.learning.mistakes import MISTAKES, Mistake

TARGET = Target.parse("nvidia:sm_90")
UNBUILT = ("constant-changed",)  # does not compile either; what is told first is why
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(toolchain.find() is None, reason="there is no `mojo` here"),
]


def source(mistake: Mistake) -> str:
    """The learner's file."""
    entry = case(mistake.case)
    text = (MOJO / entry.puzzle / "solution.mojo").read_text()
    if not mistake.old:
        return blank(text)
    start = re.search(rf"^def {entry.kernel}\b", text, re.MULTILINE).start()
    start = 0 if mistake.old.startswith(("comptime", "def")) else start
    assert mistake.old in text[start:]
    return text[:start] + text[start:].replace(mistake.old, mistake.new, 1)


@pytest.fixture(scope="module")
def codes():
    """The kernels' code, from one build; what does not compile stands apart, or all would be compiled one by one."""
    codes = {}
    with tempfile.TemporaryDirectory(prefix="mistakes-") as folder:
        sound, broken = [], []
        for number, mistake in enumerate(MISTAKES):
            file = Path(folder) / f"mistake{number}.mojo"
            file.write_text(source(mistake))
            (unit,) = units([case(mistake.case)], Build(target=TARGET))
            part = (replace(unit, file=file, module=file.stem), TARGET)
            (broken if "컴파일되지" in mistake.korean or mistake.name in UNBUILT else sound).append((mistake, part))
        together = compile_kernels([part for _, part in sound])
        alone = [code for _, part in broken for code in compile_kernels([part])]
        for (mistake, (unit, _)), code in zip([*sound, *broken], [*together, *alone], strict=True):
            codes[mistake.id] = (unit.file, code)
    return codes


@pytest.fixture(scope="module")
def told(codes, tmp_path_factory):
    """What a learner is told of a mistake in a language; as the command does it, with the code from above."""
    folder = tmp_path_factory.mktemp("mistakes")
    reports = {}

    def tell(mistake: Mistake, name: str) -> tuple[list[str], Path]:
        entry = case(mistake.case)
        was, code = codes[mistake.id]
        file = folder / was.name
        file.write_text(source(mistake))
        if mistake.id not in reports:
            here = _moved(code, was, file)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(runner, "device_code", lambda *_, **__: {entry.id: here})
                plan = pipeline.plan(TARGET.name, "simulator")
                sources = Sources("problems", {entry.puzzle: file})
                reports[mistake.id] = pipeline.learner(entry, plan=plan, sources=sources).case
        language.choose(name)
        try:
            lines = list(case_lines(reports[mistake.id], renderer(Sources("problems", {entry.puzzle: file}))))
        finally:
            language.choose(None)
        return lines, file

    return tell


def _moved(code, was: Path, file: Path):
    """The code with the file's place in it, which is another one since it was compiled."""
    if isinstance(code, CompileError):
        return CompileError(str(code).replace(str(was), str(file)), code.diagnostics.replace(str(was), str(file)))
    return code["llvm"].replace(str(was), str(file))


@pytest.mark.parametrize("name", ["en", "ko"])
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.id)
def test_a_mistake_is_told_at_its_line(mistake, name, told):
    lines, file = told(mistake, name)
    said = "\n".join(lines)
    numbers = [number for number, line in enumerate(file.read_text().splitlines(), 1) if mistake.at in line]

    assert (mistake.english if name == "en" else mistake.korean) in said
    assert numbers and any(re.search(rf"{re.escape(str(file))}:{number}:\d+", said) for number in numbers), said
    assert not lines[0].startswith(f"{mistake.case}: PASS") and "통과" not in lines[0].partition(",")[0]


def test_there_are_enough_of_them():
    assert len(MISTAKES) >= 25 and len({mistake.id for mistake in MISTAKES}) == len(MISTAKES)
    assert {mistake.case for mistake in MISTAKES} == {case.id for case in CASES}
