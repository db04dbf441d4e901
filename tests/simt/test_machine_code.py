"""What machine code proves clean is what Python finds nothing in, and it leaves the same; the rest runs in Python."""

from __future__ import annotations

import pytest

from harness import simt
from harness.simt.result import EngineUsage
from tests.simt.engines import OUT, VALUE, both, run

LOCAL = f"""{VALUE}
  %l = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %l)
  store i32 %v, ptr %l
  BETWEEN
  %w = load i32, ptr %l{OUT}"""


def test_local_variables_are_the_same():
    assert both(LOCAL.replace("BETWEEN", "fence acq_rel")).engine.native == 1


def test_a_local_variable_whose_life_begins_again_is_undefined():
    result = both(LOCAL.replace("BETWEEN", "call void @llvm.lifetime.start.p0(i64 4, ptr %l)"))

    assert {finding.kind for finding in result.findings} == {"uninitialised"}


@pytest.mark.slow
def test_an_assumption_is_checked():
    text = f"{VALUE}\n  %c = icmp slt i32 %v, LIMIT\n  call void @llvm.assume(i1 %c)\n  %w = add i32 %v, 1{OUT}"

    assert both(text.replace("LIMIT", "100")).engine.native == 1
    assert both(text.replace("LIMIT", "10")).findings


@pytest.mark.slow
def test_one_wrong_block_among_others_costs_that_block():
    body = f"{VALUE}\n  %w = add i32 %v, 1{OUT}"
    result = both(body, grid=5, block=16)

    assert (result.engine.native, result.engine.python) == (4, 1)
    assert {finding.kind for finding in result.findings} == {"out-of-bounds"}


@pytest.mark.slow
def test_blocks_that_meet_in_one_place_race():
    body = (
        f"{VALUE}\n  %w = add i32 %v, 1\n  %h = and i64 %i, 15\n  %q = getelementptr i32, ptr %o, i64 %h\n"
        "  store i32 %w, ptr %q"
    )
    result = both(body, grid=4, block=16, initialised=True)

    assert not result.engine.native
    assert {finding.kind for finding in result.findings} == {"race"}


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({"seed": 1}, "a seed, which is an order of the threads"),
        ({"max_steps": 1000}, "a limit in steps"),
    ],
)
def test_what_only_python_can_run_says_so(how, why):
    result = both(f"{VALUE}\n  %w = add i32 %v, 1{OUT}", **how)

    assert result.engine == EngineUsage(0, 1, result.engine.cause) and result.engine.why == why


@pytest.mark.slow
def test_an_element_of_a_local_vector_is_replaced_by_a_number_that_nobody_bounds():
    """LLVM would make a store of the element alone of it, and end the process."""
    body = f"""{VALUE}
  %l = alloca [2 x i32], align 8
  store i64 0, ptr %l
  %q0 = getelementptr i32, ptr %o, i64 %i
  %u = atomicrmw min ptr %q0, i32 %v monotonic
  %m = add i32 %v, %u
  %x = load <2 x i32>, ptr %l, align 4
  %n = urem i32 %m, 2
  %y = insertelement <2 x i32> %x, i32 %v, i32 %n
  store <2 x i32> %y, ptr %l, align 4"""

    assert not both(body, initialised=True).engine.python


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("%f = atomicrmw fmax ptr %o, float 1.0 monotonic\n  %w = fptosi float %f to i32", "atomicrmw of float"),
        ("%k = freeze i32 undef\n  %w = add i32 %k, %v", "an undefined value in the code"),
    ],
)
def test_what_has_no_native_form_is_named(lines, why):
    ran = both(f"{VALUE}\n  {lines}{OUT}", initialised=True).engine

    assert ran == EngineUsage(0, 1, ran.cause) and ran.why == why


def test_a_loop_that_never_ends_is_left_to_python():
    body = f"{VALUE}\n  br label %loop\nloop:\n  br label %loop"
    result, _ = run(body, "native", max_seconds=0.2)

    assert result.engine.python == 1


def test_an_engine_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="engine must be one of auto, native, reference, but got 'fast'"):
        simt.Options(engine="fast")
