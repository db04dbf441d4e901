"""JSON, SARIF, JUnit XML and CSV have every field that those of 24f83de3 had, with the same values."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from harness.cli import simulate
from harness.simt.ir.parse import decode
from tests.compatibility.comparison import changes
from tests.compatibility.documents import PROSE, describe_documents

OLD: dict[str, Any] = json.loads((Path(__file__).parent / "known" / "documents.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def present(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulate, "decode_foreign", decode)  # a child would take half a second
        patch.chdir(tmp_path_factory.mktemp("documents"))
        return describe_documents(Path.cwd())


@pytest.mark.parametrize("name", sorted(OLD))
def test_readers_of_a_report_go_on_to_work(name, present):
    assert changes(OLD[name], present[name], PROSE) == []


def test_a_break_is_noticed(present):
    """A field that is gone, a value that changed; a text may be reworded."""
    broken = copy.deepcopy(present)
    (run,) = broken["programs.sarif"]["runs"]
    run["results"][0]["partialFingerprints"] = {"finding/v1": "0"}
    del broken["run.json"]["cases"][0]["claims"]
    broken["simulate.json"]["findings"][0]["message"] = "reworded"

    gone, changed = sorted(changes(OLD, broken, PROSE), key=len)
    assert gone == "/run.json/cases/0/claims: is missing"
    assert changed.startswith("/programs.sarif/runs/0/results/0/partialFingerprints/finding/v1: was")
