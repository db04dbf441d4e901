"""Of the mutants of the solutions' text none is left over without a reason, at the launches that the modes have."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from harness.build import toolchain
from harness.catalogue import CASES, find_case
from harness.model.target import Target
from tests.mutants import coincident
from tests.mutants.coincident_reasons import REASONS, find_reason
from tests.mutants.source_code import comparable, differs_in_array_sizes
from tests.mutants.source_fates import Fate, find_fates, mode_edits

TARGET = Target.parse("nvidia")
FATES = [
    Fate(
        "nvidia:sm_90", "p06", "add_10_blocks", "line 31:13: quantity: a -> b", "quantity", "killed", "MISMATCH", "p06"
    ),
    Fate("nvidia:sm_90", "p06", "add_10_blocks", "line 34:8: guard: i < size -> True", "guard", "left over"),
    Fate("amd:gfx942", "p06", "add_10_blocks", "line 34:8: guard: i < size -> True", "guard", "left over"),
    Fate("amd:gfx942", "p12", "dot_product", "line 52:17: quantity: TPB -> SIZE", "quantity", "same constant"),
]
CODE = """; ModuleID = 'm'
source_filename = "m"
@one._shared = internal addrspace(3) global [8 x float] undef, align 4
define ptx_kernel void @one(ptr %0) #0 !dbg !5 {
  %2 = load float, ptr %0, align 4, !dbg !6, !invariant.load !7
  store float %2, ptr addrspace(3) @one._shared, align 4, !dbg !6
  ret void
}
!5 = distinct !DISubprogram(name: "one")
!6 = !DILocation(line: 5, column: 1, scope: !5)
!7 = !{}
"""
needs_mojo = pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")


def test_code_is_compared_without_names_and_lines():
    renamed = CODE.replace("@one", "@two").replace("line: 5", "line: 6").replace("!7", "!8").replace("'m'", "'n'")

    assert comparable(CODE) == comparable(renamed)
    assert comparable(CODE) != comparable(CODE.replace("load float", "load half"))
    assert comparable(CODE) != comparable(CODE.replace("!7 = !{}", "!7 = !{i32 1}"))


def test_a_larger_shared_array_is_no_other_code_and_a_smaller_one_is():
    code, larger = comparable(CODE), comparable(CODE.replace("[8 x", "[16 x"))

    assert differs_in_array_sizes(code, larger) and not differs_in_array_sizes(larger, code)
    assert not differs_in_array_sizes(code, larger.replace("load float", "load half"))


def test_tables_count_and_name_what_is_left_over():
    lines = coincident.format_tables(FATES).splitlines()

    assert "| nvidia:sm_90 | 2 | 0 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 1 |" in lines
    assert "| p12 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 0 | 0 |" in lines
    assert "| all | 4 | 0 | 1 | 0 | 0 | 0 | 0 | 1 | 0 | 2 |" in lines
    left = coincident.format_left_over(FATES).splitlines()
    assert left == ["p06, add_10_blocks: line 34:8: guard: i < size -> True (nvidia, amd)"]


def test_a_run_that_was_cut_off_goes_on_where_it_ended(tmp_path):
    file, entry = tmp_path / "fates.jsonl", find_case("p06")
    names = [(mutant.function, str(mutant), mutant.operator) for mutant in mode_edits(entry)]
    fates = [Fate(TARGET.name, "p06", *name, "killed") for name in names]
    lines = [json.dumps(fate.record()) for fate in fates]
    file.write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:20], encoding="utf-8")

    known = coincident.read_fates(file)
    assert len(known) == len(lines) - 1
    assert [batch[:2] for batch in coincident.batches([entry], [TARGET.name], known)] == [(TARGET.name, "p06")]
    file.write_text("\n".join(lines), encoding="utf-8")
    assert list(coincident.batches([entry], [TARGET.name], coincident.read_fates(file))) == []


def test_a_target_that_refuses_a_mode_has_no_mutants_of_it():
    assert list(coincident.batches([find_case("p34:reduction")], ["amd:gfx942"])) == []


def test_reasons_speak_of_mutants_that_there_are():
    """Whether they survive, the tables say."""
    for reason in REASONS:
        for name in reason.cases:
            assert any(reason.fits(name, mutant) for mutant in mode_edits(find_case(name))), (name, reason)


def _fates(name: str) -> list[Fate]:
    entry = find_case(name)
    return list(find_fates(entry, TARGET, mode_edits(entry)))


@needs_mojo
@pytest.mark.slow
def test_of_blocks_no_mutant_survives_and_none_is_killed_by_a_promise_alone():
    """`grid_dim.x` for `block_dim.x` gives the right values at 3 blocks of 4 threads."""
    fates = _fates("p06")

    assert {fate.outcome for fate in fates} == {"killed"}
    assert any("block_dim.x -> grid_dim.x" in fate.edit and fate.launch != "p06" for fate in fates)


@needs_mojo
@pytest.mark.slow
def test_an_else_that_only_idle_threads_run_is_no_equivalent_mutant():
    """At the documented launch alone no thread runs it, and that proves nothing."""
    mutants = [mutant for mutant in mode_edits(find_case("p12")) if mutant.operator in ("else", "guard")]
    told, alone = find_case("p12"), replace(find_case("p12"), further=(), size=None)

    assert {fate.outcome for fate in find_fates(told, TARGET, mutants)} == {"killed", "claim"}
    left = {fate.edit.partition(": ")[2] for fate in find_fates(alone, TARGET, mutants) if fate.outcome == "left over"}
    assert left == {"else: shared[local_i] = 0 -> pass", "guard: global_i < size -> True"}


@needs_mojo
@pytest.mark.full
@pytest.mark.parametrize(("name", "left_over"), [("p12", set()), ("p15", {"stride -> grid_dim.y", "stride -> BATCH"})])
def test_nothing_is_left_over_without_a_reason(name, left_over):
    """And what is explained by hand is what survives."""
    fates = _fates(name)
    edits = {(mutant.function, str(mutant)): mutant for mutant in mode_edits(find_case(name))}

    assert {fate.edit.rpartition(": ")[2] for fate in fates if fate.outcome == "left over"} == left_over
    for fate in fates:
        explained = find_reason(name, edits[fate.function, fate.edit])
        assert explained is None or fate.outcome in ("by hand", "fixed"), fate.edit


@needs_mojo
@pytest.mark.full
def test_what_is_left_over_of_all_modes_is_stored(tmp_path):
    out = tmp_path / "fates.jsonl"
    assert coincident.main(["--target", TARGET.name, "--out", str(out)]) == 0
    left = {fate.edit for fate in coincident.read_fates(out).values() if fate.outcome == "left over"}
    stored = coincident.LEFT_OVER.read_text(encoding="utf-8")

    assert [edit for edit in left if f": {edit} (" not in stored] == []
    assert {case.case for case in coincident.read_fates(out).values()} == {entry.id for entry in CASES}
