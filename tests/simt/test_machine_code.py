"""A loop that never ends is interpreted, and an engine that there is not is refused."""

from __future__ import annotations

import pytest

from harness import simt
from tests.simt.engines import VALUE, run


def test_a_loop_that_never_ends_is_left_to_python():
    body = f"{VALUE}\n  br label %loop\nloop:\n  br label %loop"
    result, _ = run(body, "native", max_seconds=0.2)

    assert result.engine.python == 1


def test_an_engine_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="engine must be one of auto, native, reference, but got 'fast'"):
        simt.Options(engine="fast")
