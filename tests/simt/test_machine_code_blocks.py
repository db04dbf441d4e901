"""A wrong block costs that block: Python runs it alone, and says and leaves what it does when it runs all."""

from __future__ import annotations

import pytest

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.native.execution import worker
from harness.simt.native.execution.blocks import BlockRunner
from harness.simt.targets import target_of
from tests.simt.engines import BARRIER, FAR, FIFTH, IN_BLOCK, LOOKS, OUT, UPDATE, VALUE, WIDE, both, looks, made, run

BLOCKS = 12
# Only blocks whose threads look nowhere wrong need the barrier.
EXCHANGE = f"""{IN_BLOCK}
  %c = icmp ult i32 %v, 384
  br i1 %c, label %give, label %on
give:
  store i32 %v, ptr addrspace(3) %mine
  br label %on
on:
  {BARRIER}
  br i1 %c, label %take, label %end
take:
  %x = load i32, ptr addrspace(3) %theirs
  br label %end
end:"""


@pytest.mark.parametrize("wrong", range(BLOCKS))
def test_any_block_may_be_left(wrong):
    """What it did to memory is undone before Python runs it."""
    result = both(f"{VALUE}{LOOKS}{FAR}", initialised=True, **looks(wrong))

    assert (result.engine.native, result.engine.python) == (BLOCKS - 1, 1)
    assert [(finding.id, finding.count) for finding in result.findings] == [("out-of-bounds.after", WIDE)]


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"chunk_lanes": 2 * WIDE}, {"observers": ()}])
def test_some_blocks_of_a_thousand_are_left(options):
    """They are told of in the order in which they come in their chunks."""
    result = both(f"{VALUE}{LOOKS}{FAR}{OUT}", initialised=True, **looks(0, 1, 63, 700, 999, blocks=1000), **options)

    assert (result.engine.native, result.engine.python) == (995, 5)
    assert result.findings[0].count == 5 * WIDE


@pytest.mark.slow
@pytest.mark.parametrize("needed_by", ["ult", "uge"])
def test_a_barrier_that_only_the_others_or_only_the_wrong_block_needs_is_not_called_redundant(needed_by):
    body = f"{VALUE}{EXCHANGE.replace('ult', needed_by)}{FAR}"
    result = both(body, initialised=True, **looks(3))

    # What the wrong block noted before it was left counts for nothing: Python finds out whether it needs the barrier.
    assert result.engine.native == (BLOCKS - 1 if needed_by == "ult" else 0)
    assert {finding.kind for finding in result.findings} == {"out-of-bounds"}


@pytest.mark.slow
def test_a_barrier_that_the_wrong_block_needs_once_it_was_left_is_not_called_redundant():
    result = both(f"{VALUE}{FAR}{EXCHANGE.replace('ult', 'uge')}", initialised=True, **looks(3))

    assert not result.engine.native
    assert {finding.kind for finding in result.findings} == {"out-of-bounds"}


TRAP = """
  %c = icmp ult i32 %v, 384
  br i1 %c, label %end, label %bad
bad:
  call void @llvm.trap()
  unreachable
end:"""
ONLY_PYTHON = {
    "it writes what others read": (
        f"{FAR}{FIFTH}\n  %y = load i32, ptr %g\n  br i1 %c, label %end, label %on\non:\n  store i32 %y, ptr %g\n"
        "  br label %end\nend:",
        (3,),
    ),
    "it reads what others write": (f"{LOOKS}{FAR}{FIFTH}\n  %y = load i32, ptr %g", (3,)),
    "it ends the launch": (LOOKS + TRAP, (3,)),
    "most are wrong": (LOOKS + FAR, range(1, BLOCKS)),
    "all update one place": (UPDATE + FAR, (11,)),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", ONLY_PYTHON)
def test_blocks_that_do_not_stand_alone_are_run_with_all(what):
    body, wrong = ONLY_PYTHON[what]
    result = both(VALUE + body, initialised=True, **looks(*wrong))

    assert not result.engine.native
    assert result.findings


def test_what_a_block_wrote_before_it_was_left_counts_for_nothing():
    """Some of its threads look there before others write, in Python; here they come later, and it was found wrong."""
    early = """
  %q = getelementptr i32, ptr %o, i64 %i
  %odd = and i32 %t, 1
  %cut = select i1 %c, i32 0, i32 %odd
  %d = icmp ne i32 %cut, 0
  br i1 %d, label %early, label %all
early:
  %r = xor i64 %i, 1
  %e = getelementptr i32, ptr %o, i64 %r
  %x = load i32, ptr %e
  br label %all
all:
  %y = phi i32 [ %v, %0 ], [ %x, %early ]
  store i32 %y, ptr %q"""
    result = both(f"{VALUE}\n  %c = icmp ult i32 %v, 384{early}{FAR}", **looks(3))

    assert {finding.kind for finding in result.findings} == {"out-of-bounds", "race", "uninitialised"}


def test_what_nobody_writes_is_told_as_ever():
    """It takes all stores to know how wide it would have been."""
    body = f"{VALUE}{FAR}\n  %c = icmp ne i32 %v, 5\n  br i1 %c, label %go, label %end\ngo:{OUT}\n  br label %end\nend:"
    result = both(body, **looks(3))

    assert not result.engine.native
    assert {finding.kind for finding in result.findings} == {"out-of-bounds", "never-written"}


def test_a_thousand_racing_blocks_are_told_as_ever():
    body = f"{VALUE}{IN_BLOCK}\n  store i32 %v, ptr addrspace(3) %mine\n  %w = load i32, ptr addrspace(3) %theirs{OUT}"
    result = both(body, observers=simt.observers(counters=False, redundant=False), **looks(blocks=1024))

    assert not result.engine.native
    assert {finding.kind for finding in result.findings} == {"race"}


@pytest.mark.slow
def test_where_blocks_are_is_known_anew_once_some_of_them_ran_alone():
    """Those that a wrong block leaves of the first ones are as many as the first ones of the next launch."""
    module = simt.decode(made(VALUE + LOOKS + FAR))
    for wrong, python in ((5,), 2), ((), 1):  # one of them counted for all others
        how = {"observers": simt.observers(), "initialised": True, **looks(*wrong, blocks=80)}
        result, output = run(module, "native", **how)
        assert result.engine.python == python
        assert output.tobytes() == run(module, "reference", **how)[1].tobytes()


def test_where_blocks_are_is_kept_where_there_is_no_memory_for_others(monkeypatch):
    """The next launch finds the first ones where the last found them."""
    module, how = simt.decode(made(f"{VALUE}\n  %w = add i32 %v, 1{OUT}")), looks(blocks=80)

    def lacks(*_):
        raise MemoryError

    assert run(module, "native", **how)[0].engine.native
    with monkeypatch.context() as patched:
        patched.setattr(worker, "geometry_values", lacks)
        patched.setattr(BlockRunner, "_run_others", lambda bound, code, one, *_: one.run(code, bound.blocks[32:40]))
        assert not run(module, "native", **how)[0].engine.native

    (native,) = compile_kernel(module, None, target_of("nvidia:sm_90")).cache.native.values()
    kept = native.idle[1]
    assert kept._here in kept._placed
    result, output = run(module, "native", **how)
    assert result.engine.native and (output == how["values"] + 1).all()
