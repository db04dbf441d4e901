"""Write one person's results for the services Gradescope and Classroom 50; `tables` has CSV, JSON and JUnit XML.

`gradescope` is the `results.json` that an autograder of Gradescope leaves, `classroom50` the `result.json` of Classroom
50 (`classroom50/result/v1`), whose runner says by its environment whose submission it is. Where somebody is not graded
nothing is written: a service takes a missing file for what it is, and a zero for a grade.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from harness.errors import EnvironmentFault, unknown_name
from harness.grading.result import GradedMode, Grading, PersonResult
from harness.grading.store import write as write_file
from harness.grading.work import is_right

__all__ = ["FORMATS", "classroom50", "gradescope", "require_format", "write"]

_SCALES = (1, 10, 100, 1000, 10_000)
# What Classroom 50's runner sets: the field of the result and the variable.
_RUNNER = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}


def gradescope(grading: Grading) -> dict[str, Any]:
    """Return the document for Gradescope, of a grading of exactly one person.

    A mode is `passed` only with the verdict PASS; all others are `failed`, those that are not graded among them.
    """
    (person,) = grading.people
    return {
        "score": person.points,
        "execution_time": round(grading.figures.get("seconds", 0.0)),
        "stdout_visibility": "hidden",
        "extra_data": {"target": grading.settings.target, "data_seed": grading.settings.data_seed},
        "tests": [
            {
                "name": mode.result.case,
                "score": mode.points,
                "max_score": mode.most,
                "status": "passed" if is_right(mode.result.verdict) else "failed",
                "output": _output(mode),
                "output_format": "text",
                "visibility": "visible",
            }
            for mode in person.modes
        ],
    }


def classroom50(grading: Grading, environment: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the document for Classroom 50; all points are multiplied by the same power of ten (at most 10,000) and
    rounded to whole numbers.

    Args:
        grading: A grading of one person.
        environment: The variables in which the runner says whose submission it is; None for those of this process.

    Raises:
        EnvironmentFault: One of these variables is missing or empty; only `REVIEW_URL` may be.
    """
    (person,) = grading.people
    submission_fields = _runner_fields(os.environ if environment is None else environment)
    scale = _scale(person)
    scores = [(round(mode.points * scale), round(mode.most * scale)) for mode in person.modes]
    tests = [
        {
            "test-name": mode.result.case,
            "passed": is_right(mode.result.verdict),
            "score": score,
            "max-score": most,
            "output": _output(mode),
        }
        for mode, (score, most) in zip(person.modes, scores, strict=True)
    ]
    return {
        "schema": "classroom50/result/v1",
        **submission_fields,
        "datetime": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "score": sum(score for score, _ in scores),
        "max-score": sum(most for _, most in scores),
        "tests": tests,
    }


def _runner_fields(environment: Mapping[str, str]) -> dict[str, str]:
    """Return whose submission it is, from the runner's environment, by fields of the result.

    A missing or empty `review` becomes the commit's address.

    Raises:
        EnvironmentFault: Another of the variables is missing or empty.
    """
    fields = {field: environment.get(name, "") for field, name in _RUNNER.items()}
    fields["review"] = fields["review"] or fields["commit"]  # where there is nothing to compare with
    if lacking := [_RUNNER[field] for field, value in fields.items() if not value and field != "review"]:
        raise EnvironmentFault(
            f"--format classroom50 needs {', '.join(lacking)} in the environment, as Classroom 50's runner sets it."
        )
    return fields


def _output(mode: GradedMode) -> str:
    return "\n".join((mode.result.verdict, *mode.result.lines))


def _scale(person: PersonResult) -> int:
    """Return the smallest power of ten, at most 10,000, that makes all points whole numbers; 10,000 if none does."""
    values = [value for mode in person.modes for value in (mode.points, mode.most)]
    return next(
        (scale for scale in _SCALES if all(abs(v * scale - round(v * scale)) < 1e-6 for v in values)), _SCALES[-1]
    )


FORMATS: Mapping[str, Callable[[Grading], dict[str, Any]]] = {"gradescope": gradescope, "classroom50": classroom50}


def require_format(form: str) -> None:
    """Raise if a format cannot be written here; called before anything is judged. Returns nothing.

    Raises:
        UsageError: There is no such format.
        EnvironmentFault: It is `classroom50`, and a variable of its runner is missing or empty.
    """
    if form not in FORMATS:
        raise unknown_name("format", form, FORMATS)
    if form == "classroom50":
        _runner_fields(os.environ)


def write(form: str, grading: Grading, path: Path) -> None:
    """Write one person's results if all modes are graded; otherwise write nothing.

    Args:
        form: A key of `FORMATS`.
        grading: A grading of one person.
        path: The file.

    Raises:
        EnvironmentFault: The file cannot be written; or, even if nothing would be written, `form` is `classroom50` and
            a variable of its runner is missing or empty.
    """
    document = FORMATS[form](grading)
    if grading.complete:
        write_file(path, (json.dumps(document, indent=2) + "\n").encode())
