"""Problems are made of solutions: with the marked regions left out, with what makes them wrong, or as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from harness.model.frames import blank_regions, count_regions, extract_frame
from harness.model.handout import Blank, Handout
from tests.generate.files import Generated, GenerateError

__all__ = ["generated"]


def generated(pairs: Mapping[Path, Path], given: Mapping[Path, Handout] = MappingProxyType({})) -> Iterator[Generated]:
    """The problem file of each puzzle; one with the right frame stays as it is, whatever its regions hold.

    Args:
        pairs: Solution to problem.
        given: By solution what a learner gets where that is not blank regions.

    Raises:
        GenerateError: A solution leaves nothing to fill in, or cannot be made wrong, or has regions nevertheless.
    """
    for solution, problem in pairs.items():
        text, how = solution.read_text(encoding="utf-8"), given.get(solution, Blank())
        if isinstance(how, Blank) != bool(count_regions(text)):
            what = "something" if count_regions(text) else "nothing"
            raise GenerateError(
                f"{solution} has {what} between `# FILL ME IN: ...` and `# END OF FILL ME IN`, "
                f"but is handed out {type(how).__name__.lower()}."
            )
        held = problem.read_text(encoding="utf-8") if problem.is_file() else None
        if not isinstance(how, Blank):
            try:
                yield Generated(problem, how.problem(text), keep="it may hold somebody's work" if held else "")
            except ValueError as error:
                raise GenerateError(f"{solution}: {error}.") from None
        elif held is not None and extract_frame(held) == extract_frame(text):
            yield Generated(problem, held)
        else:
            pristine = held is None or (held == blank_regions(held) and count_regions(held) == count_regions(text))
            yield Generated(problem, blank_regions(text), keep="" if pristine else "somebody has filled it in")
