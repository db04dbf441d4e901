"""Every kernel with a fault is caught, and its near twin is clean."""

from __future__ import annotations

import pytest

from harness import simt
from tests.hazards.pairs import PAIRS, arguments, header, name, run

# Of each class the first, and every sixth: machine code is compiled for each.
SOME = {*{path.parent: path for path in reversed(PAIRS)}.values(), *PAIRS[::6]}
SEEDS = [None, pytest.param(3, marks=pytest.mark.full)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("path", PAIRS, ids=name)
def test_the_fault_is_caught(path, seed):
    """The finding has the kind and the severity that the file names, and a place."""
    kind, severity = header(path, "caught").split(", ")
    result = run(path, "caught", seed)
    findings = [finding for finding in result.findings if (finding.kind, finding.severity) == (kind, severity)]

    assert findings, result.findings
    assert all(finding.kernel == "caught" for finding in findings)
    if kind not in ("never-written", "redundant-barrier"):
        assert findings[0].who
        assert findings[0].sites
    assert (result.verdict == "findings") == (severity != "information")


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("path", PAIRS, ids=name)
def test_the_near_twin_is_clean(path, seed):
    """One edit away, nothing is reported, nor what the other is caught for."""
    kind, _ = header(path, "caught").split(", ")
    result = run(path, "clean", seed)

    assert result.verdict == "clean", result.findings
    assert kind not in {finding.kind for finding in result.findings}


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [(1, 2), pytest.param((3, 6), marks=pytest.mark.full)], ids=str)
@pytest.mark.parametrize("path", PAIRS, ids=name)
def test_what_is_called_ordered_is_the_same_in_every_order(path, seeds):
    """Else a fault that only another order shows would pass; those that are caught are not called so."""
    left = {}
    for seed in (None, *seeds):
        args = list(arguments(path))
        result = run(path, "clean", seed, args)
        if seed is None and not result.ordered:
            break
        left[seed] = [argument.array.tobytes() for argument in args if isinstance(argument, simt.Buffer)]
        assert left[seed] == left[None]
    caught = run(path, "caught")
    assert not caught.ordered or {finding.severity for finding in caught.findings} == {"information"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [path if path in SOME else pytest.param(path, marks=pytest.mark.full) for path in PAIRS],
    ids=name,
)
def test_machine_code_changes_nothing_and_proves_no_fault_away(path):
    """A fault is told by Python, of its block at least; what a launch leaves and what is said of it are the same."""
    for one in ("caught", "clean"):
        left, results = [], []
        for engine in ("reference", "native"):
            args = list(arguments(path))
            results.append(run(path, one, None, args, engine, counters=False))
            left.append([argument.array.tobytes() for argument in args if isinstance(argument, simt.Buffer)])
        expected, result = results

        assert left[0] == left[1]
        assert result.findings == expected.findings
        assert (result.verdict, result.ordered, result.printed) == (
            expected.verdict,
            expected.ordered,
            expected.printed,
        )
        assert dict(result.fidelity) == dict(expected.fidelity)
        faults = [finding for finding in result.findings if finding.severity != "information"]
        assert result.engine.python or not faults
