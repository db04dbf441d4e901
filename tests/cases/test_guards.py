"""The guard that fits accesses outside of an array, by which threads have an element of the result."""

from __future__ import annotations

import numpy as np
import pytest

from harness.cases.fresh import add_fresh_data
from harness.cases.guards import choose_guard, has_element, list_threads_beyond
from harness.catalogue import find_case
from harness.simt.findings import Finding, SourceLocation, Who
from harness.simt.messages import words

VECTOR = find_case("p11")  # eight elements, a block of eight threads
LINES = [
    "def pooling(size: Int):",
    "    if i < size:",
    "        total += shared[i - 1]",
    "        total += shared[i + step]",
    "        if i > 0:",
    "            total += shared[i - 2]",
    "        total += matrix[i - 1, 0]",
    "        total += matrix[i - 1, i + 1]",
    "        output[i] = total",
    "    shared[i - 1] = total",
    "",
]


def outside(line: int, *threads: int, end: str = "before", access: str = "load") -> Finding:
    """An access outside of an array by some threads of the first block."""
    text = LINES[line - 1]
    column = text.index("[", text.index("=") if access == "load" else 0) + 1
    return Finding(
        f"out-of-bounds.{end}",
        "error",
        "pooling",
        sites=(SourceLocation("p11.mojo", line, column, ""),),
        who=tuple(Who((0, 0, 0), (thread, 0, 0), 0, thread) for thread in threads),
        argument="shared",
        values={"access": access, "space": "shared"},
    )


def guard_of(finding: Finding) -> dict[str, object]:
    return choose_guard(finding, VECTOR, add_fresh_data(VECTOR, VECTOR.instance(32), 7), LINES)


def test_a_thread_with_an_element_lacks_only_its_neighbour():
    """A condition that lets its element through is right, and is not to be changed."""
    values = guard_of(outside(3, 0))

    assert values == {"fix": "guard-before", "written": "i - 1", "thread": "(0,0,0)", "condition": "i >= 1"}


def test_past_the_end_the_index_is_compared_with_the_length():
    values = guard_of(outside(4, 7, 6, end="after"))

    assert values == {"fix": "guard-after", "written": "i + step", "thread": "(7,0,0)"}


def test_the_condition_of_the_neighbour_alone_is_the_one_to_change():
    values = guard_of(outside(6, 1))

    assert (values["fix"], values["guard"], values["condition"]) == ("guard-before-line", 5, "i >= 2")


def test_of_several_indices_the_one_that_is_computed_is_named():
    assert guard_of(outside(7, 0))["written"] == "i - 1"


@pytest.mark.parametrize(
    "finding",
    [
        outside(3, 0, 9),  # thread 9 has no element
        outside(8, 0),  # which of the two indices it is remains open
        outside(10, 0, access="store"),
    ],
)
def test_otherwise_the_condition_lets_threads_without_an_element_pass(finding):
    assert str(guard_of(finding)["fix"]) in ("guard-line", "guard")


def test_the_remedy_says_which_thread_and_which_condition():
    finding = outside(3, 0)
    values = {**finding.values, **guard_of(finding), "element": "[-1]", "shape": "(8,)"}
    told = Finding(finding.id, "error", "pooling", argument="shared", values=values)

    english, korean = (words(language).remedy(told) for language in ("en", "ko"))
    assert "`i - 1` is negative for thread (0,0,0); put this access alone under `if i >= 1:`" in english
    assert "스레드 (0,0,0)에서는 `i - 1`이 음수입니다" in korean and "`if i >= 1:`" in korean


def test_a_thread_of_a_matrix_has_the_element_of_its_row_and_column():
    case = find_case("p16:tiled")
    size = next(one for one in case.sizes if one.steps[-1].geometries(32)[-1].grid[:2] == (4, 5))
    instance = add_fresh_data(size, size.instance(32), 7)
    grid, block = size.steps[-1].geometries(32)[-1].grid, size.steps[-1].geometries(32)[-1].block
    rows, columns = instance.results[0].indexed_shape
    beyond = list_threads_beyond(size, instance)

    assert len(beyond) == np.prod(grid) * np.prod(block) - rows * columns
    assert has_element(Who((0, 0, 0), (0, 0, 0), 0, 0), size, instance)
    assert not any(has_element(who, size, instance) for who in beyond)
