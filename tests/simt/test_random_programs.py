"""The command that runs random programs by the thousand, and that what it compares can differ."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from harness.simt.ir.types import Struct
from harness.simt.native import module
from harness.simt.native.jit import compiler as machine
from harness.simt.run import compiled_launch
from tests import cuda
from tests.processes import import_path
from tests.simt import compare, random_ir, random_programs
from tests.simt.reference import Address, NotModelledError, Reference, arithmetic, memory, warp

MOST = 100  # programs until a wrong meaning must have shown
SAMPLE = ("by-value", "packed", "copy")


def as_padded(ty, number, right=memory.field_offset):
    """The offset that a field had if no struct were packed."""
    return right(Struct(ty.fields), number)


def shared_by_all_calls(self, lane, op, right=Reference._op_alloca):
    """What a function that calls itself allocates: once for each lane."""
    if not hasattr(lane, "allocated"):
        lane.allocated = {}
    return lane.allocated.setdefault(op.name, right(self, lane, op))


def always_full(self, lane, name, values, right=Reference._copy):
    """Asynchronous copies that do not fill up with zeros."""
    right(self, lane, name.removesuffix(".s") if name.startswith("ca") else name, values)


def done_at_once(self, lane, op, name, values, right=Reference._phase):
    """A barrier in memory that nobody waits for."""
    return 1 if name.startswith("test.wait") else right(self, lane, op, name, values)


# What is wrong, where it stands, its name there, and what takes its place.
WRONG = {
    "shift": (arithmetic.INTEGER, "lshr", lambda a, b, n: arithmetic.signed(a, n) >> b),
    "element": (Reference, "_op_extractelement", lambda self, lane, op: self._value(lane, op.operands[0])[0]),
    "packed": (memory, "field_offset", as_padded),
    "by-value": (Reference, "_own", lambda self, value, param: value),
    "alias": (compare, "Address", lambda buffer, offset: Address(bytearray(buffer), offset)),
    "recursion": (Reference, "_op_alloca", shared_by_all_calls),
    "atomic": (Reference, "_op_cmpxchg", lambda self, lane, op: (0, 0)),
    "reduction": (warp, "reduced", lambda name, values, bits: values[0]),
    "vote": (warp, "_vote", lambda mode, bits: 0),
    "copy": (Reference, "_copy", always_full),
    "phase": (Reference, "_phase", done_at_once),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "wrong", [pytest.param(name, marks=() if name in SAMPLE else pytest.mark.full) for name in WRONG]
)
def test_a_wrong_meaning_shows_within_a_few_programs(wrong, monkeypatch):
    """As it would if it were the simulator's."""
    place, name, instead = WRONG[wrong]
    (monkeypatch.setitem if isinstance(place, dict) else monkeypatch.setattr)(place, name, instead)

    def differs(compared):
        try:
            compared()
        except (AssertionError, NotModelledError):
            return True
        return False

    assert any(map(differs, compare.structured(range(MOST))))


STAND_IN = """
import sys, time

for seed in sys.argv[sys.argv.index("--child") + 1 :]:
    if seed == "1":
        time.sleep(60)
    if seed == "3":
        print("what it said last", flush=True)
        sys.exit(5)
    if seed == "4":
        print("the two results")
    print("RESULT", "different" if seed == "4" else "same", flush=True)
"""


@pytest.mark.slow
def test_what_hangs_ends_or_differs_is_named_and_the_others_go_on(tmp_path, monkeypatch, capsys):
    """And what has been run is not run again."""
    (tmp_path / "stand_in.py").write_text(STAND_IN, encoding="utf-8")
    monkeypatch.setattr(random_programs, "MODULE", "stand_in")
    monkeypatch.setenv("PYTHONPATH", import_path(tmp_path))
    log = tmp_path / "log"
    arguments = ["--kinds", "structured", "--jobs", "1", "--limit", "5", "--log", str(log)]

    assert random_programs.main([*arguments, "--seeds", "0:6"]) == 1
    said = capsys.readouterr().out
    assert "HUNG: python -m stand_in --kinds structured --seeds 1:2\n" in said
    assert "ENDED: python -m stand_in --kinds structured --seeds 3:4\nwhat it said last\n" in said
    assert "DIFFERENT: python -m stand_in --kinds structured --seeds 4:5\nthe two results\n" in said
    assert "structured: 3 same, 1 different, 1 hung, 1 ended\n" in said

    assert random_programs.main([*arguments, "--seeds", "4:8"]) == 1
    assert "structured: 5 same, 1 different, 1 hung, 1 ended\n" in capsys.readouterr().out
    assert len(log.read_text(encoding="utf-8").splitlines()) == 8


BYTES = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %f = load float, ptr addrspace(1) %p, align 4
  %g = fadd float %f, 2.5
  store volatile float %g, ptr addrspace(1) %p, align 1
  ret void
}
"""


def test_a_byte_of_a_float_is_cut_out_before_a_gpu_stores_it():
    """The other bytes are shifted to their place, by which the driver's compiler takes them for integers already."""
    code = cuda.ptx(BYTES)

    (register,) = re.findall(r"add\.rn\.f32\s+(%r\d+),", code)
    assert f"and.b32 %part, {register}, 255; st.volatile.global.b8" in code
    assert not re.search(rf"st\S+\s+\[[^]]*\], {register};", code)


# A seed, whether LLVM optimises, and at which level of its own it compiles what is written for what.
TIERS = {
    "general": (1, True, [False], [1]),
    "of a shape": (5, True, [False, True], [3]),
    "general, unoptimised": (1, False, [False], [0]),
    "of a shape, unoptimised": (5, False, [False, True], [0]),
}


@pytest.mark.slow
@pytest.mark.optimised
@pytest.mark.parametrize(("seed", "optimised", "shaped", "levels"), TIERS.values(), ids=TIERS)
def test_a_kernel_is_written_and_compiled_once_for_all_numbers_of_workers(seed, optimised, shaped, levels, monkeypatch):
    """What is for blocks of a shape is written beside what is for any."""
    shapes, compiled = [], []

    def written(program, notes, shape=None, right=module.write_module):
        shapes.append(shape is not None)
        return right(program, notes, shape)

    def made(text, level, right=machine._object):
        compiled.append(level)
        return right(text, level)

    monkeypatch.setattr(machine, "_CODE", {})
    monkeypatch.setattr(machine, "_object", made)
    monkeypatch.setattr(module, "write_module", written)
    (compared,) = compare.machine_code([seed], optimised=optimised)

    assert compared()
    assert (shapes, compiled) == (shaped, levels)


@pytest.mark.slow
def test_a_launch_by_machine_code_learns_nothing_from_the_one_before(monkeypatch):
    """One that by two workers seems to reach nothing says nothing of how exact the kernel is."""

    def lost(engine, registers, observers, blocks, options, right=compiled_launch.attempt):
        tried = right(engine, registers, observers, blocks, options)
        return tried._replace(reached=()) if options.workers == 2 else tried

    assert compare.graph_natively(1)
    monkeypatch.setattr(compiled_launch, "attempt", lost)
    with pytest.raises(AssertionError):
        compare.graph_natively(1)


def test_of_each_kind_of_kernel_some_are_asked_for_needless_barriers_and_most_are_not(monkeypatch):
    """Of which machine code seldom is sure: most of what it has a form for has to run as such."""
    asked = {"structured": Counter(), "graph": Counter()}
    for kind in asked:
        monkeypatch.setattr(random_ir, kind, lambda seed, kind=kind, **_: kind)
    monkeypatch.setattr(compare, "natively", lambda kind, redundant: asked[kind].update([redundant]))
    for seed in range(0, 400, 4):
        for run in compare.machine_code([seed, seed + 1]):
            run()

    assert asked == {kind: {True: 20, False: 80} for kind in asked}
