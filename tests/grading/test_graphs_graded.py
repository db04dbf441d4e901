"""The Python of a puzzle is graded with its kernels, by the bytes of both; it runs where no verdict is made."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from harness.build import graph_stage, toolchain
from harness.build.cache import Cache
from harness.cases.python_graph import GraphVerdict
from harness.errors import EnvironmentFault
from harness.grading import calls, judge_stage
from harness.grading.judge import judge, unattempted
from harness.grading.result import assemble_grading, collect_jobs
from harness.grading.scheme import Scheme
from harness.grading.submissions import Submission, SubmittedFile, files_of
from harness.grading.work import Job, original_python, original_text, solution_python, solution_text
from harness.model.project import installed_version
from harness.model.verdict import Verdict
from harness.process import box as boxes
from harness.process.box import SandboxPool
from tests import learners
from tests.exploits.hosts import kept_in
from tests.grading.judges import SETTINGS, say

HOSTILE = sorted((Path(__file__).parent.parent / "exploits" / "python").glob("*.py"))
KERNELS, PYTHON = solution_text("p17"), solution_python("p17")


def handed_in(folder, **files):
    """What is found of files that are handed in, by their names with `_` for the dot."""
    for name, text in files.items():
        (folder / ".".join(name.rsplit("_", 1))).write_text(text)
    return files_of(folder, ["p15", "p17"])[0]


def test_both_files_of_a_puzzle_are_found(tmp_path):
    assert handed_in(tmp_path, p17_mojo="op", p17_py="graph") == {
        "p17": SubmittedFile("p17.mojo", "op", python="graph")
    }


def test_both_files_are_found_where_start_lays_them_out(tmp_path):
    (tmp_path / "p17").mkdir()

    assert handed_in(tmp_path / "p17", problem_mojo="op", problem_py="graph") == {}  # not in a folder p17 of theirs
    assert files_of(tmp_path, ["p17"])[0]["p17"].python == "graph"


def test_python_beside_kernels_that_need_none_is_nobodys(tmp_path):
    assert handed_in(tmp_path, p15_mojo="kernel", p15_py="own plots") == {"p15": SubmittedFile("p15.mojo", "kernel")}


@pytest.mark.parametrize(("kept", "missing"), [("p17_mojo", "p17.py"), ("p17_py", "p17.mojo")])
def test_which_file_is_missing_stands_in_the_results(tmp_path, kept, missing):
    files = handed_in(tmp_path, **{kept: "text"})
    submissions = [Submission("ann", files)]

    whole = assemble_grading(submissions, {}, Scheme(), SETTINGS, "", {})
    (mode,) = (graded.result for graded in whole.people[0].modes if graded.result.case == "p17")
    assert (mode.verdict, mode.reason) == (Verdict.NOT_ATTEMPTED, f"there is no {missing}")
    assert not collect_jobs(submissions)


def test_python_that_is_no_text_is_unreadable(tmp_path):
    (tmp_path / "p17.py").write_bytes(b"\xff")

    handed = handed_in(tmp_path, p17_mojo="op")["p17"]
    assert "p17.py is no Python file" in handed.lack


def test_a_verdict_belongs_to_the_bytes_of_all_files_of_the_puzzle_together():
    jobs = [Job("p17", "op", python=text) for text in ("one", "other")] + [Job("p17", "op"), Job("p17", "opone")]

    assert len({job.key for job in jobs}) == 4
    assert Job("p17", "op", "ann", "one").key == jobs[0].key


def test_files_are_alike_where_both_are():
    others = PYTHON.replace('"conv_1d_graph"', '"own"')
    texts = {"ann": PYTHON, "bob": f"# mine\n\n{PYTHON}", "cem": others}
    people = [
        Submission(name, {"p17": SubmittedFile("p17.mojo", KERNELS, python=text)}) for name, text in texts.items()
    ]
    results = {job.key: say(job) for job in collect_jobs(people).values()}

    (group,) = assemble_grading(people, results, Scheme(), SETTINGS, "", {}).alike
    assert (group.people, group.solution) == (("ann", "bob"), True)


@pytest.mark.parametrize(("kernels", "python", "untouched"), [(0, 0, True), (1, 0, False), (0, 1, False)])
def test_nothing_runs_only_where_neither_file_was_touched(kernels, python, untouched):
    texts = [original_text("p17"), KERNELS], [original_python("p17"), PYTHON]

    assert bool(unattempted(Job("p17", texts[0][kernels], python=texts[1][python]))) is untouched


def test_where_the_kernels_are_whole_nothing_runs_until_the_python_is_touched():
    job = Job("p20", solution_text("p20"), python=original_python("p20"))
    (mode,) = unattempted(job).modes
    assert (mode.verdict, mode.reason) == (Verdict.NOT_ATTEMPTED, "not filled in yet: p20.py:22")
    assert unattempted(replace(job, python=solution_python("p20"))) is None


def test_a_box_in_which_python_ran_is_used_once(monkeypatch, tmp_path):
    used = []
    monkeypatch.setattr(calls, "check_case_graph", lambda *given: used.append(given[-1]) or GraphVerdict(Verdict.PASS))

    with SandboxPool(boxes.choose_sandbox("limits")) as warm:
        calls.check_graphs(Job("p17", KERNELS, python=PYTHON), SETTINGS, warm, Cache(tmp_path))

    assert used == [warm.box]


SWAPPED = PYTHON.replace("input_value, kernel_value]", "kernel_value, input_value]")
needs_max = [
    pytest.mark.slow,
    pytest.mark.skipif(toolchain.find_mojo() is None or not installed_version("max"), reason="there is no MAX here"),
]


@pytest.fixture(scope="module")
def told_once():
    """What the calls of the kernels tell is the same whatever Python stands beside them: they are made once."""
    learners.solved_for_graders("p17")
    asked, told = calls.run_host_calls, []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            calls, "run_host_calls", lambda *given: told[0] if told else told.append(asked(*given)) or told[0]
        )
        yield


@pytest.fixture(scope="module")
def warm():
    """Boxes as a grading has them: those of Python are used once, those of the judge again."""
    with SandboxPool(boxes.choose_sandbox(boxes.choose_strongest().kind)) as warm:
        yield warm


def judged(python, warm, monkeypatch, seconds=4):
    limits = replace(graph_stage.LIMITS, cpu_seconds=seconds, memory_bytes=1 << 30)
    monkeypatch.setattr(graph_stage, "LIMITS", limits)
    settings = replace(SETTINGS, versions=toolchain.package_versions())
    return judge(Job("p17", KERNELS, python=python), settings, warm, Cache.default())


# The first ends as `ends_its_box` does; of the others `tests/build/test_graph_check.py` has the same in the same box.
ALIKE = {"ends_at_import", "gives_numpys_result", "patches_max", "starts_a_process", "takes_all_memory"}


def marked(path):
    more = [pytest.mark.full] * (path.stem in ALIKE) + [kept_in] * (path.stem == "ends_its_box")
    return pytest.param(path, marks=[*needs_max, *more], id=path.stem)


@pytest.mark.parametrize("path", [marked(path) for path in HOSTILE])
def test_hostile_python_gets_the_verdict_that_it_must(path, told_once, warm, monkeypatch):
    wanted = dict(re.findall(r"^(verdict|reason): (.*)$", path.read_text(), re.MULTILINE))

    result = judged(path.read_text(), warm, monkeypatch, seconds=1 if path.stem == "never_ends" else 4)

    (mode,) = result.modes
    assert mode.verdict in wanted["verdict"].split() and wanted["reason"] in " ".join(mode.lines), mode
    assert result.graded and "".join(mode.lines).isprintable() and str(Path.home()) not in "".join(mode.lines)


@pytest.mark.parametrize(
    ("python", "verdict"),
    [
        pytest.param(PYTHON, "PASS", marks=needs_max, id="right"),
        pytest.param(
            SWAPPED,
            "FINDING",
            marks=needs_max,
            id="wrong",
        ),
        pytest.param(original_python("p17"), "NOT_ATTEMPTED", marks=needs_max, id="untouched"),
    ],
)
def test_kernels_that_are_right_pass_with_a_graph_that_is(python, verdict, told_once, warm, monkeypatch):
    (mode,) = judged(python, warm, monkeypatch).modes

    assert mode.verdict == verdict, mode


def test_python_that_blames_the_machine_is_held_against_our_own(monkeypatch, tmp_path):
    """Or somebody could keep a class from its end."""
    monkeypatch.setattr("harness.grading.judge.compile_alone", lambda *_: None)
    monkeypatch.setattr(judge_stage.STAGE.__class__, "ask", lambda *_, **__: pytest.fail("nobody judges"))

    def blaming(job, *_):
        raise EnvironmentFault("there is no MAX here.")

    monkeypatch.setattr(calls, "check_graphs", blaming)
    result = judge(Job("p17", KERNELS, python="import os"), SETTINGS, boxes.choose_sandbox("limits"), Cache(tmp_path))
    assert {mode.verdict for mode in result.modes} == {Verdict.NOT_GRADED}  # our own ends so too
