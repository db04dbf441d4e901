"""What repeats the catalogue is made from it; nothing that somebody wrote is lost."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace

import pytest

from harness.build import toolchain
from harness.catalogue import CASES, PUZZLES, find_case
from harness.model.frames import blank_regions, extract_frame
from harness.model.handout import Blank
from harness.model.sources import MOJO, ROOT, Sources
from harness.model.steps import Kernel
from tests import compiled
from tests.generate import figures, lessons, library, modes, problems, repeated, stored_ir, stored_traces
from tests.generate import files as generate
from tests.generate.__main__ import main
from tests.generate.files import Generated, GenerateError
from tests.pairs import is_newest

FILES = (
    "pyproject.toml",
    "pixi.toml",
    "docs/commands.md",
    "docs/learning.md",
    "docs/learning.ko.md",
    "docs/targets.md",
    "docs/supported.md",
    "docs/wrong-kernels.md",
    "docs/programs-inside.md",
    "docs/puzzles.md",
)
needs_mojo = pytest.mark.skipif(library.folder() is None, reason="Mojo is not installed")
FRAME = "def kernel():\n    # FILL ME IN: one line\n{}    # END OF FILL ME IN\n"
SOLUTION = FRAME.format("    output = a + 10\n")
PROBLEM = FRAME.format("    pass\n")


@pytest.fixture
def repository(tmp_path):
    """A folder with the files in which a part is generated."""
    for name in FILES:
        copy = tmp_path / name
        copy.parent.mkdir(exist_ok=True)
        copy.write_text((ROOT / name).read_text())
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "hazards").symlink_to(ROOT / "tests" / "hazards")
    return tmp_path


@pytest.mark.skipif(not is_newest(), reason="what is stored is made by the newest pair of MAX and Mojo alone")
def test_nothing_is_stale():
    """Otherwise `nox -s generate` writes it."""
    assert main(["--check"]) == 0


# In each round one change of a file at most: all is made anew for each.
ROUNDS = (
    (
        ("pyproject.toml", "python -m harness p15", "python -m harness p26"),
        ("pixi.toml", 'max = ">=', 'max = "=='),
        ("docs/wrong-kernels.md", "| all | ", "| all | 1"),
        ("docs/supported.md", "`atomicrmw`, ", ""),
        ("docs/puzzles.md", "(1, 4) x (8, 1)", "(1, 5) x (8, 1)"),
        ("docs/learning.md", ": axis sum", ": sum of an axis"),
        ("docs/learning.ko.md", "축 방향 합", "행의 합"),
        ("docs/commands.md", "| `nox -s tests` | Run ", "| `nox -s tests` | Skip "),
    ),
    (
        ("pixi.toml", "Puzzle 15", "Puzzle 51"),
        ("docs/puzzles.md", "1. asynchronous", "1. synchronous"),
        ("docs/commands.md", "| `--poll` | look", "| `--pole` | look"),
    ),
    (("docs/commands.md", "| 2 | usage |", "| 3 | usage |"),),
)
OF_MOJO = ("docs/supported.md", "- Apple: ", "- Apple: 1")


@pytest.mark.slow
@pytest.mark.parametrize("changes", [*ROUNDS, pytest.param((OF_MOJO,), marks=needs_mojo)], ids=len)
def test_a_changed_repetition_is_stale(repository, changes):
    """And written again as it was; what stands around it is kept."""
    before = {name: (repository / name).read_text() for name, *_ in changes}
    for name, old, new in changes:
        assert old in before[name]
        (repository / name).write_text(before[name].replace(old, new, 1) + "# mine\n")
    stale = [file for file in repeated.generated(repository) if file.stale]

    assert {file.path for file in stale} == {repository / name for name in before} and len(stale) == len(before)
    for file in stale:
        file.write()
    assert {name: (repository / name).read_text() for name in before} == {
        name: f"{text}# mine\n" for name, text in before.items()
    }


def test_a_file_without_its_markers_is_refused(repository):
    path = repository / "pixi.toml"
    path.write_text(path.read_text().replace("# generated: end tasks\n", ""))
    with pytest.raises(GenerateError, match=r"pixi\.toml needs the lines .*begin tasks` and .*end tasks`"):
        list(repeated.generated(repository))


def test_a_requirement_that_pixi_would_read_otherwise_is_refused():
    with pytest.raises(GenerateError, match="'x\\[extra\\]>=1' is more than a name"):
        repeated.pixi_dependencies('[project]\ndependencies = ["x[extra]>=1"]\n[dependency-groups]\ntests = []\n')


def test_the_table_writes_w_for_the_width_of_a_warp(monkeypatch):
    """Where a number follows it; other numbers of 32 and 64 stay numbers."""
    entry = find_case("p26:pair-swap")

    def shown(block, grid=1):
        blocks = grid if grid == 1 else lambda width: grid // width
        monkeypatch.setattr(modes, "CASES", [replace(entry, steps=(Kernel("k", grid=blocks, block=block),))])
        return modes.modes_table().splitlines()[2].split(" | ")[4]

    assert shown(lambda width: width) == "(1, 1) x (W, 1)"
    assert shown(lambda _: 32) == "(1, 1) x (32, 1)"
    assert shown(lambda width: 4 * width) == "(1, 1) x (4W, 1)"
    assert shown(lambda width: width, grid=320) == "(10 or 5, 1) x (W, 1)"


@pytest.mark.slow
def test_every_case_has_a_row_and_every_puzzle_a_task():
    table, tasks = modes.modes_table(), repeated.poe_tasks()

    assert [line.split("`")[1] for line in table.splitlines()[2:]] == [entry.id for entry in CASES]
    assert [line.split()[0] for line in tasks.splitlines()] == [*PUZZLES, "puzzles", "tests"]


@pytest.mark.slow
def test_what_hardware_lacks_is_said_in_six_sentences_at_most():
    """Of all targets and modes; every row that is not for all of a vendor's GPUs names one of them."""
    rows = [line for line in modes.modes_table().splitlines() if re.search(r"\| (no|from \w+) \(\d\)", line)]

    assert len(modes.reasons()) <= 6 and all(f". {reason}\n" in modes.reasons_list() for reason in modes.reasons())
    assert [row.split("`")[1] for row in rows] == [entry.id for entry in CASES if entry.needs]


@pytest.mark.slow
def test_a_mode_that_the_simulator_runs_at_a_small_size_has_both():
    small = {line.split("`")[1] for line in modes.modes_table().splitlines()[2:] if not line.endswith("|  |")}
    assert small == {entry.id for entry in CASES if entry.small}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "task"), [("p13:simple", "about 20 lines"), ("p09:third-case", "a mistake to fix")])
def test_what_is_to_be_done_is_said_of_each_function(name, task):
    (row,) = (line for line in modes.modes_table().splitlines() if line.startswith(f"| `{name}` |"))
    assert f"| `{find_case(name).kernel_names}`: {task} |" in row


@pytest.fixture
def pair(tmp_path):
    """A solution, and the path of its problem."""
    solution, problem = tmp_path / "solution.mojo", tmp_path / "problem.mojo"
    solution.write_text(SOLUTION)
    return solution, problem


def written(pair, *, check=False, force=False):
    """Checks or writes one problem; returns the exit code and what the file then holds."""
    solution, problem = pair
    files = problems.generated({solution: problem})
    code = generate.check(files) if check else generate.write(files, force=force)
    return code, problem.read_text() if problem.is_file() else None


def test_a_problem_is_its_solution_without_the_lines_to_fill_in(pair):
    """A missing one is made, a pristine one follows its solution."""
    assert written(pair, check=True) == (1, None)
    assert written(pair) == (0, PROBLEM)
    assert written(pair, check=True) == (0, PROBLEM)
    pair[0].write_text(SOLUTION.replace("kernel", "renamed"))
    assert written(pair, check=True) == (1, PROBLEM)
    assert written(pair) == (0, PROBLEM.replace("kernel", "renamed"))


@pytest.mark.parametrize(
    "mine",
    [SOLUTION, FRAME.format("    output = 1\n"), "def kernel():\n    output = a + 10\n"],
    ids=["solved", "wrong", "markers-removed"],
)
def test_a_problem_that_somebody_filled_in_is_never_overwritten(pair, capsys, mine):
    """It is named, with the flag that blanks it."""
    solution, problem = pair
    problem.write_text(mine)
    solution.write_text(SOLUTION.replace("kernel", "renamed"))

    assert written(pair) == (1, mine)
    said = capsys.readouterr().err
    assert f"{problem} is stale and was left as it is" in said and "`nox -s generate -- --force`" in said
    assert written(pair, force=True) == (0, PROBLEM.replace("kernel", "renamed"))


def test_what_a_learner_filled_in_is_not_stale(pair):
    """Frames are compared, not regions."""
    mine = FRAME.format("    output = 1\n")
    pair[1].write_text(mine)

    assert written(pair, check=True) == (0, mine)
    assert written(pair, force=True) == (0, mine)


def test_a_stale_file_is_named_with_the_command_that_mends_it(pair, capsys):
    written(pair, check=True)
    said = capsys.readouterr()

    assert said.out == f"stale: {pair[1]}\n"
    assert "run `nox -s generate` and commit what it writes" in said.err


def test_a_solution_that_leaves_nothing_to_fill_in_is_refused(pair):
    pair[0].write_text("def kernel():\n    pass\n")
    with pytest.raises(GenerateError, match=r"has nothing between `# FILL ME IN.* but is handed out blank"):
        written(pair)


@pytest.fixture
def stored(tmp_path):
    """A repository's folder of stored code, as it is here."""
    shutil.copytree(ROOT / stored_ir.FOLDER, tmp_path / stored_ir.FOLDER)
    return tmp_path


def stale(root):
    return [file.path.name for file in stored_ir.generated(root, compile_stale=False) if file.stale]


@pytest.mark.slow
def test_stored_code_is_stale_without_compiling(stored, monkeypatch):
    """When its text, its kernel or the compiler's version is another one; what no case has is left over."""
    monkeypatch.setattr(stored_ir, "compile_ahead", None)
    monkeypatch.setattr(stored_ir, "build_device_code", None)
    folder = stored / stored_ir.FOLDER
    assert stale(stored) == []
    path = folder / "p15.sm_90.ll"
    path.write_text(path.read_text().replace("fadd", "fsub"))
    (folder / "p26_pair_swap.gfx942.ll").write_text("")  # how a further one is asked for
    (folder / "p14.sm_90.ll").write_text("")
    assert stale(stored) == ["p15.sm_90.ll", "p26_pair_swap.gfx942.ll", "p14.sm_90.ll"]
    monkeypatch.setattr(stored_ir, "package_versions", lambda: {"max": "1", "mojo": "1"})
    assert len(stale(stored)) == len(list(folder.glob("*.ll")))


@pytest.mark.slow
def test_a_changed_solution_makes_its_stored_code_stale(stored, tmp_path, monkeypatch):
    copy = tmp_path / "mojo"
    shutil.copytree(MOJO, copy)
    monkeypatch.setattr("harness.model.sources.MOJO", copy)
    monkeypatch.setattr("harness.model.sources.ROOT", tmp_path)
    assert stale(stored) == []
    with (copy / "p34" / "solution.mojo").open("a") as file:
        file.write("# changed\n")
    assert stale(stored) == ["p34_reduction.sm_90.ll"]


@pytest.mark.full
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")
def test_the_compiler_still_writes_what_is_stored(stored, monkeypatch):
    """Flags and passes are in no digest: everything is compiled once more."""
    monkeypatch.setenv("HARNESS_CACHE", str(stored / "cache"))

    def lines():
        paths = (stored / stored_ir.FOLDER).glob("*.ll")
        return {path.name: compiled.settled(path.read_text().split("\n", 3)[3]) for path in paths}

    before = lines()
    for name in before:
        (stored / stored_ir.FOLDER / name).write_text("")
    generate.write(stored_ir.generated(stored, compile_stale=True))
    assert lines() == before


def test_what_must_not_be_there_is_removed(tmp_path):
    path = tmp_path / "left_over"
    path.write_text("")
    left = Generated(path, None)

    assert left.stale
    left.write()
    assert not path.exists() and not left.stale


@pytest.mark.parametrize("puzzle", dict.fromkeys(case.puzzle for case in CASES if case.handout == Blank()))
def test_each_puzzle_leaves_something_to_fill_in(puzzle):
    """In functions of its own, kernels or the host's; and the pristine problem leaves it out."""
    entries = [entry for entry in CASES if entry.puzzle == puzzle]
    solution = Sources("solutions").kernel_file(entries[0]).read_text()
    parts = re.split(r"^(?:def|struct) (?=\w)", solution, flags=re.MULTILINE)[1:]
    left = {re.match(r"\w+", part)[0] for part in parts if "# FILL ME IN: " in part}

    assert left and left <= {name for entry in entries for name in entry.functions}
    assert blank_regions(solution) != solution
    assert extract_frame(blank_regions(solution)) == extract_frame(solution)


@pytest.mark.slow
@needs_mojo
def test_the_library_list_says_what_is_known_and_what_is_missing():
    """Names as the packages have them, beginnings among them."""
    names = library.names(library.folder())

    assert {"llvm.amdgcn.mfma.f32.16x16x16f16", "llvm.nvvm.read.ptx.sreg.tid.", "llvm.air.wg.barrier"} <= set(names)
    assert all(map(library.known, ("llvm.amdgcn.mfma.f32.16x16x16f16", "llvm.nvvm.read.ptx.sreg.tid.")))
    assert not library.known("llvm.amdgcn.mfma.scale.f8f6f4")
    assert not library.known("tcgen05.wait::ld.sync.aligned;")
    assert "1 of 2 known; missing: `llvm.amdgcn.odd`" in library.table(["llvm.amdgcn.s.barrier", "llvm.amdgcn.odd"])
    assert "- AMD: 1 of 1 known\n" in library.table(["llvm.amdgcn.s.barrier"])


def test_a_package_of_another_kind_is_told(tmp_path):
    for name in library.PACKAGES:
        (tmp_path / f"{name}.mojoc").write_bytes(b"MPKG plain")

    with pytest.raises(GenerateError, match="look at it anew"):
        library.names(tmp_path)


def test_stale_traces_are_compiled_together(monkeypatch, repository):
    """One program for the verdicts and one for the names of variables, whatever the number of cases."""
    asked = []
    monkeypatch.setattr(
        stored_traces, "compile_ahead", lambda cases, builds: asked.append((len(cases), builds[0].debug))
    )
    monkeypatch.setattr(stored_traces, "traced", lambda *_: {"trace": {}})
    shown = figures.wanted(lessons.texts())
    made = list(stored_traces.generated(repository, shown, compile_stale=True))

    assert len(made) > 3 and asked == [(len(made), False), (len(made), True)]


def _stage(name, count, error=""):
    """A stage that makes some files, or fails after them."""

    def make():
        for number in range(count):
            yield Generated(ROOT / f"{name}{number}", name)
        if error:
            raise GenerateError(error)

    return make


@pytest.mark.slow
def test_files_come_in_the_order_of_the_stages_whatever_makes_them():
    stages = [_stage("a", 3), _stage("b", 0), _stage("c", 2), _stage("d", 1)]
    alone, several = (list(generate.side_by_side(stages, jobs)) for jobs in (1, 3))
    assert alone == several
    assert [file.path.name for file in alone] == ["a0", "a1", "a2", "c0", "c1", "d0"]


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_stage_that_fails_is_an_error_in_a_process_of_its_own_too(jobs):
    made = []
    with pytest.raises(GenerateError, match="no compiler"):
        for file in generate.side_by_side([_stage("a", 1), _stage("b", 0, "no compiler"), _stage("c", 1)], jobs):
            made.append(file.path.name)
    assert made == ["a0"]
