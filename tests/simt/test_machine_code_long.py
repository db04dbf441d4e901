"""A launch that looked short and takes long in Python begins anew as machine code, with memory as it was."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast
from unittest import mock

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.launch_cache import LaunchCache
from harness.simt.compile.program import Program
from harness.simt.declined import Cause, Reason
from harness.simt.result import EngineUsage
from harness.simt.run import saved_memory
from harness.simt.run.launch import launch
from harness.simt.state.allocation import Snapshot
from tests.simt.engines import ADDED, OUT, SHARED, VALUE, alike, made, run
from tests.simt.snippets import kernel

ENDLESS = f"""{VALUE}
  br label %loop
loop:
  br label %loop"""
STRAIGHT = VALUE + OUT.replace("%w", "%v")
WRONG = ADDED.replace("i64 %i\n  br", "i64 %far\n  br").replace("  %q =", "  %far = add i64 %i, 3\n  %q =")


@pytest.fixture
def patient():
    """Python has no time at all."""
    with mock.patch.object(saved_memory, "PATIENCE", 0.0):
        yield


@pytest.fixture
def calm():
    """Python has nearly all the time there is, on however busy a machine."""
    with mock.patch.object(saved_memory, "PATIENCE", simt.Options().max_seconds - 1):
        yield


def both(body, values=None, **options):
    """(result with `auto`, what it left) once the reference was found to give the same."""
    given = np.full(64, 40, np.int32) if values is None else values
    result, output = run(body, "auto", values=given, initialised=True, **options)
    expected, left = run(body, "reference", values=given, initialised=True, **options)
    assert output.tobytes() == left.tobytes()
    alike(result, expected)
    return result, output


def test_it_begins_anew(patient):
    """Else some of it would be done twice."""
    result, output = both(ADDED)
    assert (result.engine.native, set(output.tolist())) == (1, {39})


def test_it_begins_anew_before_its_time_is_over(calm):
    """On a slow machine that may come before machine code would be worth its cost."""
    given, output = np.full(64, 3000, np.int32), np.zeros(64, np.int32)
    result = launch(
        made(ADDED),
        target="nvidia:sm_90",
        grid=1,
        block=64,
        args=[simt.Buffer(given, writable=False), output],
        options=simt.Options(engine="auto", patience=0.01),
    )
    assert (result.verdict, result.engine.native, set(output.tolist())) == ("clean", 1, {3000})


def test_one_without_machine_code_goes_on(patient):
    """Else it would begin again, interpreted: it would take twice as long."""
    again = "\n  %old = atomicrmw fmax ptr %q, float 1.0 monotonic\n  %k1 = add"
    with mock.patch.object(saved_memory.SavedMemory, "restore", side_effect=AssertionError):
        result, _ = both(ADDED.replace("\n  %k1 = add", again))
    assert result.engine == EngineUsage(0, 1, Cause(Reason.SIZE))


def test_it_is_as_patient_as_making_machine_code_costs():
    assert [saved_memory._patience_for(cost) for cost in (0.0, saved_memory.USUAL_COST)] == [saved_memory.PATIENCE] * 2
    assert saved_memory._patience_for(1.0) == pytest.approx(2.5)


def test_a_short_one_stays(calm):
    assert both(ADDED)[0].engine.why == "its small size: it takes less time than compiling"


def test_what_is_wrong_is_told_once(patient):
    """By Python, when machine code has not proved it."""
    result, _ = both(WRONG)
    assert result.engine.native == 0 and result.findings


def test_what_never_ends_is_still_told(patient):
    result, _ = both(ENDLESS, max_seconds=1.0)
    assert ([one.kind for one in result.findings], result.engine.native) == (["endless-loop"], 0)


@pytest.mark.parametrize(("body", "native"), [(ADDED, 1), (STRAIGHT, 0)])
def test_where_keeping_memory_takes_too_long_what_loops_is_machine_codes_at_once(calm, body, native):
    with mock.patch.object(saved_memory, "MAX_BYTES", 255):
        assert both(body)[0].engine.native == native
    with mock.patch.object(saved_memory, "MAX_BYTES", 256):
        assert both(body)[0].engine.why == "its small size: it takes less time than compiling"


@pytest.mark.parametrize(("patience", "seconds"), [(-1.0, 2.0), (0.5, 2.5)])
def test_a_restart_adds_the_time_that_was_interpreted(patience, seconds):
    """Nothing if it restarts at once: its patience below 0 is no time."""
    program = SimpleNamespace(cache=LaunchCache(cpu_seconds=2.0))
    memory = saved_memory.SavedMemory(cast(Program, program), Snapshot(()), (), patience)

    assert memory.restore(simt.Options()).engine == "native"
    assert program.cache.cpu_seconds == seconds


def test_a_kernel_that_allocates_does_not_begin_anew(patient):
    """What it allocated would stay."""
    body = VALUE + "\n  %m = call ptr @malloc(i64 16)\n  call void @free(ptr %m)\n  %w = add i32 %v, 1" + OUT
    text = kernel(body, "ptr %a, ptr %o", SHARED)
    text = text + "".join(f"\ndeclare {line}\n" for line in ("ptr @malloc(i64)", "void @free(ptr)") if line not in text)
    result, output = run(simt.decode(text), "auto", values=np.arange(64, dtype=np.int32))
    assert result.engine.native == 0 and output.tolist() == list(range(1, 65))
