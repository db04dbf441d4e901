"""SARIF: valid by the published schema, each finding at its line, and known again when other lines move."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from harness.cli.main import main
from harness.model import sources
from harness.model.report import DatasetReport
from harness.report import sarif
from harness.report.findings import make_renderer
from harness.report.told import make_compile_finding
from harness.simt.findings import Finding, SourceLocation, Who
from harness.simt.render import Renderer
from tests.report.reports import PASSED, report

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
ROOT = Path("/folder of kernels").resolve()
LINES = ["def k():", "    cache[i] = a[i]", "    b[i] = cache[j]", "\tc[i] = \x1b[31m"]
WRITE = SourceLocation("mojo/a b.mojo", 2, 5, "store float %1, ptr %2", function="k")
READ = SourceLocation(str(ROOT / "mojo" / "a b.mojo"), 3, 12, "load float, ptr %2")
WHO = (Who((0, 0, 0), (1, 0, 0), 0, 1), Who((0, 0, 0), (40, 0, 0), 1, 8))
RACE = Finding(
    "race.shared.write-read",
    "error",
    "k",
    (WRITE, READ),
    WHO,
    argument="cache",
    values={"first": "store", "second": "load", "between": "warps", "level": "block"},
    count=7,
)


def written(*findings, lines=LINES, facts=None):
    """The run of a valid document."""
    show = Renderer(lambda file: lines if file.endswith("a b.mojo") else ())
    log = sarif.document([sarif.ReportedFinding(finding, facts or {}) for finding in findings], show, root=ROOT)
    jsonschema.Draft4Validator(SCHEMA).validate(json.loads(json.dumps(log)))
    (run,) = log["runs"]
    return run


def test_the_schema_refuses_what_is_no_log():
    """Otherwise the other tests could not fail."""
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft4Validator(SCHEMA).validate({"version": "2.1.0", "runs": [{"tool": {}}]})


def test_what_has_no_line_is_shown_at_its_file():
    """Code without debug records: code scanning drops a result without a place."""
    finding = Finding("race.shared.write-read", "error", "k", (), WHO, argument="cache", values=RACE.values)
    log = sarif.document([sarif.ReportedFinding(finding, {}, str(ROOT / "k.ll"))], Renderer(lambda file: ()), root=ROOT)
    jsonschema.Draft4Validator(SCHEMA).validate(json.loads(json.dumps(log)))
    (result,) = log["runs"][0]["results"]

    assert result["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "k.ll", "uriBaseId": "%SRCROOT%"}}}
    ]


def test_both_sides_of_a_race_have_their_place():
    """The first is the result's own, relative to the root, with its line; the other one is related."""
    (result,) = written(RACE)["results"]
    (first,), (other,) = result["locations"], result["relatedLocations"]

    assert first["physicalLocation"] == {
        "artifactLocation": {"uri": "mojo/a%20b.mojo", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 2, "startColumn": 5, "snippet": {"text": "    cache[i] = a[i]"}},
    }
    assert first["logicalLocations"] == [{"name": "k", "kind": "function"}]
    assert other["physicalLocation"]["artifactLocation"]["uri"] == "mojo/a%20b.mojo"
    assert other["physicalLocation"]["region"]["startLine"] == 3
    assert (result["level"], result["occurrenceCount"]) == ("error", 7)
    assert "nothing orders a write of cache" in result["message"]["text"]


def test_a_column_counts_characters_as_the_log_says():
    """Compilers count bytes: a Korean letter is three of them."""
    place = SourceLocation("mojo/a b.mojo", 1, 14, "store float %1, ptr %2")
    run = written(Finding("livelock", "error", "k", (place,)), lines=['s = "합"; b[i] = 1'])
    (location,) = run["results"][0]["locations"]

    assert run["columnKind"] == "unicodeCodePoints"
    assert location["physicalLocation"]["region"]["startColumn"] == 12


def test_each_message_is_a_rule_once():
    """With its help, and its parameters as names."""
    same = Finding("several-writers", "information", values={"between": "lanes"}, argument="o")
    run = written(RACE, RACE, Finding("livelock", "error", "k"), same)
    rules = run["tool"]["driver"]["rules"]

    assert [rule["id"] for rule in rules] == ["race.shared.write-read", "livelock", "several-writers"]
    assert [result["ruleIndex"] for result in run["results"]] == [0, 0, 1, 2]
    assert [result["level"] for result in run["results"]][2:] == ["error", "note"]
    assert rules[0]["fullDescription"]["text"].startswith("nothing orders a write of <argument> in shared memory")
    assert all(rule["help"]["text"] for rule in rules)


def test_a_rule_says_something_in_general():
    """A remedy or a text that is a parameter alone has nothing to say before there is a finding."""
    compiler = make_compile_finding("k.mojo", "k.mojo:1:1: error: no such name")
    log = sarif.document(map(sarif.ReportedFinding, (RACE, compiler)), make_renderer())
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    texts = [rule[part]["text"] for rule in rules for part in ("shortDescription", "fullDescription", "help")]

    assert not [text for text in texts if re.fullmatch(r"<\w+>", text)]
    assert rules[0]["help"]["text"].startswith("nothing orders a write")
    assert rules[1]["help"]["text"] == "Does not compile"


def test_a_finding_is_known_again_when_lines_move():
    """And another one at the same line is not taken for it."""

    def print_of(finding, lines=LINES):
        (result,) = written(finding, lines=lines)["results"]
        return result["partialFingerprints"]["finding/v1"]

    moved = Finding(
        RACE.id,
        "error",
        "k",
        (
            SourceLocation(WRITE.file, 4, 9, WRITE.instruction, function="k"),
            SourceLocation(READ.file, 5, 3, READ.instruction),
        ),
        argument="cache",
        values=RACE.values,
    )
    assert print_of(moved, ["# new", "# lines", *LINES]) == print_of(RACE)
    assert print_of(RACE, [LINES[0], "    other[i] = a[i]", *LINES[2:]]) != print_of(RACE)


def test_a_file_elsewhere_keeps_its_whole_name():
    elsewhere = SourceLocation("/else where/k.mojo", 3, 1, "ret void")

    (result,) = written(Finding("livelock", "error", "k", (elsewhere,)))["results"]

    location = result["locations"][0]["physicalLocation"]
    assert location["artifactLocation"] == {"uri": "file:///else%20where/k.mojo"}
    assert location["region"] == {"startLine": 3, "startColumn": 1}


def test_a_file_of_the_repository_is_named_from_the_log_s_root():
    """Whichever that is: the compiler names it from the repository's."""
    lying = Finding("livelock", "error", "k", (SourceLocation("mojo/p15/solution.mojo", 3, 1, "ret void"),))
    for root, uri in ((sources.ROOT, "mojo/p15/solution.mojo"), (sources.MOJO, "p15/solution.mojo")):
        (result,) = sarif.document([sarif.ReportedFinding(lying)], root=root)["runs"][0]["results"]
        assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": uri, "uriBaseId": "%SRCROOT%"}


def test_what_has_no_line_has_no_place():
    """Nothing is invented, and the format allows it; escape sequences stay text."""
    unknown = SourceLocation("", 0, 0, "\x1b[31m%1 = load i32, ptr %p")

    (result,) = written(Finding("livelock", "error", "k", (unknown,)), facts={"case": "p15"})["results"]

    assert "locations" not in result
    assert result["properties"]["case"] == "p15"


def test_a_case_tells_each_finding_once():
    """Several data sets may show the same."""
    datasets = (DatasetReport("one", "FINDING", (RACE,)), DatasetReport("two", "FINDING", (RACE,)))
    whole = report("FINDING", PASSED, *datasets, findings=(RACE,))

    told = list(sarif.of_cases(whole.cases))

    assert [entry.finding for entry in told] == [RACE]
    assert told[0].facts["case"] == "p15"


def test_an_error_of_the_compiler_is_at_its_line():
    whole = report("COMPILE_ERROR", reason="p15 does not compile\nmojo/a b.mojo:3:4: error: no such name")

    (result,) = written(*(entry.finding for entry in sarif.of_cases(whole.cases)))["results"]

    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 3


KERNEL = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %o) {
  store float 1.0, ptr %o
  %p = getelementptr float, ptr %o, i64 1
  store float 1.0, ptr %p
  ret void
}
"""


@pytest.mark.slow
def test_simulate_writes_a_valid_log(tmp_path):
    """From the command line, with its findings."""
    (tmp_path / "k.ll").write_text(KERNEL)
    log = tmp_path / "found.sarif"
    words = ["simulate", str(tmp_path / "k.ll"), "--target", "nvidia:sm_90", "--grid", "1", "--block", "1"]

    status = main([*words, "--arg", "o=zeros:f32:1", "--sarif", str(log)])

    written_log = json.loads(log.read_text(encoding="utf-8"))
    jsonschema.Draft4Validator(SCHEMA).validate(written_log)
    assert status == 1
    assert [result["ruleId"] for result in written_log["runs"][0]["results"]] == ["out-of-bounds.after"]
