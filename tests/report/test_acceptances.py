"""Ten programs, three accepted findings: what is new fails, what is accepted is counted, what is gone is named."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from harness import pytest_plugin
from harness.cli.main import main
from harness.model.sources import ROOT
from harness.model.target import Target
from harness.programs import Execution
from harness.simt.findings import Finding, SourceLocation

pytest_plugins = ["pytester"]

TEXT = '''"""A program."""


def kernel{number}():
    cache[i] = {number}
    output[i] = cache[i + 1]


def main():
    pass
'''
RACE = "race.shared.write-read"
VALUES = {"total": 4, "first": 0}
HAZARD = "    cache[i] = {number}  # races"


def find(file, *, arguments=(), target=None, backend="auto", **_):
    """A run in which each line with `races` is a finding, and each kernel without an output is one without a place."""
    lines = Path(file).read_text().splitlines()
    named = {"first": "store", "second": "load", "between": "warps", "level": "block"}
    sites = [
        SourceLocation(str(Path(file).resolve()), at, 5, "store")
        for at, text in enumerate(lines, 1)
        if "# races" in text
    ]
    findings = [Finding(RACE, "error", "k", (site,), argument="cache", values=named) for site in sites]
    if "    output[i] = cache[i + 1]" not in lines:
        (name,) = re.findall(r"def (kernel\d+)", "\n".join(lines))
        findings.append(Finding("never-written.bytes", "error", name, argument="output", values=VALUES))
    status = 3 if "# stops" in lines else 0
    ran = {"target": Target.parse(str(target or "nvidia")), "backend": "simulator", "status": status}
    return Execution(file=Path(file), arguments=tuple(arguments), findings=tuple(findings), **ran)


def find_planned(plan, _):
    return find(plan.file, arguments=plan.arguments, target=plan.launches.target, options=plan.options)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Ten programs, the current folder's, three of which have a finding."""
    monkeypatch.chdir(tmp_path)
    for module in ("harness.programs.many", "harness.cli.programs"):
        monkeypatch.setattr(f"{module}.execute_plan", find_planned)
    (tmp_path / "kernels").mkdir()
    for number in range(10):
        (tmp_path / "kernels" / f"k{number}.mojo").write_text(TEXT.format(number=number))
    for number in (1, 2):
        spoil(tmp_path, number)
    edit(tmp_path, 3, "    output[i] = cache[i + 1]\n", "")
    return tmp_path


def edit(folder, number, old, new):
    file = folder / "kernels" / f"k{number}.mojo"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new))


def spoil(folder, number):
    edit(folder, number, f"    cache[i] = {number}", HAZARD.format(number=number))


def accept(folder, target=""):
    """By comments: behind its line, above its line, above its kernel."""
    race, unwritten = f"# puzzles: accept {RACE}{target}", f"# puzzles: accept never-written.bytes{target}"
    edit(folder, 1, "# races", f"# races {race}: all write the same")
    edit(folder, 2, "    cache", f"    {race}: a benign one\n    # of which more here\n    cache")
    edit(folder, 3, "def kernel3", f"{unwritten}: the host reads none of it\ndef kernel3")


def execute(*words):
    return main(["exec", "kernels", "--target", "nvidia", *words])


def accept_by_baseline(folder, capfd):
    assert execute("--sarif", "baseline.sarif") == 1
    capfd.readouterr()
    return ["--baseline", "baseline.sarif"]


@pytest.fixture(params=["comments", "baseline"])
def accepted(request, repository, capfd):
    """The flags with which the three are accepted."""
    if request.param == "baseline":
        return accept_by_baseline(repository, capfd)
    accept(repository)
    return []


def test_what_nobody_accepts_fails(repository, capfd):
    assert execute() == 1
    assert capfd.readouterr().err.count("1 error, 0 warnings\n") == 3


@pytest.mark.slow
def test_what_is_accepted_is_counted_and_fails_nothing(accepted, repository, capfd):
    assert execute(*accepted) == 0

    out, err = capfd.readouterr()
    assert err.count("0 errors, 0 warnings, 1 accepted") == 3 and "accepted: 3 findings\n" in err
    assert "no longer" not in err and "FINDING" not in out and out.count("PASS") == 10


def test_a_fourth_finding_fails_and_is_named(accepted, repository, capfd):
    spoil(repository, 4)

    assert execute(*accepted) == 1

    out, err = capfd.readouterr()
    assert "k4.mojo:5:5" in err and "accepted: 3 findings\n" in err and "k1.mojo:5" not in err
    assert out.count("FINDING") == 1 and out.count("PASS") == 9


def test_an_acceptance_of_what_was_mended_is_named(accepted, repository, capfd):
    """And fails nothing."""
    edit(repository, 1, "# races", "#")

    assert execute(*accepted) == 0

    err = capfd.readouterr().err
    (line,) = (line for line in err.splitlines() if "no longer" in line)
    assert line.startswith(f"accepted no longer: kernels/k1.mojo:5: {RACE} is ") and "accepted: 2 findings\n" in err


def test_a_finding_is_accepted_while_only_other_lines_change(accepted, repository, capfd):
    edit(repository, 1, '"""A program."""', '"""A program."""\n\n# that is longer')

    assert execute(*accepted) == 0


def test_of_two_alike_a_baseline_accepts_as_many_as_it_has(repository, capfd):
    flags = accept_by_baseline(repository, capfd)
    edit(repository, 1, "    output", f"{HAZARD.format(number=1)}\n    output")

    assert execute(*flags) == 1
    assert "1 error, 0 warnings, 1 accepted" in capfd.readouterr().err


def test_of_two_alike_a_comment_accepts_one_and_a_baseline_the_other(repository, capfd):
    edit(repository, 1, "    output", f"{HAZARD.format(number=1)}\n    output")
    edit(repository, 1, "def kernel1():\n", f"def kernel1():\n    # puzzles: accept {RACE}: a benign one\n")
    flags = accept_by_baseline(repository, capfd)

    assert execute(*flags) == 0
    err = capfd.readouterr().err
    assert "0 errors, 0 warnings, 2 accepted" in err and "no longer" not in err


def test_of_two_alike_one_that_is_gone_is_named_as_that(repository, capfd):
    """Whatever a run with other arguments finds of them."""
    edit(repository, 1, "    output", f"{HAZARD.format(number=1)}\n    output")
    flags = accept_by_baseline(repository, capfd)
    edit(repository, 1, f"{HAZARD.format(number=1)}\n    output", "    output")

    assert execute(*flags) == 0
    (line,) = (line for line in capfd.readouterr().err.splitlines() if "no longer" in line)
    assert line.endswith(f"k1.mojo:6: {RACE} is 2 times in baseline.sarif, and was found less often: write it again.")


@pytest.mark.slow
def test_a_baseline_is_of_its_target_and_of_the_programs_that_ran(repository, capfd):
    """What did not run, or not whole, is not missed; a program that is gone is."""
    flags = accept_by_baseline(repository, capfd)
    assert main(["exec", "kernels", "--target", "amd", *flags]) == 1
    assert "accepted" not in capfd.readouterr().err
    assert main(["exec", "kernels/k1.mojo", "--target", "nvidia", *flags]) == 0
    assert "no longer" not in capfd.readouterr().err
    edit(repository, 2, HAZARD.format(number=2), "# stops")
    (repository / "kernels" / "k3.mojo").unlink()
    assert execute(*flags) == 1
    (line,) = (line for line in capfd.readouterr().err.splitlines() if "no longer" in line)
    assert line.startswith("accepted no longer: kernels/k3.mojo is in the baseline, and is not there")


@pytest.mark.parametrize(("vendors", "code"), [(" on nvidia", 0), (" on amd nvidia", 0), (" on amd apple", 1)])
def test_a_comment_may_be_for_some_targets(vendors, code, repository, capfd):
    """For others it accepts nothing, and is not missed."""
    accept(repository, vendors)

    assert execute() == code
    assert "no longer" not in capfd.readouterr().err


def test_reports_know_what_is_accepted(accepted, repository, capfd):
    """SARIF as suppressed, with the reason, and no baseline takes what a comment accepts."""
    assert execute(*accepted, "--sarif", "next.sarif", "--json", "report.json") == 0

    results = json.loads(Path("next.sarif").read_text())["runs"][0]["results"]
    kinds = {suppression["kind"] for result in results for suppression in result["suppressions"]}
    assert len(results) == 3 and kinds == {"external" if accepted else "inSource"}
    told = [row for program in json.loads(Path("report.json").read_text())["programs"] for row in program["accepted"]]
    assert sorted(row["id"] for row in told) == ["never-written.bytes", RACE, RACE]
    assert all(bool(row["reason"]) != bool(accepted) for row in told)
    for number in (1, 2, 3):
        file = repository / "kernels" / f"k{number}.mojo"
        file.write_text(TEXT.format(number=number))
    capfd.readouterr()
    assert execute("--baseline", "next.sarif") == 0
    assert capfd.readouterr().err.count("no longer") == (3 if accepted else 0)


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        (f"accept {RACE}", "an acceptance is written `# puzzles: accept ID: REASON`"),
        (f"accept {RACE}:", "an acceptance is written"),
        ("accept", "an acceptance is written"),
        ("accept all: of them", "unknown finding 'all'"),
        ("accept race.shared.write-rad: typed", f"did you mean '{RACE}'"),
        (f"accept {RACE} on nvida: typed", "did you mean 'nvidia'"),
        (f"accept {RACE} on: nobody", "an acceptance is written"),
    ],
)
def test_a_comment_that_accepts_nothing_is_refused_before_anything_runs(comment, message, repository, capfd):
    edit(repository, 5, "cache[i] = 5", f"cache[i] = 5  # puzzles: {comment}")

    assert execute("--json", "report.json") == 2

    out, err = capfd.readouterr()
    assert out == "" and err.startswith("error: kernels/k5.mojo:5: ") and message in err and err.count("\n") == 1
    assert not Path("report.json").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot read the baseline in baseline.sarif: No such file or directory."),
        ("", "baseline.sarif is no baseline: `puzzles exec ... --sarif baseline.sarif` writes one."),
        ("[]", "is no baseline"),
        ("\xff", "is no baseline"),
        ('{"runs": [{"results": [{"level": "error", "ruleId": "another-tool"}]}]}', "is no baseline"),
        ('{"runs": 1}', "is no baseline"),
    ],
)
def test_what_is_no_baseline_is_refused_in_a_sentence(text, message, repository, capfd):
    if text is not None:
        Path("baseline.sarif").write_text(text, encoding="latin-1")

    assert execute("--baseline", "baseline.sarif") == 2

    out, err = capfd.readouterr()
    assert out == "" and err.startswith("error: ") and message in err and err.count("\n") == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_folder_and_a_pipe_are_no_baselines(repository, capfd):
    """Nobody waits for a pipe's writer."""
    os.mkfifo("pipe.sarif")
    for name in ("pipe.sarif", "kernels"):
        assert execute("--baseline", name) == 2
        assert f"{name} is no baseline" in capfd.readouterr().err


@pytest.fixture
def run_tests(monkeypatch, pytester):
    """Runs pytest on the repository, in this process."""
    monkeypatch.setattr(pytest_plugin, "execute", find)

    def run(*flags):
        plugins = ("-p", "harness.pytest_plugin", "-p", "no:cacheprovider")
        return pytester.runpytest_inprocess(*plugins, *flags, "--mojo", "kernels")

    return run


@pytest.mark.slow
def test_the_same_holds_in_pytest(accepted, repository, run_tests, monkeypatch):
    monkeypatch.chdir(repository)
    flags = [flag.replace("--", "--mojo-") for flag in accepted]
    done = run_tests(*flags)
    done.assert_outcomes(passed=10)
    assert done.outlines.count("accepted: 3 findings") == 1 and "no longer" not in done.stdout.str()

    spoil(repository, 4)
    done = run_tests(*flags)
    done.assert_outcomes(passed=9, failed=1)
    assert "k4.mojo:5:5" in done.stdout.str() and "accepted: 3 findings" in done.outlines

    edit(repository, 1, "# races", "#")
    done = run_tests(*flags)
    done.assert_outcomes(passed=9, failed=1)
    (line,) = (line for line in done.outlines if "no longer" in line)
    assert line.startswith(f"accepted no longer: kernels/k1.mojo:5: {RACE} is ")
    assert "accepted: 2 findings" in done.outlines


@pytest.mark.slow
def test_a_test_of_ones_own_may_run_what_is_accepted(repository, run_tests, monkeypatch):
    """By the fixture; what is not accepted fails it."""
    accept(repository)
    spoil(repository, 4)
    (repository / "test_mine.py").write_text(
        "def test_accepted(mojo):\n    assert not mojo('kernels/k1.mojo').findings\n\n"
        "def test_not_accepted(mojo):\n    mojo('kernels/k4.mojo')\n"
    )
    monkeypatch.chdir(repository)

    done = run_tests("test_mine.py")

    done.assert_outcomes(passed=10, failed=2)
    assert "accepted: 4 findings" in done.outlines


def test_what_is_no_baseline_is_a_sentence_of_pytest_s_too(repository, run_tests, monkeypatch):
    monkeypatch.chdir(repository)
    done = run_tests("--mojo-baseline", "nowhere.sarif")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["ERROR: cannot read the baseline in nowhere.sarif: No such file or directory."])


@pytest.mark.slow
@pytest.mark.parametrize("target", ["nvidia", "amd", "apple"])
def test_the_workflow_of_the_document_is_green_once_its_baselines_are_written(target, repository):
    """As it stands there; before that, and with a fourth finding, it is red."""
    document = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    write = re.search(r"do puzzles (exec .*?); done", document)[1].replace("$target", target).split()
    run = re.search(r"puzzles (exec kernels/ --target \$\{\{.*?)\n +- if", document, re.DOTALL)[1]
    run = run.replace("${{ matrix.target }}", target).split()
    Path("findings").mkdir()

    assert main(write) == 1
    assert main(run) == 0
    spoil(repository, 4)
    assert main(run) == 1 and len(json.loads(Path("found.sarif").read_text())["runs"][0]["results"]) == 4
