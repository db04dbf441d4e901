"""Files in reports are named as whoever stands in the current folder would write them."""

from __future__ import annotations

import pytest

from harness.model.named import display_name, relativize_files
from harness.model.sources import ROOT


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder to stand in, with one inside."""
    (tmp_path / "kernels").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_lies_below_the_current_folder_is_named_from_there(folder):
    assert display_name(str(folder / "kernels" / "sum.mojo")) == "kernels/sum.mojo"
    assert display_name("/elsewhere/sum.mojo") == "/elsewhere/sum.mojo"


def test_what_the_compiler_names_from_the_repository_is_found_from_anywhere(folder, monkeypatch):
    assert display_name("mojo/p15/solution.mojo") == str(ROOT / "mojo/p15/solution.mojo")
    monkeypatch.chdir(ROOT / "mojo")
    assert display_name("mojo/p15/solution.mojo") == "p15/solution.mojo"


def test_what_lies_nowhere_keeps_its_name():
    """As a file of device code that somebody made elsewhere."""
    assert display_name("kernel.cu") == "kernel.cu"


def test_a_compilers_lines_name_files_in_this_way(folder):
    said = f"{folder}/kernels/a b.mojo:3:1: error: no\n    x = 1\n  {folder}/c.mojo:1:2: note: from {folder}/d.mojo"

    assert relativize_files(said) == "kernels/a b.mojo:3:1: error: no\n    x = 1\n  c.mojo:1:2: note: from d.mojo"


def test_another_folder_that_ends_alike_keeps_its_name(folder):
    for other in (f"/mnt{folder}/a.mojo", f"{folder}-2/a.mojo", f"{folder}/"):
        assert relativize_files(f"see {other}") == f"see {other}"
    assert relativize_files(f"{folder}/a.mojo does not compile") == "a.mojo does not compile"
