"""Work on vectors in parts: each place once, whoever does it, and what goes wrong is told."""

from __future__ import annotations

import numpy as np
import pytest

from harness.process import parts


@pytest.fixture(params=[1, 4], ids=["one processor", "four processors"], autouse=True)
def machine(request, monkeypatch):
    monkeypatch.setattr(parts, "_PART", 16)
    monkeypatch.setattr(parts, "count_processors", lambda: request.param)


@pytest.mark.parametrize("size", [0, 1, 16, 17, 1000, 4096])
def test_each_place_is_worked_on_once(size):
    seen = np.zeros(size, int)

    def work(part):
        seen[part] += 1

    parts.run_in_parts(size, work)
    assert (seen == 1).all()


def test_what_a_part_raises_is_raised():
    def work(part):
        if part.start == 512:
            raise ValueError("that part")

    with pytest.raises(ValueError, match="that part"):
        parts.run_in_parts(1000, work)
