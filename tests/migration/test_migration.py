"""Programs of an older Mojo: what is replaced, what is listed, and that both forms print the same."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from harness.build.migration import table
from harness.build.migration.changes import scan
from harness.build.migration.edits import Scan, apply
from harness.build.unit import Build, make_units
from harness.catalogue import find_case
from harness.cli.main import main
from harness.errors import CompileError
from harness.model import spelling
from harness.model.language import set_language
from harness.model.sources import MOJO, Sources
from harness.model.target import Target
from harness.programs import execute, migration
from harness.programs.compile import _facts
from harness.programs.sources import compute_digests
from tests.migration.programs import NOT_CERTAIN, PROGRAMS, new, old

TARGET = "nvidia:sm_90"


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setattr(spelling, "_reported", set())
    yield
    spelling.set_as_is(as_is=False)


def _replaced(text):
    """What the compiler gets."""
    return apply(text, [change for change in scan(text).changes if change.keeps_columns], pad=True)


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_certain_is_written_as_a_person_would(name):
    text = PROGRAMS[name]
    assert old(text) != new(text)
    assert apply(old(text), scan(old(text)).changes) == new(text)
    assert scan(new(text)).changes == ()


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_compiler_gets_text_whose_columns_stay(name):
    before, after = old(PROGRAMS[name]), _replaced(old(PROGRAMS[name]))
    assert [len(line) for line in before.split("\n")] == [len(line) for line in after.split("\n")]


@pytest.mark.parametrize("name", NOT_CERTAIN)
def test_what_is_not_certain_is_listed_and_stays(name):
    text, word = NOT_CERTAIN[name]
    found = scan(text)
    assert not found.changes and [remark.rule.old for remark in found.remarks] == [word]
    assert not found.remarks[0].rule.is_certain or name == "taken"


def test_there_are_fifty_programs_and_twelve_that_stay():
    assert len(PROGRAMS) >= 50 and len(NOT_CERTAIN) >= 12


def test_a_module_of_ones_own_stays():
    assert not scan("from utils import thing\nimport math\n", lambda name: name in ("utils", "math")).changes


@pytest.mark.parametrize("imported", ["", " ()", " ,"])
def test_an_import_without_names_stays(imported):
    assert scan(f"from algorithm import{imported}\nprint(1)\n") == Scan()


@pytest.mark.parametrize("modules", ["{}, sys", "sys, {}", "sys, {}.other as o"])
def test_a_module_of_ones_own_stays_among_others(modules):
    text = f"import {modules.format('algorithm')}\n"
    after = apply(text, scan(text, lambda name: name == "algorithm").changes)

    assert after == text.replace("sys", "std.sys as sys")


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("struct A:", "struct A(TrivialRegisterPassable):"),
        ("struct A():", "struct A(TrivialRegisterPassable):"),
        ("struct A(Copyable):", "struct A(Copyable, TrivialRegisterPassable):"),
        ("struct A(Copyable,):", "struct A(Copyable, TrivialRegisterPassable):"),
        ("struct A(\n    Copyable,\n):", "struct A(\n    Copyable, TrivialRegisterPassable\n):"),
        ("struct A[n: Int]():", "struct A[n: Int](TrivialRegisterPassable):"),
    ],
)
def test_a_trivial_struct_gets_the_trait(header, wanted):
    text = f'@register_passable("trivial")\n{header}\n    pass\n'
    assert apply(text, scan(text).changes) == f"{wanted}\n    pass\n"


@pytest.mark.parametrize("header", ["struct A", "struct A(Copyable)", "struct A(Copyable:", "struct :"])
def test_a_header_that_is_not_whole_stays(header):
    found = scan(f'@register_passable("trivial")\n{header}\n    pass\n')
    assert not found.changes and [remark.rule.old for remark in found.remarks] == ["@register_passable"]


def test_strings_and_comments_stay():
    text = '"""from std.gpu import fn alias"""\n# from std.gpu import x\nvar s = t"std.gpu {x}"\nvar r = \'alias fn\'\n'
    assert not scan(text + "alias X = 1\n").changes[1:]


def test_names_that_a_file_declares_stay():
    assert not scan("struct InlineArray:\n    pass\n\n\ndef f(x: InlineArray):\n    pass\n").changes


def _together(folder, texts):
    """A program that runs several others one after another, each a module of its own."""
    lines = [f"from own_{name} import main as main_{name}" for name in texts]
    calls = [f"    main_{name}()" for name in texts]
    for name, text in texts.items():
        (folder / f"own_{name}.mojo").write_text(text, encoding="utf-8")
    program = folder / "together.mojo"
    program.write_text("\n".join([*lines, "", "", "def main() raises:", *calls, ""]), encoding="utf-8")
    return program


@pytest.mark.slow
def test_old_programs_print_what_new_ones_print(tmp_path, capsys):
    """All new forms are compiled by one program, and by another one the old forms that run as they are."""
    as_they_are = [name for name, text in PROGRAMS.items() if _replaced(old(text)).split() == new(text).split()]
    assert len(as_they_are) >= 20
    modern, older = tmp_path / "new", tmp_path / "old"
    modern.mkdir()
    older.mkdir()

    expected = execute(_together(modern, {name: new(text) for name, text in PROGRAMS.items()}), target=TARGET)
    assert expected.status == 0 and not expected.findings, expected.errors
    printed = {line.split()[0]: line for line in expected.output.decode().splitlines()}
    assert list(printed) == list(PROGRAMS)
    assert "older Mojo" not in capsys.readouterr().err

    ran = execute(_together(older, {name: old(PROGRAMS[name]) for name in as_they_are}), target=TARGET)
    assert ran.output.decode().splitlines() == [printed[name] for name in as_they_are]
    notes = capsys.readouterr().err.splitlines()
    assert len(notes) == len(as_they_are) and all("older Mojo" in note for note in notes)


@pytest.mark.slow
def test_findings_stand_in_the_users_file(tmp_path):
    program = tmp_path / "late.mojo"
    text = old(PROGRAMS["id_0"]).replace("data[i] =", "data[i + 1] =")
    program.write_text(text, encoding="utf-8")
    ran = execute(program, target=TARGET)
    (place,) = {site.file for finding in ran.findings for site in finding.sites}
    assert place == str(program)
    assert text.splitlines()[ran.findings[0].sites[0].line - 1].strip().startswith("data[i + 1]")


def test_the_key_of_the_cache_follows(tmp_path):
    program = tmp_path / "a.mojo"
    program.write_text(old(PROGRAMS["id_0"]), encoding="utf-8")
    target = Target.parse(TARGET)
    replaced = _facts(program, target, {}, [], None)
    spelling.set_as_is(as_is=True)
    assert "replaced" not in _facts(program, target, {}, [], None) and "replaced" in replaced
    assert compute_digests(program, []) == replaced["sources"]


def test_a_learners_file_is_compiled_with_what_moved(tmp_path, capsys):
    file = tmp_path / "mine.mojo"
    text = (MOJO / "p01" / "solution.mojo").read_text(encoding="utf-8")
    file.write_text(text.replace("max.gpu", "std.gpu"), encoding="utf-8")
    build = Build(target=Target.parse(TARGET), sources=Sources(overrides={"p01": file}))
    (unit,) = make_units([find_case("p01")], build)
    (place,) = unit.stage(tmp_path / "staged") if not (tmp_path / "staged").mkdir() else ()
    assert Path(place).read_text(encoding="utf-8") == text
    (note,) = capsys.readouterr().err.splitlines()
    assert note.startswith(f"note: {file} is written for an older Mojo and compiled with std.gpu → max.gpu: ")

    key = unit.make_key("device code", build, "", ())
    spelling.set_as_is(as_is=True)
    assert unit.make_key("device code", build, "", ()) != key
    (tmp_path / "as_is").mkdir()
    (place,) = unit.stage(tmp_path / "as_is")
    assert Path(place).read_text(encoding="utf-8") == file.read_text(encoding="utf-8")


def test_a_note_is_in_korean_too(capsys):
    set_language("ko")
    try:
        spelling.print_note("a.mojo", ["std.gpu → max.gpu"])
    finally:
        set_language(None)
    assert capsys.readouterr().err.startswith("참고: a.mojo는 옛 Mojo로 쓰여 있어 std.gpu → max.gpu로")


@pytest.mark.slow
def test_migrate_writes_a_folder(tmp_path, capsys):
    for name, text in PROGRAMS.items():
        (tmp_path / f"{name}.mojo").write_text(old(text), encoding="utf-8")
    (tmp_path / "alias.mojo").chmod(0o640)
    assert main(["migrate", str(tmp_path), "--no-compile"]) == 0
    assert (tmp_path / "alias.mojo").read_text(encoding="utf-8") == old(PROGRAMS["alias"])
    assert "+comptime N = 9" in capsys.readouterr().out
    assert main(["migrate", str(tmp_path), "--no-compile", "--write"]) == 0
    for name, text in PROGRAMS.items():
        assert (tmp_path / f"{name}.mojo").read_text(encoding="utf-8") == new(text)
    assert stat.S_IMODE((tmp_path / "alias.mojo").stat().st_mode) == 0o640
    assert {path.suffix for path in tmp_path.iterdir()} == {".mojo"}


def test_migrate_keeps_line_ends(tmp_path):
    program = tmp_path / "a.mojo"
    program.write_bytes(b"from gpu import thread_idx, DeviceContext\r\nalias X = 1\r\n")
    assert main(["migrate", str(program), "--no-compile", "--write"]) == 0
    assert program.read_bytes() == (
        b"from max.gpu import thread_idx\r\nfrom max.gpu.host import DeviceContext\r\ncomptime X = 1\r\n"
    )


def test_migrate_lists_what_is_left(tmp_path, capsys):
    program = tmp_path / "a.mojo"
    program.write_text("from std.gpu import thread_idx\nfrom buffer import NDBuffer\n", encoding="utf-8")
    assert main(["migrate", str(program), "--no-compile", "--write"]) == 1
    assert f"{program}:2: NDBuffer is gone: write `TileTensor`" in capsys.readouterr().out
    assert main(["migrate", str(program), "--no-compile", "--language", "ko"]) == 1
    assert "없어졌습니다" in capsys.readouterr().out


@pytest.mark.slow
def test_migrate_writes_what_the_compiler_asks_for(tmp_path, capsys):
    program = tmp_path / "a.mojo"
    program.write_text(
        "def f() -> Int:\n    n = 3\n    return n\n\n\ndef g(x: Int):\n    if x > 1:\n        raise Error('x')\n\n\n"
        "fn main():\n    g(f())\n",
        encoding="utf-8",
    )
    assert main(["migrate", str(program), "--write", "--target", TARGET]) == 0
    assert program.read_text(encoding="utf-8") == (
        "def f() -> Int:\n    var n = 3\n    return n\n\n\ndef g(x: Int) raises:\n    if x > 1:\n"
        "        raise Error('x')\n\n\ndef main() raises:\n    g(f())\n"
    )
    assert "compiles." in capsys.readouterr().out


@pytest.mark.parametrize(("names", "compiles"), [(12, True), (13, False)])
def test_what_is_said_last_is_said_of_the_text_as_it_stays(names, compiles, tmp_path, monkeypatch):
    """A compiler that shows one name at a time shows twelve; then it is asked once more."""
    file = tmp_path / "names.mojo"
    file.write_text("def main():\n" + "".join(f"    n{number} = 1\n" for number in range(names)))

    def first_error(file, *_):
        for number, line in enumerate(file.new.splitlines(), 1):
            if line.startswith("    n"):
                return CompileError("no", f"{file.path}:{number}:5: error: implicit declaration of 'n{number - 2}'")
        return None

    monkeypatch.setattr(migration, "_compile_error", first_error)
    (migrated,) = migration.migrate([file], target=Target.parse(TARGET))

    assert (migrated.new.count("    var n"), migrated.compiles) == (12, compiles)
    assert migrated.diagnostics == ("" if compiles else f"{file}:14:5: error: implicit declaration of 'n12'")


BAD = {
    "nothing.mojo": ("no file or folder at", None),
    "text.txt": ("is no Mojo file: name files", b"x"),
    "latin.mojo": ("is no text in UTF-8", b"# \xe9\n"),
    "mark.mojo": ("byte order mark", b"\xef\xbb\xbfalias X = 1\n"),
    "null.mojo": ("null character", b"alias X = 1\0\n"),
    "large.mojo": ("more than 256 KiB", b"#" * (257 << 10)),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_sentence(name, tmp_path, capsys):
    sentence, data = BAD[name]
    good = tmp_path / "good.mojo"
    good.write_text("alias X = 1\n")
    if data is not None:
        (tmp_path / name).write_bytes(data)
    before = sorted(path.name for path in tmp_path.iterdir())
    assert main(["migrate", str(good), str(tmp_path / name), "--write", "--no-compile"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert sentence in line
    assert good.read_text() == "alias X = 1\n" and sorted(path.name for path in tmp_path.iterdir()) == before


def test_folders_without_mojo_and_loops_are_refused(tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    assert main(["migrate", str(tmp_path / "empty")]) == 2
    os.symlink(tmp_path, tmp_path / "empty" / "loop")
    assert main(["migrate", str(tmp_path / "empty")]) == 2
    assert capsys.readouterr().err.count("no Mojo file in") == 2
    os.symlink("self.mojo", tmp_path / "self.mojo")
    assert main(["migrate", str(tmp_path / "self.mojo")]) == 2
    assert "leads to itself" in capsys.readouterr().err


def test_each_certain_row_has_a_program():
    """A rule that no program shows could be wrong and nobody would see it."""
    texts = "\n".join(old(text) for text in PROGRAMS.values())
    rules = [*table.NAMES, *table.ATTRIBUTES, *table.PATHS, *table.KEYWORDS, *table.ARGUMENTS]
    missing = [rule.old for rule in rules if rule.old.partition(" ")[0] not in texts]
    assert missing == ["ImmutableAnyOrigin", "__origin_of", "compile_function_checked", "compile_function_experimental"]
