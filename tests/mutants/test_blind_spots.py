"""What the documents compare, and what is marked as a blind spot of theirs; the tests of kernels and hosts run each."""

from __future__ import annotations

import numpy as np
import pytest

from harness.catalogue import find_case
from tests.mutants.blind_spots import BLIND
from tests.mutants.documents import (
    EQUAL,
    IN_RANGE,
    NOTHING,
    RISING,
    WHERE_WRITTEN,
    first,
    within,
)
from tests.mutants.handwritten import RULES
from tests.mutants.puzzles import modules


def test_what_is_marked_is_there():
    """And every rule is of a case of the catalogue."""
    assert {mutant.id for mutant in BLIND} == {
        f"{entry}-{name}" for module in modules() for entry, name in getattr(module, "BLIND", {})
    }
    assert all(find_case(name).documented for name in RULES)


@pytest.mark.parametrize(
    ("rule", "right", "wrong"),
    [
        (EQUAL, [1, 2, 3], [1, 2, 4]),
        (within(0.02), [1, 2, 3.05], [1, 2, 3.1]),
        (within(0, 10), [1, 2, 13], [1, 2, 13.5]),
        (first(2, EQUAL), [1, 2, 0], [1, 1, 3]),
        (IN_RANGE, [1, 1, 1], [1, 2, 4]),
        (RISING, [5, 6, 7], [0, 1, 2]),
        (WHERE_WRITTEN, [0, 2, 0], [0, 2, 4]),
    ],
    ids=lambda value: getattr(value, "says", ""),
)
def test_what_the_documents_compare(rule, right, wrong):
    expected = np.array([1, 2, 3], np.float32)
    assert rule.met(np.array(right, np.float32), expected) and not rule.met(np.array(wrong, np.float32), expected)
    assert rule.met(expected, expected) and NOTHING.met(np.array(wrong), expected)
