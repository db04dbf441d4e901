"""`--fail-on`: from which severity on findings fail a run, in every command that judges by findings."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from harness import pytest_plugin
from harness.cases.call import CallResult
from harness.cli import programs
from harness.cli import simulate as command
from harness.cli.main import main
from harness.cli.parser import parse_command_line
from harness.errors import UsageError
from harness.model.target import Target
from harness.programs import Execution, Options, many, op
from harness.simt.findings import SEVERITIES, Finding, SourceLocation, failing
from harness.simt.ir.parse import decode
from tests.gallery.entries import FOLDER
from tests.gallery.running import CHOICE, together

pytest_plugins = ["pytester"]

IDS = {"error": "race.shared.write-read", "warning": "race.shared.write-write", "information": "redundant-barrier.one"}
VALUES = {"first": "store", "second": "load", "between": "warps", "level": "block", "left": 1, "total": 2}
EN = "Fails because of 1 finding of severity `{0}` or worse: `fail-on` is `{0}`."
KO = "`fail-on`이 `{0}`이고, 심각도가 그 이상인 진단이 1건 있어 실패로 판정합니다."
KERNELS = """
define ptx_kernel void @in_place(ptr addrspace(1) %o) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %next = add i32 %i, 1
  %from = getelementptr i32, ptr addrspace(1) %o, i32 %next
  %value = load i32, ptr addrspace(1) %from
  %to = getelementptr i32, ptr addrspace(1) %o, i32 %i
  store i32 %value, ptr addrspace(1) %to
  ret void
}
define ptx_kernel void @every(ptr addrspace(1) %o) {
  store i32 1, ptr addrspace(1) %o
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


def fails(severity: str, fail_on: str) -> bool:
    return SEVERITIES.index(severity) <= SEVERITIES.index(fail_on)


def found(severity: str, place: str = "k.mojo") -> Finding:
    return Finding(
        IDS[severity], severity, "k", (SourceLocation(place, 1, 1, "store"),), argument="cache", values=VALUES
    )


def find(file, *, arguments=(), target=None, options=None, **_):
    """A run in which a program has a finding of the severity that it is called after."""
    ran = {"target": Target.parse(str(target or "nvidia")), "backend": "simulator", "status": 0}
    finding = found(Path(file).stem, str(Path(file).resolve()))
    own = {"fail_on": (options or Options()).fail_on}
    return Execution(file=Path(file), arguments=tuple(arguments), findings=(finding,), **ran, **own)


def find_planned(plan, _):
    return find(plan.file, arguments=plan.arguments, target=plan.launches.target, options=plan.options)


@pytest.fixture
def repository(pytester, monkeypatch):
    """Three programs, the current folder's, with a finding of each severity."""
    for module in (many, programs):
        monkeypatch.setattr(module, "execute_plan", find_planned)
    monkeypatch.setattr(pytest_plugin, "execute", find)
    monkeypatch.setattr(pytest_plugin, "call", lambda file, _, **how: CallResult(execution=find(file, **how)))
    for severity in SEVERITIES:
        (pytester.path / f"{severity}.mojo").write_text("def main():\n    pass\n")
    return pytester


def test_what_fails_is_of_a_severity_or_worse():
    every = [found(severity) for severity in SEVERITIES]

    assert [len(failing(every, fail_on)) for fail_on in SEVERITIES] == [1, 2, 3]


@pytest.mark.parametrize("severity", SEVERITIES)
@pytest.mark.parametrize("fail_on", [None, *SEVERITIES])
def test_exec_fails_from_the_severity_on_and_says_why(severity, fail_on, repository, capfd):
    flags = ["--fail-on", fail_on] if fail_on else []
    wrong = fails(severity, fail_on or "error")

    assert main(["exec", f"{severity}.mojo", "--json", "r.json", "--junit", "r.xml", *flags]) == int(wrong)

    err = capfd.readouterr().err
    by_option = wrong and severity != "error"
    assert (EN.format(fail_on) in err) == by_option and err.count("`fail-on`") == int(by_option)
    (program,) = json.loads(Path("r.json").read_text())["programs"]
    assert program["verdict"] == ("FINDING" if wrong else "PASS") and program["fail_on"] == (fail_on or "error")
    assert bool(program["reason"]) == wrong
    failures = list(ElementTree.parse("r.xml").getroot().iter("failure"))
    assert len(failures) == int(wrong) and all(IDS[severity] in failure.text for failure in failures)
    assert (IDS[severity] in err) == (severity != "information" or wrong), "what fails is shown"


def test_of_several_programs_each_is_judged_by_it(repository, capfd):
    assert main(["exec", ".", "--fail-on", "warning", "--json", "r.json"]) == 1

    verdicts = {Path(one["file"]).stem: one["verdict"] for one in json.loads(Path("r.json").read_text())["programs"]}
    assert verdicts == {"error": "FINDING", "warning": "FINDING", "information": "PASS"}
    assert capfd.readouterr().err.count(EN.format("warning")) == 1


def test_it_is_said_in_korean_too(repository, capfd):
    assert main(["exec", "warning.mojo", "--fail-on", "warning", "--language", "ko"]) == 1
    assert KO.format("warning") in capfd.readouterr().err


def test_lines_for_editors_have_what_fails(repository, capfd):
    for flags, there in (([], False), (["--fail-on", "information"], True)):
        assert main(["exec", "information.mojo", "--format", "lines", *flags]) == int(there)
        err = capfd.readouterr().err
        assert (f": note: {IDS['information']}: " in err) == (EN.format("information") in err) == there


@pytest.mark.parametrize("severity", ["warning", "information"])
def test_a_baseline_accepts_what_would_fail(severity, repository, capfd):
    strict = ["exec", f"{severity}.mojo", "--fail-on", severity]
    assert main([*strict, "--sarif", "baseline.sarif"]) == 1
    assert main([*strict, "--baseline", "baseline.sarif"]) == 0
    assert "accepted: 1 finding\n" in capfd.readouterr().err
    assert main(["exec", f"{severity}.mojo", "--baseline", "baseline.sarif"]) == 0
    told = capfd.readouterr().err
    assert "no longer" not in told, "information that fails nothing needs nobody who accepts it"
    assert ("accepted: 1 finding\n" in told) == (severity == "warning")


def test_a_comment_accepts_information_that_would_fail(repository, capfd):
    comment = f"# puzzles: accept {IDS['information']}: on purpose"
    (repository.path / "information.mojo").write_text(f"def main():  {comment}\n    pass\n")
    assert main(["exec", "information.mojo", "--fail-on", "information"]) == 0
    assert "accepted: 1 finding\n" in capfd.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(("flags", "code"), [([], 0), (["--fail-on", "warning"], 1)], ids=["default", "warning"])
def test_the_race_within_a_warp_ends_a_run_as_asked_for(flags, code, capfd, monkeypatch):
    monkeypatch.setenv(CHOICE, "in_place")  # compiled with the others of the gallery
    words = [str(together("nvidia")), "-I", str(FOLDER), "--target", "nvidia", "--backend", "simulator"]

    assert main(["exec", *words, *flags]) == code

    out, err = capfd.readouterr()
    assert out == "2 2\n" and "0 errors, 1 warning" in err and (EN.format("warning") in err) == bool(code)


@pytest.mark.parametrize(("kernel", "severity"), [("in_place", "warning"), ("every", "information")])
@pytest.mark.parametrize("fail_on", [None, *SEVERITIES])
def test_simulate_fails_from_the_severity_on(kernel, severity, fail_on, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "decode_foreign", decode)
    monkeypatch.chdir(tmp_path)
    Path("kernels.ll").write_text(KERNELS)
    flags = ["--fail-on", fail_on] if fail_on else []
    launch = ["--kernel", kernel, "--grid", "1", "--block", "8", "--arg", "o=zeros:i32:9", "--json", "r.json"]
    wrong = fails(severity, fail_on or "warning")

    assert main(["simulate", "kernels.ll", "--target", "nvidia:sm_90", *launch, *flags]) == int(wrong)

    assert (EN.format(fail_on) in capsys.readouterr().out) == (wrong and severity == "information")
    assert json.loads(Path("r.json").read_text())["verdict"] == ("findings" if wrong else "clean")


@pytest.mark.parametrize("name", ["check", "watch"])
def test_the_learners_commands_take_it(name):
    assert parse_command_line([name, "--fail-on", "information"]).fail_on == "information"
    assert parse_command_line([name]).fail_on == "warning"


@pytest.mark.slow
@pytest.mark.parametrize("how", ["option", "ini"])
def test_pytest_fails_from_the_severity_on(how, repository):
    repository.makeini("[pytest]\n" + ("mojo_fail_on = warning\n" if how == "ini" else ""))
    repository.makepyfile(
        test_mine="""
        from harness.programs import Options

        def test_fixture(mojo):
            mojo("warning.mojo")

        def test_function(mojo_call):
            mojo_call("warning.mojo", "function")

        def test_a_test_may_ask_for_more(mojo, mojo_call):
            assert not mojo_call("information.mojo", "function", check=False, options=Options(fail_on="information")).ok
            mojo("information.mojo", options=Options(fail_on="information"))
        """
    )
    # Without pytest's short summary: where the variable `CI` is set, it repeats each failure in full.
    plugins = ("-p", "harness.pytest_plugin", "-p", "no:cacheprovider", "-rN")

    def run(*flags):
        return repository.runpytest_inprocess(*plugins, *flags, "test_mine.py", "--mojo", ".")

    asked = run(*(["--mojo-fail-on", "warning"] if how == "option" else []))
    asked.assert_outcomes(passed=1, failed=5)
    assert asked.stdout.str().count(EN.format("warning")) == 3, "the program, and the tests with the fixtures"
    overridden = run("--mojo-fail-on", "error")
    overridden.assert_outcomes(passed=4, failed=2)


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("warnin", "unknown severity 'warnin': did you mean 'warning'?"),
        ("errors", "unknown severity 'errors': did you mean 'error'?"),
        ("note", "unknown severity 'note': known: error, warning, information."),
        ("", "unknown severity '': known: error, warning, information."),
        ("WARNING", "unknown severity 'WARNING': did you mean 'warning'?"),
    ],
)
@pytest.mark.parametrize("words", [["exec", "warning.mojo"], ["check"], ["simulate", "k.ll"], ["op", "lib", "name"]])
def test_a_wrong_word_is_one_sentence(words, word, told, repository, capfd):
    before = sorted(repository.path.rglob("*"))

    assert main([*words, "--fail-on", word]) == 2

    out, err = capfd.readouterr()
    assert (out, err) == ("", f"error: {told}\n") and sorted(repository.path.rglob("*")) == before


def test_a_wrong_word_is_a_sentence_in_pytest_and_in_python_too(repository):
    done = repository.runpytest_inprocess("-p", "harness.pytest_plugin", "--mojo-fail-on", "warnin", "--mojo", ".")

    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["ERROR: unknown severity 'warnin': did you mean 'warning'?"])
    with pytest.raises(UsageError, match="did you mean 'warning'"):
        Options(fail_on="warnin")
    library = Path(__file__).parents[1] / "programs" / "ops"
    inputs = [np.ones((4, 4), np.float32)] * 2
    with pytest.raises(UsageError, match="did you mean 'warning'"):
        op(library, "matmul", inputs, [((4, 4), "float32")], parameters={"defect": 0}, fail_on="warnin")
