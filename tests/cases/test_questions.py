"""What a page asks about a case before it shows its figures."""

from pathlib import Path

from harness.cases.predicted import hide_answers, list_questions
from harness.catalogue import find_case
from harness.model.sources import MOJO, Sources


def test_a_solution_is_asked_about_as_if_nothing_were_answered():
    entry = find_case("p32:two-way")
    questions = list_questions(entry, Sources())

    assert [(question["answer"], question["given"]) for question in questions] == [(2, ""), (2048, "")]
    assert all(question["why"] and question["sentence"] for question in questions)
    assert list_questions(find_case("p15"), Sources()) == []


def test_a_learners_answers_are_those_of_the_file(tmp_path: Path):
    entry, file = find_case("p32:two-way"), tmp_path / "mine.mojo"
    solution = (MOJO / "p32" / "solution.mojo").read_text(encoding="utf-8")
    file.write_text(solution.replace("a block takes: 2,048", "a block takes: ?"), encoding="utf-8")

    questions = list_questions(entry, Sources(overrides={"p32": file}))
    assert [question["given"] for question in questions] == ["2", ""]


def test_the_source_of_a_page_keeps_the_answers_to_itself():
    lines = (MOJO / "p32" / "solution.mojo").read_text(encoding="utf-8").split("\n")
    first = next(number for number, line in enumerate(lines) if line.startswith("def two_way"))
    data = {"kernel": "k", "files": [{"name": "solution.mojo", "from": first + 1, "lines": lines[first:]}]}

    (source,) = hide_answers(data)["files"]
    assert "    # Bytes of shared memory that a block takes: ?" in source["lines"]
    assert "2,048" not in "\n".join(source["lines"]) and len(source["lines"]) == len(lines[first:])
    assert "2,048" in "\n".join(data["files"][0]["lines"]), "the trace itself stays as it is"
