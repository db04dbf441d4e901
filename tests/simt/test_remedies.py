"""Findings advise what fits their cause, and name lanes and operations as the source does."""

from __future__ import annotations

import pytest

from harness.simt.findings import Finding
from harness.simt.messages import words


def absent(*lanes: int) -> Finding:
    values = {"operation": "llvm.nvvm.shfl.sync.bfly.f32", "absent": lanes}
    return Finding("absent-lane", "error", values=values)


@pytest.mark.parametrize(
    ("lanes", "shown"), [((5,), "5"), ((1, 2), "1, 2"), (tuple(range(1, 32)), "1-31"), ((0, 2, 3, 4, 9), "0, 2-4, 9")]
)
def test_lanes_that_follow_one_another_are_a_range(lanes, shown):
    assert words("en").text(absent(*lanes)).startswith(f"lanes {shown} of the warp never arrive here")
    assert f"레인 {shown}" in words("ko").text(absent(*lanes))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_an_exchange_has_the_name_that_mojo_gives_it(language):
    said = words(language).text(absent(3, 4))

    assert "`shuffle_xor`" in said and "llvm" not in said


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("fix", ["guard", "index", "start", "end", "size", "outside"])
def test_each_way_to_leave_an_array_has_its_own_remedy(fix, language):
    """In no two words alike, and each names what it is about."""
    values = {"space": "shared", "access": "load", "element": "[8]", "shape": "(8,)", "fix": fix, "needed": 11}
    finding = Finding("out-of-bounds.after", "error", argument="cache", size=4, values=values)
    others = {name for name in ("guard", "index", "start", "end", "size", "outside") if name != fix}
    own = words(language).remedy(finding)

    assert own and all(
        own != words(language).remedy(Finding(finding.id, "error", argument="cache", values=values | {"fix": other}))
        for other in others
    )


def test_volatile_accesses_are_not_called_atomic_and_no_remedy_says_one_thing_twice():
    values = {
        "first": "volatile-store", "second": "volatile-load", "between": "different blocks", "level": "grid",
        "volatile": "blocks",
    }  # fmt: skip
    finding = Finding("race.volatile", "warning", argument="flags", values=values, count=31)
    title, remedy = words("en").title(finding), words("en").remedy(finding)

    assert title == "Race reported between Volatile write access and Volatile read access [31 hazards]"
    assert remedy.count("use atomics") == 1
