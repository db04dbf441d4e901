"""What cannot fit into this machine's memory is refused before any is taken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from harness.backends.base import Request
from harness.backends.memory_limit import find_memory_failure
from harness.catalogue import find_case
from harness.model.case import Dataset, TensorArgument
from harness.process.free_memory import find_free_bytes

GIB = 1 << 30


def request_of(gib: int) -> Request:
    """Puzzle 15 with an input of some GiB, of which one element is in memory."""
    entry = find_case("p15")
    instance = entry.instance(32)
    shape = (gib, GIB // 4)
    data = Dataset("ones", {"a": np.broadcast_to(np.float32(1), shape)}, "")
    instance = replace(instance, arguments=(instance.tensors[0], TensorArgument("a", "input", shape)), datasets=(data,))
    return Request(case=entry, instance=instance, dataset=data)


def test_a_refusal_names_what_is_wanted_and_what_is_left():
    failure = find_memory_failure(request_of(8), 3, 20 * GIB)

    assert failure.kind == "LAUNCH_ERROR"
    assert failure.reason == "axis_sum needs 24.0 GiB of memory (3 × 8.0 GiB of buffers), but 20.0 GiB is free"


@pytest.mark.parametrize(("gib", "free"), [(8, 25 * GIB), (1, 3 * GIB + 48)])
def test_what_fits_is_let_through(gib, free):
    assert find_memory_failure(request_of(gib), 3, free) is None


@pytest.fixture
def accounts(tmp_path):
    """An operating system's account of 8 GiB, and no control group."""
    (tmp_path / "meminfo").write_text("MemTotal:  9000000 kB\nMemAvailable:  8388608 kB\n")
    (tmp_path / "memory").mkdir()
    return tmp_path


def test_the_least_of_the_accounts_counts(accounts):
    """The machine's own, then a container's of either version."""

    def free():
        return find_free_bytes(accounts / "meminfo", accounts)

    assert free() == 8 * GIB
    (accounts / "memory.max").write_text("max\n")
    (accounts / "memory.current").write_text(f"{GIB}\n")
    assert free() == 8 * GIB
    (accounts / "memory.max").write_text(f"{5 * GIB}\n")
    assert free() == 4 * GIB
    (accounts / "memory" / "memory.limit_in_bytes").write_text(f"{3 * GIB}\n")
    (accounts / "memory" / "memory.usage_in_bytes").write_text(f"{GIB}\n")
    assert free() == 2 * GIB


def test_a_limit_that_is_passed_leaves_nothing(accounts):
    (accounts / "memory.max").write_text("10\n")
    (accounts / "memory.current").write_text("20\n")

    assert find_free_bytes(accounts / "meminfo", accounts) == 0


def test_without_accounts_it_is_the_machine(tmp_path):
    assert find_free_bytes(tmp_path / "none", tmp_path) > 0
