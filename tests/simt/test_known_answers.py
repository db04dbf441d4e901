"""Kernels whose faults are known exactly, each compiled from `known/known.mojo`.

The first two are the exercises that puzzle 10 sets for a sanitizer, the third is
the last one of puzzle 9; all are written afresh.
"""

from pathlib import Path

import numpy as np

from harness import simt

FOLDER = Path(__file__).parent / "known"


def run(name, block):
    """Launches a kernel on 0, 1, 2, 3 with all observers."""
    values = np.arange(4, dtype=np.float32)
    output = np.full(4, np.nan, np.float32)
    result = simt.launch(
        (FOLDER / f"{name}.sm_90.ll").read_text(encoding="utf-8"),
        target="nvidia:sm_90",
        grid=1,
        block=block,
        observers=simt.observers(),
        args=[simt.Buffer(output, "output", initialised=False), simt.Buffer(values, "a", writable=False)],
    )
    return result, output


def of_kind(result, kind):
    """The findings of a kind."""
    return [finding for finding in result.findings if finding.kind == kind]


def test_a_missing_guard_gives_exactly_four_invalid_reads():
    """Nine threads on four elements: the result is right, and four threads read outside."""
    result, output = run("p10_memory_bug", (3, 3))
    reads = [finding for finding in of_kind(result, "out-of-bounds") if finding.values["access"] == "load"]
    writes = [finding for finding in of_kind(result, "out-of-bounds") if finding.values["access"] == "store"]
    outside = [(2, 1, 0), (0, 2, 0), (1, 2, 0), (2, 2, 0)]

    assert output.tolist() == [10, 11, 12, 13]
    assert [who.thread for finding in reads for who in finding.who] == outside
    assert [finding.count for finding in reads] == [4]
    assert reads[0].argument == "a"
    assert reads[0].values["offsets"] == (16, 16, 20, 24)
    assert reads[0].sites[0].file.endswith("known.mojo")
    assert reads[0].sites[0].line > 0
    # The same threads write outside as well; nothing else is wrong.
    assert [who.thread for finding in writes for who in finding.who] == outside
    assert [finding.kind for finding in result.findings] == ["out-of-bounds"] * 2 + ["several-writers"]


def test_a_missing_guard_lets_two_threads_write_one_element():
    """Thread (2,0) of the unguarded kernel is on the element of (0,1), with the same value."""
    result, _ = run("p10_memory_bug", (3, 3))
    (shared,) = of_kind(result, "several-writers")

    assert {who.thread for who in shared.who} >= {(2, 0, 0), (0, 1, 0)}
    assert (shared.severity, shared.argument) == ("information", "output")


def test_a_barrier_inside_a_divergent_branch_is_named():
    """Three threads of the warp wait at one barrier, the fourth at the next."""
    result, _ = run("p09_divergent_barrier", 4)
    (divergent,) = of_kind(result, "divergent-barrier")
    (missed,) = of_kind(result, "missed-barrier")
    source = (FOLDER / "known.mojo").read_text(encoding="utf-8").splitlines()

    assert divergent.severity == missed.severity == "error"
    assert divergent.sites[0].line != divergent.sites[1].line
    assert {who.thread for who in divergent.who} == {(3, 0, 0)}
    assert {who.thread for who in missed.who} == {(3, 0, 0)}, "who went past it, not who waits"
    assert missed.values["ended"] == 1
    for place in divergent.sites:
        assert source[place.line - 1].strip() == "barrier()"


def test_a_shared_sum_from_nothing_is_undefined():
    """The sum starts from shared memory that nothing wrote: every output is undefined."""
    result, output = run("p10_race", (3, 3))
    (use,) = of_kind(result, "uninitialised")

    assert np.isnan(output).all()
    assert use.argument == "output"
    assert use.values["origin"] == "shared"
    assert use.count == 4


def test_an_unordered_sum_races_in_exactly_two_ways():
    """Every thread does `shared[0] += a[row, col]`: reads against writes, writes against writes."""
    result, _ = run("p10_race", (3, 3))
    races = of_kind(result, "race")
    in_range = {(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)}

    assert sorted(race.values["hazard"] for race in races) == ["WAR", "WAW"]
    for race in races:
        assert {who.thread for who in race.who} == in_range
        assert race.sites[0].line == race.sites[1].line
    (writes,) = (race for race in races if race.values["hazard"] == "WAW")
    assert writes.severity == "error"


def test_the_report_has_the_shape_that_users_know():
    """Access, place, thread and summary, as compute-sanitizer words them."""
    result, _ = run("p10_memory_bug", (3, 3))
    lines = simt.render.text(result).splitlines()

    assert lines[0] == "========= Invalid __global__ read of size 4 bytes (out-of-bounds.after)"
    assert lines[2].startswith("=========     at ") and lines[2].endswith("in add_ten_unguarded")
    assert "=========     by thread (2,1,0) in block (0,0,0), warp 0 lane 5" in lines
    assert lines[-1] == "========= ERROR SUMMARY: 2 errors (8 times), 0 warnings, 1 for information"


def test_the_json_has_the_same_facts():
    """Every finding with sites, lanes and values, and a schema version."""
    result, _ = run("p10_memory_bug", (3, 3))
    record = simt.render.as_dict(result)

    assert record["schema_version"] == 1
    assert record["summary"] == {"error": 2, "warning": 0, "information": 1}
    assert record["findings"][0]["who"][0] == {"block": [0, 0, 0], "thread": [2, 1, 0], "warp": 0, "lane": 5}
