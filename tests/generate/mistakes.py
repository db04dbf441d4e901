"""The pages of common mistakes, `docs/mistakes.md` and `docs/mistakes.ko.md`, made from the tests' collection.

All mistakes that compile are compiled together and checked as a learner's file is. A digest of all that a page is made
from stands in it: it is made again when one of them has changed.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from harness.build.cache import make_key
from harness.build.toolchain import package_versions
from harness.catalogue import find_case
from harness.model.sources import MOJO, ROOT
from tests.generate.common_mistakes import COMMON
from tests.generate.digests import digest_of_code
from tests.generate.files import Generated
from tests.learning.mistakes import MISTAKES, Mistake
from tests.learning.more_mistakes import MORE

__all__ = ["KNOWN", "LANGUAGES", "generated", "page_of", "shorten"]

LANGUAGES = {"en": ".md", "ko": ".ko.md"}
SEED = 56  # of the fresh data: a page says the same whenever it is made
KNOWN = {mistake.id: mistake for mistake in (*MISTAKES, *MORE)}
_MADE_FROM = re.compile(r"<!-- made from (\w+) -->")


_INTRODUCTION = {
    "en": """# Common mistakes

Each of these mistakes was made in a puzzle's kernel and checked. You see what it means and how to fix it, and folded
what `puzzles check` says of it, up to the first finding. About your own kernel the same report names your own lines.
""",
    "ko": """# 흔한 실수

퍼즐의 커널에 실수를 하나씩 넣고 확인한 결과입니다. 실수의 뜻과 고치는 방법이 있고, `puzzles check`의 출력은 첫 진단까지
접어 두었습니다. 여러분의 커널에서는 같은 보고가 여러분의 줄을 가리킵니다.
""",
}
_SAYS = {"en": "What <code>{command}</code> says", "ko": "<code>{command}</code>의 출력"}
_LESSON = {
    "en": "Lesson: [puzzle {number}](../mojo/{puzzle}/README.md).",
    "ko": "레슨: [퍼즐 {number}](../mojo/{puzzle}/README.ko.md).",
}


def generated(root: Path, *, run_stale: bool) -> Iterator[Generated]:
    """Yield the page of each language.

    Args:
        root: The repository.
        run_stale: Otherwise a page that is stale is given an empty text.
    """
    made_from = _digest_inputs()
    held = {name: _held(page_of(root, name)) for name in LANGUAGES}
    stale = [name for name, text in held.items() if (match := _MADE_FROM.search(text)) is None or match[1] != made_from]
    reports = _reports() if stale and run_stale else {}
    for name, text in held.items():
        if name in stale:
            text = _page(name, made_from, reports[name]) if run_stale else ""
        yield Generated(page_of(root, name), text)


def page_of(root: Path, language: str) -> Path:
    """Return the path of a language's page."""
    return root / "docs" / f"mistakes{LANGUAGES[language]}"


def _held(page: Path) -> str:
    return page.read_text(encoding="utf-8") if page.is_file() else ""


def _of_collection() -> list[Mistake]:
    return [KNOWN[common.mistake] for common in COMMON]


def _digest_inputs() -> str:
    puzzles = {find_case(mistake.case).puzzle for mistake in _of_collection()}
    harness = ROOT / "harness"
    writers = [
        Path(__file__).with_name("common_mistakes.py"),
        Path(__file__),
        *(
            harness / f"{name}.py"
            for name in ("cases/explained", "cases/trials", "report/findings", "report/causes", "simt/render")
        ),
    ]
    writers += [path for path in sorted(harness.glob("*/messages/*.py")) if path.stem[:2] in ("en", "ko")]
    files = [*(MOJO / puzzle / "solution.mojo" for puzzle in sorted(puzzles)), *writers]
    facts = {str(file.relative_to(ROOT)): digest_of_code(file) for file in files}
    return make_key({"files": facts, "mistakes": list(map(repr, _of_collection())), "versions": package_versions()})


def _reports() -> dict[str, list[list[str]]]:
    """Return by language what a learner is told of each mistake, all from one compilation."""
    from tests import compiled
    from tests.learning.told import TARGET, source, teller

    mistakes = _of_collection()
    sizes = [(mistake, size) for mistake in mistakes for size in find_case(mistake.case).sizes]  # further launches too
    found = iter(compiled.codes([(size, source(mistake), TARGET) for mistake, size in sizes]))
    codes = {(mistake.id, size): [next(found) for _ in size.kernel_steps] for mistake, size in sizes}
    with tempfile.TemporaryDirectory(prefix="mistakes-") as name:
        folder = Path(name).resolve()
        for (one, size), own in codes.items():
            file = _file(folder, one)
            file.write_text(source(KNOWN[one]), encoding="utf-8")
            compiled.put(own, size, file, TARGET)
        tell = teller({}, folder, data_seed=SEED)
        return {
            language: [[_named(line, folder, mistake) for line in tell(mistake, language)[0]] for mistake in mistakes]
            for language in LANGUAGES
        }


def _file(folder: Path, mistake: str) -> Path:
    """Return the file of a mistake in a folder, as `teller` calls it."""
    return folder / f"{mistake.replace(':', '-')}.mojo"


def _named(line: str, folder: Path, mistake: Mistake) -> str:
    """Return a line with the file's name as a learner has it."""
    return line.replace(str(_file(folder, mistake.id)), f"{find_case(mistake.case).puzzle}/problem.mojo").rstrip()


def shorten(report: list[str]) -> list[str]:
    """Return the verdict and its first finding, of a wrong value its explanation too, each with one of its threads."""
    kept: list[str] = []
    findings, most = 0, 2 if "check.reason." in "\n".join(report) else 1
    for line, before in zip(report, ["", *report], strict=False):
        findings += bool(re.match(r"  \S", line))
        if findings > most:
            break
        again = re.match(r"      [^\d\s.]+ ", line)
        if again and before.startswith(again[0]) and "(" in line and "lane" not in again[0]:
            kept += [] if kept[-1] == "      ..." else ["      ..."]
        else:
            kept.append(line)
    return kept


def _page(language: str, made_from: str, reports: list[list[str]]) -> str:
    parts = [f"<!-- made from {made_from} -->", _INTRODUCTION[language]]
    for common, mistake, report in zip(COMMON, _of_collection(), reports, strict=True):
        puzzle = find_case(mistake.case).puzzle
        lesson = _LESSON[language].format(number=int(puzzle[1:3]), puzzle=puzzle)
        said = _SAYS[language].format(command=f"puzzles check {mistake.case}")
        # Folded, since a report quotes lines of a kernel that is nearly right.
        parts += [f"## {common.title[language]}\n", f"{common.meaning[language]} {lesson}\n"]
        parts += [f"<details><summary>{said}</summary>\n"]
        parts += ["```text", *shorten(report), "```\n", "</details>\n"]
    return "\n".join(parts).rstrip("\n") + "\n"
