"""A compiled kernel is a value: launches keep what they make beside it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.targets import target_of
from tests.benchmarks.workloads import CASES, TARGET


@pytest.fixture(scope="module")
def launched():
    """The cluster sum, what it was made of before launches, and after them."""
    workload = CASES["p34 cluster sum"]()
    program = compile_kernel(workload.module, None, target_of(TARGET))
    before = {
        field.name: (getattr(program, field.name), str(getattr(program, field.name))) for field in fields(program)
    }
    workload.check(workload.run())
    workload.check(workload.run(simt.observers()))
    return program, before


def test_launches_change_nothing_of_a_program_but_what_they_keep(launched):
    program, before = launched
    for name, (value, text) in before.items():
        assert getattr(program, name) is value
        if name != "cache":
            assert str(value) == text
    assert program.cache.functions


def test_programs_segments_and_instructions_cannot_be_changed(launched):
    program, _ = launched
    segment = program.segments[0]
    for thing, name in ((program, "segments"), (segment, "ops"), (segment.ops[0], "operands")):
        with pytest.raises(FrozenInstanceError):
            setattr(thing, name, ())


def test_the_registers_of_a_value_follow_one_another(launched):
    program, _ = launched
    for number, first in program.slots.items():
        own = [slot for slot, value in enumerate(program.registers) if value == number]
        assert own == list(range(first, first + len(own)))
    stored = {number for segment in program.segments for number in segment.stores}
    assert stored <= program.slots.keys()
