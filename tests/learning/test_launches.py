"""Traces of a program's launches say what the simulator did, in the order of the launches."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from harness.cli.main import main
from harness.errors import UsageError
from harness.learning import launches, text
from harness.learning.launches import record_program
from harness.learning.page import render_page
from harness.learning.replay import DecodedTrace
from harness.learning.trace import Trace
from harness.learning.words import load_phrases
from harness.programs import Execution, execute
from tests.programs.together import CHOICE, PROGRAMS, execute_beside, together

SAY = load_phrases("en")
pytestmark = pytest.mark.slow


@cache
def traced(name: str, **how: Any) -> tuple[list[Trace], Execution]:
    """The traces of a program that is compiled with others: each takes ten seconds alone, with its variables' names."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CHOICE, name)
        return record_program(together(name, "nvidia"), target="nvidia", includes=[PROGRAMS], **how)


def command(name: str) -> list[str]:
    """The words that name the same program."""
    return [str(together(name, "nvidia")), "-I", str(PROGRAMS), "--target", "nvidia"]


def held(trace: Trace, name: str) -> list[str | None]:
    """What a buffer holds at the end, by the name that the source gives it."""
    *_, state = DecodedTrace(trace.data).states()
    (at,) = [at for at, buffer in enumerate(trace.data["buffers"]) if buffer["name"] == name]
    cells = state.cells[at]
    return [trace.data["texts"][cells[cell]] if cell in cells else None for cell in range(len(cells))]


def test_both_builds_agree_by_what_they_left_where_both_were_observed():
    made = traced("scan")[1].launches[0]

    assert launches._agree(made, made)
    assert not launches._agree(made, replace(made, results=made.results + 1))
    assert launches._agree(made, replace(made, results=0, findings=(), observed=False))
    assert not launches._agree(made, replace(made, grid=(3, 1, 1), observed=False))


def test_launches_come_in_order_with_their_arguments_by_name():
    traces, execution = traced("scan")

    assert [trace.data["kernel"] for trace in traces] == ["scan_block", "add_before"]
    assert [trace.data["program"]["launch"] for trace in traces] == [1, 2]
    assert [dict(trace.data["arguments"]) for trace in traces] == [
        {"output": "buffer 0", "a": "buffer 1"},
        {"output": "buffer 0"},
    ]
    assert [trace.data["program"]["place"].rpartition(":")[0] for trace in traces] == [
        *(f"{PROGRAMS}/scan.mojo:57", f"{PROGRAMS}/scan.mojo:63"),
    ]
    shown = [{buffer["name"]: buffer["shape"] for buffer in trace.data["buffers"]} for trace in traces]
    assert shown == [{"a": [15], "cache": [8], "output": [15]}, {"output": [15]}]
    assert execution.verdict == "PASS" and all(trace.data["agrees"] for trace in traces)


def test_a_place_is_told_from_the_programs_own_folder():
    execution = replace(execute_beside("kernel_race", "nvidia"), file=PROGRAMS / "kernel_race.mojo")
    head = launches._describe_launch(execution, 1, 1, execution.launches[0])

    assert head["program"]["place"].rpartition(":")[0] == "kernel_race.mojo:28"


def test_memory_goes_on_from_one_launch_to_the_next():
    first, second = traced("scan")[0]
    before = next(buffer for buffer in second.data["buffers"] if buffer["name"] == "output")["first"]

    assert [second.data["texts"][text] for text in before] == held(first, "output")
    assert held(second, "output") == [str(i * (i + 1) // 2) for i in range(15)]


def test_a_launch_has_its_own_findings_with_both_sides():
    (trace,), execution = traced("kernel_race")

    (race,) = [finding for finding in trace.data["findings"] if finding["severity"] == "error"]
    assert execution.exit_code == 1 and trace.data["verdict"] == "FINDING"
    assert race["id"] == "race.shared.write-read" and trace.data["program"]["bad"]
    assert trace.data["buffers"][race["buffer"]]["name"] == "cache"
    assert {side["line"] for side in race["sides"]} == {21, 22}
    assert all(side["step"] is not None and side["cell"] is not None for side in race["sides"])


def test_what_the_host_did_wrong_stands_beside_each_launch(monkeypatch):
    wrong = execute_beside("copy_too_short", "nvidia").findings

    def spoilt(*arguments, **how) -> Execution:
        execution = execute(*arguments, **how)
        return replace(execution, findings=(*execution.findings, *wrong))

    monkeypatch.setattr(launches, "execute", spoilt)
    traces, _ = traced.__wrapped__("scan")

    for trace in traces:
        (told,) = [finding for finding in trace.data["findings"] if finding["severity"] == "error"]
        assert (told["id"], told["sides"][0]["line"], told["sides"][0]["step"]) == ("copy-too-short", 12, None)
        assert not trace.data["program"]["bad"]


def test_of_many_launches_some_are_shown_and_that_is_told():
    traces, _ = traced("many_kernels")
    lines = list(text.format_trace(traces[0].data, SAY))

    assert [trace.data["program"]["launch"] for trace in traces] == list(range(1, launches.MOST + 1))
    assert "Shown of the program's 100 launches: 12. `--launch N` shows another one." in lines


def test_one_launch_can_be_asked_for():
    (trace,), _ = traced("many_kernels", launch=100)

    assert trace.data["program"]["launch"] == 100
    assert set(held(trace, "values")) == {"100"}
    with pytest.raises(UsageError, match="has no launch 101: it made 100"):
        traced("many_kernels", launch=101)


def test_launches_with_findings_come_before_others(monkeypatch):
    execution = execute_beside("many_kernels", "nvidia")
    finding = traced("kernel_race")[1].findings[0]
    bad = replace(execution.launches[70], findings=(finding,))
    spoilt = replace(execution, launches=(*execution.launches[:70], bad, *execution.launches[71:]))

    assert launches._choose_launches(spoilt, None) == {71, *range(1, launches.MOST)}


def test_a_program_without_launches_has_nothing_to_show():
    with pytest.raises(UsageError, match=r"together.mojo launched no kernel \(ended with status 3\)"):
        traced("status", arguments=("exit",))


def test_a_page_holds_each_launch_once_and_asks_for_nothing():
    html = render_page(traced("scan")[0], SAY)

    assert html.count('class="trace"') == 2 and "<title>together.mojo</title>" in html
    assert not re.search(r"""(src|href)=["']?https?:""", html)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.mojo"], "no program at nowhere.mojo."),
        (["p15", "--launch", "1"], "--launch is for programs: p15 is no file that ends in .mojo."),
        (["p15", "-D", "A=1"], "-D is for programs: p15 is no file that ends in .mojo."),
        (["p15", "--", "a"], "what follows -- goes to a program: p15 is no file that ends in .mojo."),
        ([str(PROGRAMS / "scan.mojo"), "--file", "x.mojo"], "--file is for cases: a program is its own file."),
        ([str(PROGRAMS / "scan.mojo"), "--launch", "0"], "--launch: must be a whole number above 0, but is '0'"),
    ],
)
def test_bad_usage_is_one_sentence(arguments: list[str], message: str, capsys):
    assert main(["show", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_the_command_writes_a_page_beside_where_it_is_run_and_ends_as_the_program(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    monkeypatch.setenv(CHOICE, "kernel_race")

    code = main(["show", *command("kernel_race")])

    out, err = capsys.readouterr()
    assert (code, out) == (1, "together.html\n") and (tmp_path / "together.html").is_file()
    assert "1 error, 0 warnings" in err


def test_the_trace_is_printed_launch_after_launch(monkeypatch, capsys):
    monkeypatch.setenv(CHOICE, "many_kernels")

    assert main(["trace", *command("many_kernels"), "--lane", "33", "--", "3"]) == 0

    out = capsys.readouterr().out
    heads = [line for line in out.splitlines() if line.startswith("together.mojo 3: Launch")]
    assert [re.findall(r"\d+ of 3", head) for head in heads] == [["1 of 3"], ["2 of 3"], ["3 of 3"]]
    assert out.count("block 1 thread 1") == 0 and out.count("values[33] = ") == 6
