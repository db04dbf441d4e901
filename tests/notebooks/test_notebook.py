"""Cells of a notebook: checked, run, and refused in a sentence; by the magics alone, and as Jupyter runs them."""

from __future__ import annotations

import json
import os
import re
import tempfile
from contextlib import nullcontext
from html.parser import HTMLParser
from pathlib import Path

import pytest

from harness import notebook
from harness.backends import devices
from harness.build import toolchain
from harness.model.frames import fill_region
from harness.model.sources import MOJO, ROOT
from harness.notebook import Shown
from tests import learners
from tests.generate.notebooks import FOLDER, Shell, cells
from tests.processes import import_path

BOOKS = sorted((ROOT / FOLDER).glob("*.ipynb"))
compiler = pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")


@pytest.fixture
def shell() -> Shell:
    own = Shell()
    own.run("%load_ext harness")
    return own


def outputs(path: Path) -> list[str | None]:
    """What the cells of a notebook came to, as text."""
    code = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    return ["".join(cell["outputs"][0]["data"]["text/plain"]) if cell["outputs"] else None for cell in code]


@compiler
@pytest.mark.full
@pytest.mark.parametrize("name", ["program", "p01", "p15"])
def test_the_stored_outputs_are_those_of_a_run(name, monkeypatch):
    """Where there is no GPU."""
    monkeypatch.setattr(devices, "discover", lambda *_: [])
    own, path = Shell(), ROOT / FOLDER / f"{name}.ipynb"
    for cell, stored in zip(cells(json.loads(path.read_text())), outputs(path), strict=True):
        shown = own.run(cell)
        assert (None if shown is None else repr(shown)) == stored


@pytest.mark.full
@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_jupyter_runs_them_to_the_same(path, tmp_path, monkeypatch):
    """In a kernel of its own, as `pip install '.[notebook]'` brings it: `nox -s notebooks`."""
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed: `nox -s notebooks` has it")
    import nbformat

    monkeypatch.setenv("PYTHONPATH", import_path(ROOT))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    for cell in book.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    where = {"metadata": {"path": str(ROOT)}}
    nbclient.NotebookClient(book, timeout=600, kernel_name="python3", resources=where).execute()
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert [cell.outputs[0].data["text/plain"] if cell.outputs else None for cell in code] == outputs(path)
    assert all("text/html" in output.data for cell in code for output in cell.outputs)


def test_a_race_is_told_by_both_lines_of_its_cell():
    """In the stored output, which the tests above hold against a run."""
    (told,) = [text for text in outputs(ROOT / FOLDER / "p15.ipynb") if text and "Race" in text]
    (cell,) = [cell for cell in cells(json.loads((ROOT / FOLDER / "p15.ipynb").read_text())) if "--no-picture" in cell]
    lines = cell.split("\n")[1:]
    places = re.findall(r"(?:write|read) at cell:(\d+):(\d+) .*\n\s+\1 \| (.*)\n\s+\| ( *)\^", told)
    assert {text for *_, text, _ in places} >= {"cache[local_i] = 0", "        other = cache[local_i + stride]"}
    for number, column, text, before in places:
        assert lines[int(number) - 1] == text and len(before) == int(column) - 1


class _Elements(HTMLParser):
    """Which elements a text has, and with what."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attributes)))


def test_what_is_shown_is_no_markup_of_the_cell():
    shown = Shown(["p01: <b>", "  A <script>x</script> (race.shared)"], False, "<p>'\"&lt;", "<i>")
    tags = _Elements(shown._repr_html_()).seen
    assert [tag for tag, _ in tags] == ["pre", "div", "pre", "b", "iframe"]
    frame = tags[-1][1]
    assert (frame["srcdoc"], frame["sandbox"]) == ("<p>'\"&lt;", "allow-scripts allow-downloads")
    assert repr(shown) == "<i>\np01: <b>\n  A <script>x</script> (race.shared)"


def test_a_region_is_put_where_it_belongs():
    text = "def one():\n    # FILL ME IN: x\n    pass\n    # END OF FILL ME IN\n\n\ndef two():\n    pass\n"
    assert fill_region(text, ["two"], "a = 1") is None
    region = fill_region(text, ["one"], "a = 1\n\nif a:\n    b()")
    assert region is not None and (region.line, region.column) == (3, 5)
    assert region.text.split("\n")[2:7] == ["    a = 1", "", "    if a:", "        b()", "    # END OF FILL ME IN"]
    both = text.replace("    pass\n", text[text.index("    #") : text.index("\n\n")] + "\n")
    assert fill_region(both, ["one", "two"], "a") is None


@compiler
@pytest.mark.slow
def test_lines_and_columns_are_the_cells(shell):
    """Whatever it is indented by, and of a whole file too; what does not compile is shown at its line."""
    shown = shell.run("%%puzzle p01\n\n  output[i] = a[j] + 10")
    assert not shown.right and "cell:2:17: error: use of unknown declaration 'j'" in repr(shown)
    assert not shown.picture and "/tmp" not in repr(shown)
    whole = (MOJO / "p01" / "solution.mojo").read_text()
    shown = shell.run(f"%%puzzle p01 --no-picture\n{whole}".replace("= a[i] + 10", "= a[i] + ten"))
    line = whole[: whole.index("= a[i] + 10")].count("\n") + 1
    assert f"cell:{line}:24: error: use of unknown declaration 'ten'" in repr(shown)


@compiler
@pytest.mark.slow
def test_a_program_takes_arguments_and_ends_with_a_status(shell, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "beside.mojo").write_text("def twice(text: String) -> String:\n    return text + text\n")
    program = "from beside import twice\nfrom std.sys import argv, exit\n\n\ndef main():\n"
    program += "    print(twice(String(argv()[1])))\n    exit(3)"
    shown = shell.run(f"%%mojo_gpu --target nvidia -- 'a b'\n{program}")
    assert shown.output == "a ba b\n" and not shown.right and "status 3" in shown.lines[0]
    assert sorted(os.listdir()) == ["beside.mojo"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("%%puzzle p155\n", "error: unknown case 'p155': did you mean 'p15'?"),
        ("%%puzzle p26\n", "error: p26 has several modes: choose one of p26:pair-swap,"),
        ("%%puzzle\n", "error: %%puzzle: the following arguments are required: CASE"),
        ("%%puzzle p15 --tagret amd\n", "error: unknown flag '--tagret': did you mean '--target'?"),
        ("%%puzzle p15 p26\n", "error: %%puzzle: unexpected argument 'p26'"),
        ("%%puzzle 'p15\n", 'error: "\'p15" cannot be read: No closing quotation.'),
        ("%%puzzle p15 --target nvidia:sm_9\n", "error: unknown target 'nvidia:sm_9'"),
        ("%%puzzle p17\nx", "error: p17 is solved in two files: `puzzles start p17` makes a folder with both."),
        ("%%puzzle p09:first-case\nx", "error: p09:first-case has no single region to fill in: the cell must be its"),
        ("%%puzzle p01\na\x0cb", "error: the cell is no Mojo file: line 1 has a form feed (U+000C)"),
        ("%%puzzle p01\n\ud800", "error: the cell is no Mojo file: line 1 is no text in UTF-8"),
        ("%hint", "error: say for which puzzle: %hint p15."),
        ("%hint p155", "error: unknown case 'p155'"),
        ("%hint p26", "error: p26 has several modes"),
        ("%hint p15 --more", "error: unknown flag '--more'"),
        ("%%mojo_gpu\ndef f():\n    pass", "error: the cell has no `main`, where a program begins:"),
        ("%%mojo_gpu\n", "error: the cell has no `main`"),
        ("%%mojo_gpu\ndef main():\n    pass  # \ud800", "error: the cell is no Mojo file: line 2 is no text in UTF-8"),
        ("%%mojo_gpu --target cuda\ndef main():\n    pass", "error: unknown"),
        ("%%mojo_gpu x.mojo\ndef main():\n    pass", "error: %%mojo_gpu: unexpected argument 'x.mojo'"),
        ("%%mojo_gpu -- 'x\ndef main():\n    pass", 'error: "\'x" cannot be read: No closing quotation.'),
    ],
)
def test_what_cannot_be_done_is_one_sentence(shell, cell, said, tmp_path, monkeypatch):
    """Nothing is left behind, and no traceback is shown."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    shown = shell.run(cell)
    assert shown.lines[0].startswith(said) and len(shown.lines) == 1 and shown.right is False, shown
    assert not list(tmp_path.iterdir())


def test_hints_come_one_after_another_and_end(shell):
    first, second = shell.run("%hint p01"), shell.run("%hint")
    assert first.lines[0].startswith("1/") and second.lines[0].startswith("2/")
    while (shown := shell.run("%hint")).right is None:
        pass
    assert shown.lines == ["error: there are no more hints for p01."]


def test_help_is_printed_and_ends_nothing(shell, capsys):
    assert shell.run("%hint --help") is None
    assert capsys.readouterr().out.startswith("usage: %hint")


@compiler
@pytest.mark.slow
def test_a_cell_is_called_one_wherever_its_file_lies(shell, tmp_path, monkeypatch):
    """Also below the current folder, as where a notebook was started in the folder of temporary files."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "below"
    folder.mkdir()
    monkeypatch.setattr(notebook, "temporary_folder", lambda: nullcontext(folder))
    learners.write("a region left blank", folder / "cell.mojo")  # what the first cell's file is; compiled with others

    assert str(shell.run("%%puzzle p15 --no-picture\npass")) == "p15 is not filled in yet: the file around it:55:5"
    assert "cell:1:8: error" in str(shell.run("%%puzzle p15 --no-picture\nif i < :\n    pass"))
