"""The table beside compute-sanitizer: rows are kept as they come. A stand-in plays the tool."""

from __future__ import annotations

import stat
import sys

import pytest

from tests.hazards import sanitizers
from tests.hazards.pairs import name

PAIRS = ["unwritten/*", "race_global/plain_counter"]

# Reports the faulty kernel of each pair but one, whose kernel never begins, as memcheck alone.
TOOL = """#!{python}
import sys

tool, ptx, kernel = sys.argv[2], sys.argv[5], sys.argv[6]
if "nothing_at_all" in ptx:
    print("cuModuleLoadData: CUDA_ERROR_INVALID_PTX")
print("31", end="")  # as a kernel may
print(f"========= ERROR SUMMARY: {{int(kernel == 'caught' and tool == 'memcheck')}} errors")
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a file of PTX for each pair, and the stand-in on PATH."""
    tool = tmp_path / "bin" / "compute-sanitizer"
    tool.parent.mkdir()
    tool.write_text(TOOL.format(python=sys.executable), encoding="utf-8")
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tool.parent), prepend=":")
    for path in sanitizers.pairs(PAIRS):
        sanitizers._ptx(tmp_path, path).touch()
    return tmp_path


def test_pairs_may_stand_behind_options(tmp_path, monkeypatch):
    monkeypatch.setattr(sanitizers, "compile_all", lambda _folder, chosen: len(chosen))

    assert sanitizers.main(["compile", str(tmp_path), "--workers", "2", "bulk_copy/read*", "bulk_copy/fewer*"]) == 2


@pytest.mark.slow
def test_what_ended_early_goes_on_with_the_pairs_that_have_no_row(folder, capsys):
    """The rows that are there stay as they are; a kernel that never began has no tick."""
    kept = "| unwritten/last_block | ✓ | hangs | - | - | - |\n"
    (folder / "rows.md").write_text(kept, encoding="utf-8")

    assert sanitizers.main(["run", str(folder), *PAIRS]) == 0

    text = (folder / "rows.md").read_text(encoding="utf-8")
    rows = sanitizers.rows(text)
    assert text.startswith(kept)
    assert sorted(rows) == sorted(map(name, sanitizers.pairs(PAIRS)))
    assert rows["race_global/plain_counter"] == ["✓", "✓", "-", "-", "-"]
    assert rows["unwritten/nothing_at_all"] == ["✓", *["no summary"] * 4]
    printed = capsys.readouterr()
    assert kept not in printed.out
    assert "unwritten/nothing_at_all caught memcheck: cuModuleLoadData: CUDA_ERROR_INVALID_PTX" in printed.err


def test_rows_take_their_places_in_the_document():
    """A new row changes its line and the counts, and no other line."""
    before = sanitizers.DOCUMENT.read_text(encoding="utf-8")
    assert sanitizers.write("") == before

    after = sanitizers.write("| unwritten/last_block | ✓ | ✓ | - | - | - |\n")
    changed = set(after.splitlines()) - set(before.splitlines())
    assert "| unwritten/last_block | ✓ | ✓ | - | - | - |" in changed
    assert {line.split(" | ")[0] for line in changed} == {"| unwritten/last_block", "| unwritten", "| all"}
