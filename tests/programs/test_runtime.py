"""`harness.programs.host.runtime`: what becomes of memory that buffers own."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

from harness.model.launcher import Launcher
from harness.model.target import Target
from harness.programs import Options
from harness.programs.host.options import Options as HostOptions
from harness.programs.host.runtime import Runtime

LAUNCHER = Launcher(plan=Options().plan(Target.parse("nvidia:sm_90"), "simulator"))


@pytest.mark.parametrize("owned", [False, True])
def test_a_buffer_over_memory_of_the_host_is_released_on_the_cpu(owned: bool):
    """An owning one too: the memory counts as freed, and nothing is left at the end."""
    messages: list[tuple[str, Any]] = []
    runtime = Runtime(LAUNCHER, {}, lambda kind, facts: messages.append((kind, facts)), HostOptions())
    context, memory = runtime.open("cpu"), ctypes.create_string_buffer(64)
    buffer = runtime.wrapped(context, ctypes.addressof(memory), 64, owned=owned)
    allocation = buffer.range.storage.allocation
    runtime.release(buffer)
    runtime.work.wait(context.stream)
    runtime.close(0)

    assert allocation.freed is owned
    assert [facts for kind, facts in messages if kind == "finding"] == []
