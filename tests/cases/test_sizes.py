"""A case whose documented size the simulator does not take: it runs at a small one, and says so."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from harness.build import toolchain
from harness.build.generate import size_checks
from harness.build.host_text import generate_host_program
from harness.build.redefined import choose_stand_ins, redefine
from harness.build.unit import Build, make_units
from harness.cases import pipeline
from harness.catalogue import find_case
from harness.model import codec
from harness.model.case import HostStep
from harness.model.launch_plan import LaunchPlan
from harness.model.report import CaseReport, RunReport
from harness.model.sizes import OtherSize
from harness.model.sources import Sources, display_path
from harness.model.target import Target
from harness.report import console, json_report, junit
from tests.cases.sized import BLOCK, DOCUMENTED, MADE, SMALL, TEXT, WRONG, twice
from tests.learners import write

SIMULATOR = pipeline.plan("nvidia:sm_90", "simulator")
needs_mojo = pytest.mark.skipif(toolchain.find_mojo() is None, reason="there is no `mojo` here")


def run(file: Path, plan: LaunchPlan = SIMULATOR) -> RunReport:
    return pipeline.run([twice(file)], plan=plan, sources=Sources())


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A right file and a wrong one: compiled at the small size, the first at the documented one too."""
    folder = tmp_path_factory.mktemp("sizes")
    right, wrong = folder / "twice.mojo", folder / "wrong" / "twice.mojo"
    wrong.parent.mkdir()
    write("twice", right)
    write("twice, one element further", wrong)
    return right, wrong


@pytest.fixture(scope="module")
def ran(files) -> RunReport:
    """The case in the simulator."""
    MADE.clear()
    return run(files[0])


@needs_mojo
@pytest.mark.slow
def test_the_simulator_takes_the_small_size_and_every_report_names_both(ran, tmp_path, capsys):
    (report,) = ran.cases
    assert report.verdict == "PASS", report.reason
    assert report.resized == OtherSize("SIZE", SMALL, DOCUMENTED) and report.launches[0].grid == (SMALL // BLOCK, 1, 1)
    assert set(MADE) == {SMALL}  # of the documented size nothing was ever made

    console.print_run(ran)
    assert f"twice: in the simulator with SIZE = {SMALL}; documented is {DOCUMENTED}" in capsys.readouterr().out
    held = json.loads(json_report.text(json_report.run(ran)))["cases"][0]["resized"]
    assert held == {"constant": "SIZE", "value": SMALL, "documented": DOCUMENTED}
    junit.write(tmp_path / "junit.xml", ran)
    (suite,) = ElementTree.parse(tmp_path / "junit.xml").getroot()
    told = {each.get("name"): each.get("value") for each in suite.iter("property")}
    assert told == {"SIZE": str(SMALL), "documented SIZE": str(DOCUMENTED)} and suite.get("tests") == "1"
    assert codec.decode(CaseReport, codec.encode(report)) == report


@needs_mojo
@pytest.mark.slow
def test_the_documented_size_is_insisted_upon(files):
    (report,) = run(files[0], replace(SIMULATOR, documented_size=True)).cases
    assert report.verdict == "PASS" and report.resized is None
    assert report.launches[0].grid == (DOCUMENTED // BLOCK, 1, 1)


@needs_mojo
@pytest.mark.slow
@pytest.mark.parametrize("documented_size", [False, pytest.param(True, marks=pytest.mark.full)])
def test_a_finding_names_the_files_own_place_at_both_sizes(files, documented_size):
    (report,) = run(files[1], replace(SIMULATOR, documented_size=documented_size)).cases
    lines = WRONG.split("\n")
    number = next(number for number, line in enumerate(lines, 1) if "a[Int(i) + 1]" in line)
    place = display_path(files[1]), number, lines[number - 1].index("a[Int") + 2, "twice"

    assert report.verdict == "FINDING"
    assert {(site.file, site.line, site.column, site.function) for site in report.findings[0].sites} == {place}


@needs_mojo
@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(  # asserted of what a learner is told by `tests/learning/test_mistakes.py`
            TEXT.replace("4 * 64", "4 * 65"), "twice.mojo:6:1: error: SIZE must be 256", marks=pytest.mark.full
        ),
        (TEXT.replace("4 * 64", "4 * size"), "twice.mojo:6:21: error: use of unknown declaration 'size'"),
        pytest.param(
            TEXT.replace("comptime SIZE", "comptime ALL").replace("SIZE", "256"),
            "a line `comptime SIZE = 256`",
            marks=pytest.mark.full,
        ),
    ],
)
def test_what_does_not_compile_is_said_of_the_files_own_lines(tmp_path, text, said):
    file = tmp_path / "twice.mojo"
    file.write_text(text)
    (report,) = run(file).cases
    assert report.verdict == "COMPILE_ERROR" and said in str(report.findings[0].values), report.findings


def test_no_line_and_no_column_moves():
    small = redefine(TEXT, {"SIZE": SMALL})
    assert choose_stand_ins(TEXT, ["SIZE"]) == {"SIZE": "___a"} and small.endswith("\ncomptime SIZE = 64\n")
    assert small.replace("comptime ___a", "comptime SIZE").startswith(TEXT)
    assert redefine("comptime N: Int = 1", {"N": 2}) == "comptime a: Int = 1\ncomptime N = 2\n"


def test_constants_of_one_length_are_kept_under_different_names():
    """And what the file computes from one follows it; what is no number is Mojo."""
    text = redefine("comptime SIZE = 9\ncomptime CONV = 3\ncomptime GRID = (SIZE, 1)", {"SIZE": 18, "GRID": "(6, 1)"})

    assert text.split("\n") == [
        *("comptime ___a = 9", "comptime CONV = 3", "comptime ___b = (SIZE, 1)"),
        *("comptime SIZE = 18", "comptime GRID = (6, 1)", ""),
    ]


@pytest.mark.parametrize(
    "text", ["", "comptime SIZES = 1", "# comptime SIZE = 1", " comptime SIZE = 1", "comptime SIZE"]
)
def test_a_file_that_does_not_state_the_size_stays_as_it_is(text):
    assert redefine(text, {"SIZE": SMALL}) == text and choose_stand_ins(text, ["SIZE"]) == {}


def test_a_size_that_a_host_function_is_called_with_stands_in_no_file():
    entry = find_case("p21")
    (unit, *_) = make_units([entry.simulated], Build(target=SIMULATOR.target), kind=HostStep)
    assert unit.host.parameters[2] == str(entry.simulated.resized.value) != str(entry.simulated.resized.documented)
    assert [text for _, text in size_checks(unit)] == [
        f"{name} must be {value}" for name, value in unit.constants.items()
    ]


def test_on_a_gpu_the_documented_size_runs():
    entry = twice(Path("twice.mojo"))
    target = Target.parse("nvidia:sm_90")
    assert (
        LaunchPlan(target, "max", "", "").case_to_run(entry) is entry
        and LaunchPlan(target, "cpu", "", "").case_to_run(entry) is entry
    )
    small = SIMULATOR.case_to_run(entry)
    assert small is entry.small and SIMULATOR.case_to_run(small) is small and small.id == entry.id


def test_a_small_size_is_of_the_same_case():
    entry = twice(Path("twice.mojo"))
    with pytest.raises(ValueError, match="another one at its small size"):
        replace(entry, small=find_case("p02"))


def test_a_host_function_is_called_at_the_small_size(tmp_path):
    """Of the module that states it, with buffers of its elements; what the file itself states is asserted."""
    file = tmp_path / "twice.mojo"
    file.write_text(TEXT)
    small = replace(twice(file).simulated, steps=(HostStep("double", "output a", ("file.SIZE",)),))
    text = generate_host_program(make_units([small], Build(target=Target.parse("nvidia:sm_90")), kind=HostStep))

    module = small.module
    assert f"{module}.double[{module}.SIZE](" in text
    assert text.count(f"ctx, 0, {SMALL})") == text.count(f"ctx, 1, {SMALL})") == 1
    assert f"{module}.___a == {DOCUMENTED}" in text and f"{module}.BLOCKS == 2" in text
