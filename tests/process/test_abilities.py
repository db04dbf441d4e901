"""`harness.process.abilities`: what an emulator of a processor leaves out is noticed."""

from __future__ import annotations

import resource

import pytest

from harness.cli import doctor
from harness.process import abilities, reaper
from harness.process.watch import LINUX

pytestmark = pytest.mark.skipif(not LINUX, reason="Linux does both; emulators of a processor do neither")


def test_a_limit_that_can_be_read_again_is_kept_and_nothing_is_left_limited():
    before = resource.getrlimit(reaper.MEMORY)

    kept = abilities.limits_memory()
    assert kept or before[0] == resource.RLIM_INFINITY
    assert resource.getrlimit(reaper.MEMORY) == before


@pytest.mark.parametrize("error", [None, ValueError("current limit exceeds maximum limit"), OSError(22, "invalid")])
def test_a_limit_that_is_ignored_or_refused_is_none(monkeypatch, error):
    def setrlimit(_kind: int, limits: tuple[int, int]) -> None:
        if error and limits[0] != resource.RLIM_INFINITY:
            raise error

    monkeypatch.setattr(resource, "getrlimit", lambda _: (resource.RLIM_INFINITY,) * 2)
    monkeypatch.setattr(resource, "setrlimit", setrlimit)

    assert not abilities.limits_memory()
    assert doctor.describe_abilities()["limit on memory"].startswith("none")


@pytest.mark.parametrize(("answer", "said"), [(0, "all of them"), (-1, "those of its group at least"), (None, "those")])
def test_who_gets_orphans_is_asked_of_the_system(monkeypatch, answer, said):
    monkeypatch.setattr(reaper, "find_prctl", lambda: lambda *_: answer)

    assert abilities.hands_over_orphans() == (answer == 0)
    assert doctor.describe_abilities()["ended with a command"].startswith(said)
