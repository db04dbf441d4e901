"""Judge figures that a learner predicts in a kernel's file; list the questions for a page, blank their answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from harness.model.case import Case
from harness.model.handout import Predict
from harness.model.messages import make_finding
from harness.model.predictions import blank_answers, find_answers, is_right, parse_number
from harness.model.report import CaseReport
from harness.model.sources import Sources, display_path
from harness.model.verdict import Verdict
from harness.simt.findings import Finding

__all__ = ["hide_answers", "judge_predictions", "list_questions"]


def judge_predictions(report: CaseReport, predict: Predict, case: Case, sources: Sources) -> CaseReport:
    """Judge a case that is right by what its file predicts, too.

    Args:
        report: The report of the case, which is right.
        predict: The case's questions.
        case: The case.
        sources: The learner's files.

    Returns:
        If an answer is missing, open or wrong, a report with the verdict FINDING and only the findings about answers;
        otherwise the same report, with the reason of each answer among its findings, as information.
    """
    answers = tuple(_compare_predictions(case, predict, sources))
    if all(finding.severity == "information" for finding in answers):
        return replace(report, findings=(*report.findings, *answers))
    return replace(report, verdict=Verdict.FINDING, findings=answers)


def list_questions(case: Case, sources: Sources) -> list[dict[str, Any]]:
    """Return what a page asks about a case, none if nothing is to be predicted.

    Args:
        case: The case.
        sources: The learner's files, or our own.

    Returns:
        For each question its `sentence`, the `answer`, `why` it is so, and the answer in a learner's file as `given`
        (empty if it is open, or the file is our own).
    """
    if not isinstance(case.handout, Predict):
        return []
    written = {}
    if not sources.are_solutions(case):
        written = find_answers(sources.kernel_file(case).read_text(encoding="utf-8"), case.functions)
    return [
        {
            "sentence": question.sentence,
            "answer": question.answer,
            "why": question.why,
            "given": "" if (answer := written.get(question.sentence)) is None or answer.is_open else answer.text,
        }
        for question in case.handout.questions
    ]


def hide_answers(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a trace's data with `?` for each predicted figure in the `lines` of its `files`; `data` is not changed."""
    files = [{**file, "lines": blank_answers("\n".join(file["lines"])).split("\n")} for file in data["files"]]
    return {**data, "files": files}


def _compare_predictions(case: Case, predict: Predict, sources: Sources) -> Iterator[Finding]:
    path = sources.kernel_file(case)
    answers = find_answers(path.read_text(encoding="utf-8"), case.functions)
    for question in predict.questions:
        answer = answers.get(question.sentence)
        if answer is None:
            yield make_finding("predict.gone", text=question.sentence, file=display_path(path))
            continue
        place = f"{display_path(path)}:{answer.line}:{answer.column}"
        values: dict[str, Any] = {"question": question.sentence, "answer": answer.text, "place": place}
        if answer.is_open:
            yield make_finding("predict.open", question=question.sentence, place=place)
        elif (predicted := parse_number(answer.text)) is None:
            yield make_finding("predict.no-number", **values)
        elif is_right(predicted, question.answer):
            yield make_finding("predict.right", "information", why=question.why, **values)
        else:
            yield make_finding("predict.wrong", case=case.puzzle, **values)
