"""A grading: each file judged once, nothing judged twice after a stop, and reports that say who is graded."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import time
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from harness.catalogue import CASES
from harness.errors import EnvironmentFault, UsageError
from harness.grading import formats, person_page, store
from harness.grading import grade as grades
from harness.grading.grade import FILES, grade
from harness.grading.judge import unattempted
from harness.grading.scheme import Scheme
from harness.grading.submissions import Submission, SubmittedFile
from harness.grading.work import Job, JobResult, ModeResult, Settings, original_text
from harness.model.sources import MOJO, ROOT
from tests.grading.judges import SETTINGS, person, said, say

RIGHT, WRONG = 'verdict = "PASS"', 'verdict = "FINDING"'


def graded(people, folder, judges=said, scheme=None, settings=SETTINGS, **more):
    return grade(people, folder, settings, scheme or Scheme(), "limits", judges, **more)


def verdicts(grading, case="p15"):
    return {
        person.person: next(mode.result.verdict for mode in person.modes if mode.result.case == case)
        for person in grading.people
    }


def test_each_mode_of_each_person_has_a_verdict(tmp_path):
    people = [person("ann", p15=RIGHT, p26=WRONG), person("bob", p15=WRONG)]

    grading = graded(people, tmp_path)

    assert verdicts(grading) == {"ann": "PASS", "bob": "FINDING"}
    assert verdicts(grading, "p26:pair-swap") == {"ann": "FINDING", "bob": "NOT_ATTEMPTED"}
    assert [len(person.modes) for person in grading.people] == [len(CASES)] * 2
    assert grading.complete


def test_equal_files_are_judged_once_and_no_others(tmp_path):
    asked = []

    def counting(jobs, settings):
        for job in jobs:
            asked.append(job.text)
            yield say(job)

    texts = {"ann": RIGHT, "bob": f"# mine\n\n{RIGHT}", "cid": f"{RIGHT}\nx = 1", "dan": RIGHT}
    grading = graded([person(name, p15=text) for name, text in texts.items()], tmp_path, counting)

    assert sorted(asked) == sorted({*texts.values()})
    assert [(group.puzzle, group.people) for group in grading.alike] == [("p15", ("ann", "bob", "dan"))]
    assert set(verdicts(grading).values()) == {"PASS"}


# Of each the old normal form was that of `RIGHT`.
NEAR = ["\u3000", "\u00a0", "\u2003", "  ", "\n# \u2028", "  # why", "\r\n"]


@pytest.mark.parametrize("order", [1, -1], ids=["right-first", "wrong-first"])
@pytest.mark.parametrize("end", NEAR, ids=range(len(NEAR)))
def test_nobodys_verdict_is_another_ones(tmp_path, order, end):
    def by_its_bytes(jobs, _settings):
        for job in jobs:
            yield replace(say(job), modes=tuple(replace(m, verdict=judge(job.text)) for m in say(job).modes))

    def judge(text):
        return "PASS" if text == RIGHT else "COMPILE_ERROR"

    people = [person("ann", p15=RIGHT), person("bob", p15=RIGHT + end)][::order]

    assert verdicts(graded(people, tmp_path, by_its_bytes)) == {"ann": "PASS", "bob": "COMPILE_ERROR"}


def test_a_copy_of_our_solution_is_named(tmp_path):
    solution = (MOJO / "p15" / "solution.mojo").read_text()

    grading = graded([person("ann", p15=f"# Ann\n{solution}"), person("bob", p15=RIGHT)], tmp_path)

    assert [(group.puzzle, group.people, group.solution) for group in grading.alike] == [("p15", ("ann",), True)]
    assert json.loads((tmp_path / "results.json").read_text())["alike"][0]["solution"] is True
    page = (tmp_path / "index.html").read_text()
    assert "p15 <strong>as our solution</strong>: ann" in page and "alike with our solution: group 1 below" in page
    assert 'title="p15: PASS">✓*</td>' in page


def test_the_file_as_it_was_handed_out_is_not_attempted_and_not_alike(tmp_path):
    problem = (MOJO / "p15" / "problem.mojo").read_text()

    def never(jobs, settings):
        assert list(jobs) == []
        yield from ()

    grading = graded([person("ann", p15=problem), person("bob", p15=problem)], tmp_path, never)

    assert verdicts(grading) == {"ann": "NOT_ATTEMPTED", "bob": "NOT_ATTEMPTED"}
    (told,) = next(mode.result.lines for mode in grading.people[0].modes if mode.result.case == "p15")
    assert told.startswith("p15: not filled in yet: p15.mojo:")
    assert grading.alike == () and grading.complete


@pytest.mark.parametrize("puzzle", ["p10", "p30"], ids=["wrong", "questions"])
def test_a_file_that_was_handed_out_whole_is_judged_as_it_is_and_is_nobodys_copy(tmp_path, puzzle):
    """Who has answered its questions has the kernels that everybody was given."""
    given, solution = ((MOJO / puzzle / f"{name}.mojo").read_text() for name in ("problem", "solution"))
    people = [person("ann", **{puzzle: given}), person("bob", **{puzzle: f"# mine\n{given}"})]
    copied = [("cid",)] if puzzle == "p10" else []

    grading = graded([*people, person("cid", **{puzzle: solution})], tmp_path)

    first = next(case.id for case in CASES if case.puzzle == puzzle)
    assert set(verdicts(grading, first).values()) == {"PASS"}  # what the judge said
    assert [group.people for group in grading.alike] == copied


def test_a_stopped_grading_goes_on_where_it_was(tmp_path):
    people = [person(name, p15=f"{RIGHT}\nname = {number}") for number, name in enumerate("abcde")]

    def stopped(jobs, settings):
        for number, job in enumerate(jobs):
            if number == 2:
                raise KeyboardInterrupt
            yield say(job)

    with pytest.raises(KeyboardInterrupt):
        graded(people, tmp_path, stopped)
    partial = json.loads((tmp_path / "results.json").read_text())
    assert not partial["complete"] and sum(person["graded"] for person in partial["people"]) == 2

    rest = []

    def noting(jobs, settings):
        for job in jobs:
            rest.append(job.key)
            yield say(job)

    grading = graded(people, tmp_path, noting)

    assert grading.complete and len(rest) == 3
    assert set(verdicts(grading).values()) == {"PASS"}


def test_what_was_not_graded_is_tried_again_and_what_is_damaged_too(tmp_path):
    people = [person("ann", p15='verdict = "NOT_GRADED"'), person("bob", p15=RIGHT)]
    assert not graded(people, tmp_path).complete

    places = sorted((tmp_path / "jobs").iterdir())
    for place in places:
        if "PASS" in place.read_text():
            place.write_text('{"key": "other"}')
    asked = []

    def noting(jobs, settings):
        for job in jobs:
            asked.append(job.text)
            yield say(job)

    graded(people, tmp_path, noting)

    assert sorted(asked) == ['verdict = "NOT_GRADED"', RIGHT]


def test_a_forged_verdict_in_the_store_counts_for_nothing(tmp_path):
    graded([person("ann", p15=WRONG)], tmp_path)
    (place,) = (tmp_path / "jobs").iterdir()
    place.write_text(place.read_text().replace('"FINDING"', '"EXCELLENT"'))

    assert verdicts(graded([person("ann", p15=WRONG)], tmp_path)) == {"ann": "FINDING"}


def test_the_seed_of_an_earlier_grading_is_kept_and_another_refused(tmp_path):
    graded([person("ann", p15=RIGHT)], tmp_path)
    other = Settings(target="nvidia:sm_90", backend="simulator", data_seed=6, versions={"mojo": "1"})

    assert graded([person("ann", p15=RIGHT)], tmp_path, settings=other).settings.data_seed == SETTINGS.data_seed
    with pytest.raises(UsageError, match="data_seed 5, not 6: give --out another folder"):
        graded([person("ann", p15=RIGHT)], tmp_path, settings=other, seeded=True)


def test_who_hands_in_late_meets_no_seed_that_was_told(tmp_path):
    """A file that an earlier run saw keeps its seed, judged or not; every other one gets that of its own run."""
    met, unjudged = {}, [WRONG]

    def noting(jobs, settings):
        for job in jobs:
            met[job.text] = settings.data_seed
            if job.text in unjudged:
                unjudged.remove(job.text)
            else:
                yield say(job)

    def run(seed, **texts):
        people = [person(name, p15=text) for name, text in texts.items()]
        return graded(people, tmp_path, noting, settings=replace(SETTINGS, data_seed=seed))

    assert run(5, ann=RIGHT, bob=WRONG).seeds == (5,)
    grading = run(6, ann=RIGHT, bob=WRONG, cid=f"{RIGHT}\nlate = 1", dan=RIGHT)
    assert met == {RIGHT: 5, WRONG: 5, f"{RIGHT}\nlate = 1": 6} and grading.complete and grading.seeds == (5, 6)
    run(7, ann=f"{RIGHT}\nagain = 1", bob=WRONG)
    assert met[f"{RIGHT}\nagain = 1"] == 7 and met[WRONG] == 5

    whole = json.loads((tmp_path / "results.json").read_text())
    modes = {one["person"]: next(m for m in one["modes"] if m["case"] == "p15") for one in whole["people"]}
    assert {name: mode["data_seed"] for name, mode in modes.items()} == {"ann": 7, "bob": 5}
    assert "5, of later files 7" in (tmp_path / "index.html").read_text()


def test_a_seed_that_is_asked_for_is_that_of_late_files_too(tmp_path):
    graded([person("ann", p15=RIGHT)], tmp_path, seeded=True)

    late = graded([person("ann", p15=RIGHT), person("bob", p15=WRONG)], tmp_path, seeded=True)

    assert late.seeds == (SETTINGS.data_seed,)


def test_a_grading_that_goes_on_keeps_its_language(tmp_path):
    graded([person("ann", p15=RIGHT)], tmp_path, settings=replace(SETTINGS, language="ko"))

    assert graded([person("ann", p15=RIGHT)], tmp_path).settings.language == "ko"
    assert '<pre lang="ko">' in (tmp_path / "index.html").read_text()


@pytest.mark.parametrize("change", [{"target": "amd:gfx942"}, {"versions": {"mojo": "2"}}, {"backend": "max"}])
def test_results_of_other_settings_are_not_mixed(tmp_path, change):
    graded([person("ann", p15=RIGHT)], tmp_path)

    with pytest.raises(UsageError, match="another folder"):
        graded([person("ann", p15=RIGHT)], tmp_path, settings=replace(SETTINGS, **change))


def test_a_folder_of_something_else_is_refused_and_stays(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")

    with pytest.raises(UsageError, match="holds something else"):
        graded([person("ann", p15=RIGHT)], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_file_in_the_place_of_a_folder_is_refused_and_stays(tmp_path):
    (tmp_path / "out").write_text("mine")

    with pytest.raises(UsageError, match="out is a file: give --out a folder"):
        graded([person("ann", p15=RIGHT)], tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema_version": 9}', "[" * 100_000])
def test_damaged_settings_are_refused(tmp_path, text):
    (tmp_path / "grading.json").write_text(text)

    with pytest.raises(UsageError, match="another folder"):
        graded([person("ann", p15=RIGHT)], tmp_path)


def test_two_gradings_do_not_share_a_folder(tmp_path):
    with store.open_store(tmp_path, SETTINGS, seeded=False), pytest.raises(UsageError, match="another grading works"):
        graded([person("ann", p15=RIGHT)], tmp_path)
    assert graded([person("ann", p15=RIGHT)], tmp_path).complete, "and no lock is left"


def test_a_full_disk_is_told_and_the_grading_goes_on_later(tmp_path, monkeypatch):
    people = [person("ann", p15=RIGHT), person("bob", p15=WRONG)]
    real, written = store.os.replace, []

    def full(source, destination):
        if "jobs" in str(destination) and len(written) == 1:
            raise OSError(28, "No space left on device")
        written.extend([destination] if "jobs" in str(destination) else [])
        real(source, destination)

    monkeypatch.setattr(store.os, "replace", full)
    with pytest.raises(EnvironmentFault, match="No space left"):
        graded(people, tmp_path)
    monkeypatch.undo()

    assert not list(tmp_path.rglob(".writing-*"))
    assert graded(people, tmp_path).complete


def test_points_follow_the_scheme(tmp_path):
    scheme = Scheme(1.0, {"p15": 4.0}, unkept=0.5)
    people = [person("ann", p15=RIGHT), person("bob", p15=f"{RIGHT}\nanother = 1"), person("cid", p15=WRONG)]

    grading = graded(people, tmp_path, scheme=scheme)

    assert {person.person: (person.points, person.most) for person in grading.people} == {
        "ann": (4.0, 3.0 + len(CASES)),
        "bob": (2.0, 3.0 + len(CASES)),
        "cid": (0.0, 3.0 + len(CASES)),
    }


def test_what_the_target_refuses_is_asked_of_nobody(tmp_path):
    grading = graded([person("ann", p15=RIGHT)], tmp_path, settings=replace(SETTINGS, target="amd:gfx942"))

    assert "p34:reduction" not in {mode.result.case for mode in grading.people[0].modes}


def test_what_is_whole_in_a_damaged_submission_is_graded(tmp_path):
    half = {"p15": SubmittedFile("p15.mojo", RIGHT), "p17": SubmittedFile("p17.mojo", RIGHT, missing="p17.py")}

    grading = graded([Submission("ann", half, lack="ann.tar cannot be read: it is damaged (cut off)")], tmp_path)

    assert [verdicts(grading, name)["ann"] for name in ("p15", "p17", "p26:pair-swap")] == [
        "PASS",
        "UNREADABLE",
        "UNREADABLE",
    ]


def test_a_kernel_that_is_handed_out_whole_is_nobodys_work_either():
    """It has no line to fill in."""
    modes = {mode.case: mode.reason for mode in unattempted(Job("p33", original_text("p33"))).modes}

    assert modes["p33:tiled"] == "not filled in yet, p33.mojo is as it was handed out"
    assert modes["p33:tensor-core"].startswith("not filled in yet: p33.mojo:")


HOSTILE = '=HYPERLINK("x")<script>alert(1)</script>'


def hostile():
    unread = Submission("zoe", {"p15": SubmittedFile("p15.mojo", lack="p15.mojo is no text")})
    return [person(HOSTILE, p15='verdict = "LIMIT"'), person("ann", p15=RIGHT), unread]


def test_every_report_has_everybody(tmp_path):
    grading = graded(hostile(), tmp_path)

    whole = json.loads((tmp_path / "results.json").read_text())
    rows = list(csv.reader(io.StringIO((tmp_path / "results.csv").read_text("utf-8-sig"))))
    suites = ElementTree.parse(tmp_path / "junit.xml").getroot()
    assert sorted(FILES) == sorted(path.name for path in tmp_path.iterdir() if path.name in FILES)
    assert (
        [person["person"] for person in whole["people"]] == [HOSTILE, "ann", "zoe"] == [s.get("name") for s in suites]
    )
    assert [row[0] for row in rows] == ["person", f"'{HOSTILE}", "ann", "zoe"]
    column = rows[0].index("p15")
    assert rows[1][column : column + 2] == ["LIMIT", "0"] and rows[3][column] == "UNREADABLE"
    skipped = str(len(CASES) - 1)
    assert (suites[0].get("failures"), suites[0].get("skipped"), suites[1].get("failures")) == ("1", skipped, "0")
    assert grading.complete


@pytest.mark.parametrize("sign", "=+-@＝＋－＠﹦﹢⁺﹣﹫")
def test_no_cell_is_a_formula_whatever_its_width(tmp_path, sign):
    graded([person(f"{sign}1+1", p15=RIGHT)], tmp_path)

    assert list(csv.reader(io.StringIO((tmp_path / "results.csv").read_text("utf-8-sig"))))[1][0] == f"'{sign}1+1"


def test_a_spreadsheet_shows_names_in_any_script(tmp_path):
    graded([person("김민지", p15=RIGHT)], tmp_path)

    data = (tmp_path / "results.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfperson,points,") and data.count(b"\xef\xbb\xbf") == 1
    assert next(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))["person"] == "김민지"


def test_the_documents_name_every_field(tmp_path):
    graded(hostile(), tmp_path)
    whole = json.loads((tmp_path / "results.json").read_text())
    table = (ROOT / "docs" / "grading.md").read_text().partition("## results.json")[2]
    (person_fields, mode_fields) = (whole["people"][0], whole["people"][0]["modes"][0])

    for fields in (whole, whole["settings"], person_fields, mode_fields, whole["figures"]):
        assert [name for name in fields if f"`{name}`" not in table] == []


class _Page(HTMLParser):
    """What of a page could run or load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text.append(data)


def test_the_page_needs_no_network_and_runs_nothing_of_a_stranger(tmp_path):
    graded(hostile(), tmp_path)
    page = _Page()
    text = (tmp_path / "index.html").read_text()
    page.feed(text)

    assert sum(tag == "script" for tag, _ in page.tags) == 1
    assert not any(name == "src" or name.startswith("on") for _, facts in page.tags for name in facts)
    led = [str(facts["href"]) for _, facts in page.tags if "href" in facts]
    assert led and all((tmp_path / place).is_file() and place.startswith("people/") for place in led)
    assert "url(" not in text and "@import" not in text and "http" not in text.replace("http-equiv", "")
    policy = next(facts["content"] for tag, facts in page.tags if facts.get("http-equiv"))
    assert policy.startswith("default-src 'none'; style-src 'sha256-") and "unsafe" not in policy
    assert any(HOSTILE in data for data in page.text), "shown as it is, as text"


def test_the_page_can_be_read_without_colours_and_by_a_reader(tmp_path):
    graded(hostile(), tmp_path)
    page = _Page()
    page.feed((tmp_path / "index.html").read_text())
    tags = [tag for tag, _ in page.tags]

    assert ("html", {"lang": "en"}) in page.tags and "caption" in tags
    assert all(facts.get("scope") in ("col", "colgroup", "row") for tag, facts in page.tags if tag == "th")
    labelled = [at for at, tag in enumerate(tags) if tag in ("input", "select")]
    assert labelled and all(tags[at - 1] == "label" for at in labelled)
    whole = "".join(page.text)
    marks = [facts["title"] for tag, facts in page.tags if tag == "td" and "title" in facts]
    assert "p15: PASS" in marks and "p15: LIMIT" in marks and "✓" in whole and "✗" in whole
    assert not any("NOT_ATTEMPTED" in mark for mark in marks), "what was not tried is blank"


LONG = "x" * 240


def test_a_long_name_leaves_the_verdicts_in_sight(tmp_path):
    """The column of names stays when verdicts scroll, so what a name takes of it has a bound. It can be read whole."""
    graded([person("ann", p15=RIGHT), person(LONG, p15=RIGHT)], tmp_path)
    page = _Page()
    page.feed((tmp_path / "index.html").read_text())

    names = [(page.tags[at - 1], facts) for at, (_, facts) in enumerate(page.tags) if facts.get("class") == "name"]
    assert [button["title"] for (_, button), _ in names] == ["ann", LONG]
    style = (ROOT / "harness" / "grading" / "page.css").read_text()
    (rule,) = re.findall(r"^\.name \{(.*)\}$", style, re.MULTILINE)
    bounds = dict(part.strip().split(": ", 1) for part in rule.split(";") if part.strip())
    assert bounds["overflow"] == "hidden" and bounds["overflow-wrap"] == "anywhere"
    assert int(re.fullmatch(r"min\(\d+rem, (\d+)vw\)", bounds["max-width"])[1]) <= 40, "of a window, however narrow"
    assert int(bounds["-webkit-line-clamp"]) <= 3


def test_reports_are_read_by_whom_the_umask_permits(tmp_path):
    before = os.umask(0o077)
    try:
        graded([person("ann", p15=RIGHT)], tmp_path / "out")
        formats.write("gradescope", graded([person("ann", p15=RIGHT)], tmp_path / "one"), tmp_path / "results.json")
    finally:
        os.umask(before)

    modes = {path.relative_to(tmp_path): path.stat().st_mode & 0o077 for path in tmp_path.rglob("*")}
    assert {Path("out/grading.json"), Path("out/results.json"), Path("results.json")} <= modes.keys()
    assert not any(modes.values()), "results and seeds are nobody else's"


def test_a_class_is_summed_up_by_mode(tmp_path):
    """Who tried, who solved it, and what was found most; a finding counts once for each person."""

    def found(jobs, _settings):
        for job in jobs:
            race = ("  Warning: Race reported between A and B [8 hazards] (race.shared.write-read)",) * 2
            modes = [replace(mode, lines=race if "race" in job.text else mode.lines) for mode in say(job).modes]
            yield replace(say(job), modes=tuple(modes))

    people = [person("ann", p15=RIGHT), person("bob", p15='verdict = "TIMEOUT"'), person("cid")]
    people += [person(f"dan{number}", p15=f'verdict = "FINDING"\nrace = {number}') for number in range(3)]
    graded(people, tmp_path, found)
    text = (tmp_path / "index.html").read_text()

    row = "<td>5</td><td>1</td><td>Warning: Race reported between A and B: 3; TIMEOUT: 1</td>"
    assert f'<tr><th scope="row">p15</th>{row}</tr>' in text
    assert '<th scope="row">p26:pair-swap</th>' not in text, "nobody tried it"


def test_a_persons_page_has_the_files_beside_the_verdicts(tmp_path):
    """With what was found at its line, and code outside of the region where a note says so; nothing of it runs."""
    text = f"{MOJO.joinpath('p15', 'problem.mojo').read_text()}\ndef mine():\n    pass  # {HOSTILE}\n"
    line = text.count("\n") - 1

    def noted(jobs, _settings):
        for job in jobs:
            told = ModeResult(
                case="p15", verdict="FINDING", lines=(f"p15: at problem.mojo:{line}:5",), notes=("code outside",)
            )
            yield JobResult(key=job.key, people=job.people, modes=(told,))

    graded([person("ann", p15=text), person("bob")], tmp_path, noted)
    page = _Page()
    page.feed((tmp_path / "people" / "1.html").read_text())

    rows = "".join(page.text).split("\n")
    assert f"{line:4} def mine(): ✗ p15, * outside the region" in rows
    assert any(HOSTILE in row for row in rows) and not any(tag == "script" for tag, _ in page.tags)
    graded([person("ann", p15=text)], tmp_path, noted)
    assert [path.name for path in (tmp_path / "people").iterdir()] == ["1.html"], "whoever left has no page"


def told_of(text, line, tmp_path):
    """The rows of a person's page with the file, of which a line was told."""

    def judged(jobs, _settings):
        for job in jobs:
            told = ModeResult(case="p15", verdict="FINDING", lines=(line,))
            yield JobResult(key=job.key, people=job.people, modes=(told,))

    graded([person("ann", p15=text)], tmp_path, judged)
    page = _Page()
    page.feed((tmp_path / "people" / "1.html").read_text())
    return "".join(page.text).split("\n")


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_a_page_counts_lines_as_mojo_does(tmp_path, end):
    """And shows what would turn a line's direction, or end it for Python alone."""
    text = end.join(["# one\u2028\u2028two\x1c", "## three\u202e", "wrong()", ""])

    rows = told_of(text, "p15: at p15.mojo:3:1", tmp_path)

    shown = [r"   1 # one\u2028\u2028two\x1c", r"   2 ## three\u202e", "   3 wrong() ✗ p15"]
    assert [row for row in rows if row[:4].strip().isdigit()] == shown


@pytest.mark.slow
@pytest.mark.parametrize("line", ["p15.mojo:" + "9" * 5000, "p15.mojo:" + "1" * 8, "a" * 100_000, "a." * 50_000])
def test_a_line_that_no_file_has_ends_no_page(tmp_path, line):
    began = time.process_time()
    rows = told_of("wrong()", line, tmp_path)

    assert "   1 wrong()" in rows and time.process_time() - began < 20, "in proportion to its length"


def test_a_page_that_cannot_be_made_says_so_and_ends_no_other(tmp_path, monkeypatch):
    body = person_page.body

    def unless_bob(of, language):
        if of.person == "bob":
            raise ValueError("too <many>\ndigits")
        return body(of, language)

    monkeypatch.setattr(person_page, "body", unless_bob)
    graded([person("ann", p15=RIGHT), person("bob", p15=WRONG), person("cem", p15=WRONG + "\n")], tmp_path)

    pages = [(tmp_path / "people" / f"{number}.html").read_text() for number in (1, 2, 3)]
    assert ["fault of the harness" in page for page in pages] == [False, True, False]
    assert r"(ValueError: too &lt;many&gt;\ndigits)" in pages[1] and "bob: 0 / " in pages[1]


def test_progress_is_told_with_an_estimate(tmp_path):
    told = []
    people = [person(name, p15=f"{RIGHT}\nname = {number}") for number, name in enumerate("abc")]

    graded(people, tmp_path, notify=told.append)

    assert told[0] == "to judge: 3"
    assert told[-1] == "3 of 3 files judged, about 0 s left"
    handed_out = (MOJO / "p15" / "problem.mojo").read_text()
    graded([*people, person("d", p15=handed_out)], tmp_path, notify=told.append)
    assert told[-1] == "to judge: 0, judged in an earlier run: 3, as handed out, so nothing to judge: 1"
    assert grades._duration(600) == "10 min"
