"""Where blocks are in memory is known from launch to launch."""

from __future__ import annotations

import pytest

from harness import simt
from harness.simt.compile.program import compile_kernel
from harness.simt.native.execution import worker
from harness.simt.native.execution.blocks import BlockRunner
from harness.simt.targets import target_of
from tests.simt.engines import FAR, LOOKS, OUT, VALUE, looks, made, run


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
