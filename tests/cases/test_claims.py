"""Promises are measured; one that is not kept says what was promised and what was found."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from harness.cases import claims
from harness.catalogue import find_case
from harness.model.case import CodeClaim, CounterClaim, OccupancyClaim
from harness.model.report import CaseReport
from harness.model.target import Target
from harness.report import console, json_report
from harness.report.findings import find_reason, make_renderer
from tests import compiled
from tests.mutants.operators import mutants
from tests.solutions.stored import PLACES, launches, simulator, text_of

TARGET = Target.parse("nvidia:sm_90")
STORED = [entry for entry, target in PLACES if target == TARGET.name]


def counters(name):
    """The counters of a solution on the documented data."""
    return launches(find_case(name), TARGET.name, None)[0][1].counters[0]


@pytest.mark.slow
@pytest.mark.parametrize("entry", STORED, ids=lambda case: case.id)
def test_every_counter_that_is_claimed_is_counted(entry):
    """A claim on a counter that does not exist could never hold."""
    measured = counters(entry.id)

    for claim in entry.claims:
        if isinstance(claim, CounterClaim):
            assert claim.counter in measured


@pytest.mark.parametrize("entry", STORED, ids=lambda case: case.id)
def test_every_counter_claim_can_fail(entry):
    """One more than measured breaks each of them."""
    measured = {name: value + 1 for name, value in counters(entry.id).items() if isinstance(value, int)}
    checked = claims.check(entry, TARGET, [measured])

    assert checked
    assert not any(claim.holds for claim in checked)


def test_a_broken_promise_says_promised_and_measured():
    """As a finding with its parameters, in words of a teacher."""
    checked = claims.check(find_case("p15"), TARGET, [{**counters("p15"), "reduction_steps": 4}])
    (broken,) = (claim for claim in checked if not claim.holds)

    assert (broken.promised, broken.measured) == ("3 reduction steps", "4")
    assert broken.unkept.message == "the tree takes log2(TPB) steps (3); this kernel takes 4 steps"
    assert broken.unkept.id == "promise.reduction_steps" and broken.unkept.values["promised"] == 3


def test_a_counter_without_words_of_its_own_is_told_all_the_same():
    """A new puzzle may promise what no other did."""
    claim = CounterClaim("branches agree", "divergent_branches", lambda _: 0, why="they cost time")
    (broken,) = claims.check(replace(find_case("p15"), claims=(claim,)), TARGET, [{"divergent_branches": 2}])

    assert broken.unkept.message == "branches agree (0 divergent branches); this kernel has 2"
    assert find_reason(broken.unkept, make_renderer()) == "they cost time"


def test_instructions_are_looked_for_in_the_code_of_their_vendor():
    """All of `has`, none of `lacks`; other vendors' claims are left out."""
    claim = CodeClaim("a shuffle, no barrier", "nvidia", has=("shfl.sync.bfly",), lacks=("bar.sync",))
    entry = replace(find_case("p26:pair-swap"), claims=(claim,))

    def holds(code, target=TARGET):
        return [claim.holds for claim in claims.check(entry, target, {}, code)]

    assert holds("shfl.sync.bfly.b32 %r1;") == [True]
    assert holds("shfl.sync.bfly.b32 %r1; bar.sync 0;") == [False]
    assert holds("mov.u32 %r1;") == [False]
    assert holds(None) == []
    assert holds("s_endpgm", Target.parse("amd:gfx942")) == []


def _assembly(registers: int) -> str:
    lines = ["- .agpr_count: 0", "  .group_segment_fixed_size: 0", "  .name: k", "  .sgpr_count: 8"]
    lines += [f"  .vgpr_count: {registers}", "  .vgpr_spill_count: 0"]
    return "".join(f"  {line}\n" for line in lines)


def test_registers_that_cost_occupancy_break_a_promise():
    """A compute unit of an MI300X has room for two blocks of 16 waves with 64 registers, and for one with 65."""
    claim = OccupancyClaim("registers cost nothing", threads=1024, shared=0, why="they run out")
    entry, amd = replace(find_case("p31:minimal"), claims=(claim,)), Target.parse("amd:gfx942")
    (kept,), (broken,) = (claims.check(entry, amd, {}, _assembly(registers)) for registers in (64, 65))

    assert kept.holds and kept.measured == "100.0% with 64 registers, limited by threads and registers"
    assert broken.unkept.message == (
        "registers cost nothing (100.0% occupancy); this kernel has 50.0% with 65 registers, limited by registers"
    )
    assert claims.check(entry, amd, {}, None) == ()
    assert claims.check(entry, Target.parse("apple:apple-m4"), {}, _assembly(65)) == ()


def test_what_is_promised_of_one_vendors_gpus_is_not_asked_of_others():
    claim = CounterClaim("four times", "global_transactions", lambda _: 4, vendor="nvidia")
    entry = replace(find_case("p35:unaligned"), claims=(claim,))

    assert len(claims.check(entry, TARGET, [{"global_transactions": 4}])) == 1
    assert claims.check(entry, Target.parse("amd:gfx942"), [{"global_transactions": 1}]) == ()


@pytest.mark.slow
def test_two_thirds_of_an_a10_are_its_threads_alone():
    """What the documents tell of puzzle 31 holds there; an H100 is full."""
    from harness.cases import pipeline
    from harness.model.workspace import kernel_sources

    compiled.solutions()
    cases = [find_case(f"p31:{mode}") for mode in ("minimal", "sophisticated", "balanced")]
    measured = {}
    for name in ("nvidia:sm_86", "nvidia:sm_90"):
        reports = pipeline.claims(cases, Target.parse(name), kernel_sources("solutions", cases))
        told = [claim for report in reports for claim in report.claims if "occupancy" in claim.promised]
        assert all(claim.holds for claim in told)
        measured[name] = [claim.measured.partition("%")[0] for claim in told]

    assert measured == {"nvidia:sm_86": ["66.7"] * 3, "nvidia:sm_90": ["100.0"] * 3}


def test_a_right_result_with_a_broken_promise_is_seen():
    """Puzzle 34 with rank 1 writing: the sum is right, and the promise names rank 0."""
    entry = find_case("p34:reduction")
    text = text_of(entry.op, TARGET.name)
    rank = re.search(r"(%\d+) = call i32 @llvm\.nvvm\.read\.ptx\.sreg\.cluster\.ctarank", text)[1]
    wide = re.search(rf"(%\d+) = [sz]ext i32 {rank} to i64", text)[1]
    (wrong,) = [
        mutant
        for mutant in mutants(text)
        if re.search(f"icmp eq i64 {wide}, 0 -> .* 1$", f"{mutant.old} -> {mutant.new}")
    ]
    request, _ = launches(entry, TARGET.name, None)[0]
    outcome = simulator(entry, TARGET.name, code=wrong.text).launch(request)
    checked = claims.check(entry, TARGET, outcome.counters)

    assert outcome.results["output"].values.tolist() == [523776.0]
    assert "that thread is one of block rank 0" in [claim.sentence for claim in checked if not claim.holds]


def test_lines_and_json_have_every_claim(capsys):
    """For people with their figures, for machines with a schema version."""
    checked = claims.check(find_case("p15"), TARGET, [{**counters("p15"), "reduction_steps": 4}])
    report = CaseReport(
        case="p15",
        target=TARGET.name,
        backend="simulator",
        device=simulator(find_case("p15"), TARGET.name).device,
        verdict="PASS",
        launches=find_case("p15").launches(32),
        claims=checked,
    )
    console.print_claims([report])
    lines = capsys.readouterr().out.splitlines()
    record = json.loads(json_report.text(json_report.claims([report])))

    assert sum(line.startswith("  ok") for line in lines) == len(checked) - 1
    assert lines[lines.index("  FAIL the tree takes log2(TPB) steps") + 1].split() == (
        ["promised", "3", "reduction", "steps,", "measured", "4"]
    )
    assert [claim["holds"] for claim in record["cases"][0]["claims"]] == [claim.holds for claim in checked]
    assert record["schema_version"] == 2
