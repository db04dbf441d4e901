"""Every kernel with a fault is caught, and its near twin is clean.

A pair is a file `<class>/<name>.ll` with the kernels `caught` and `clean`; its
first lines say what is wrong, the launch, the arguments as `name:role:type:count`
(`in` is read-only, `out` not initialised, `inout` zeroed), and the finding.
"""

import re
from pathlib import Path

import numpy as np
import pytest

from harness import simt

FOLDER = Path(__file__).parent
CLASSES = (
    "bounds",
    "cluster",
    "race_cluster",
    "race_global",
    "race_scope",
    "race_shared",
    "race_warp",
    "shuffle",
    "sync",
    "uninitialised",
    "unwritten",
)
PAIRS = sorted(path for name in CLASSES for path in (FOLDER / name).glob("*.ll"))
TYPES = {"f32": np.float32, "i32": np.int32, "i16": np.int16}


def header(text, key):
    """What the comment `; key: ...` says."""
    return re.search(rf"^; {key}: (.*)$", text, re.MULTILINE)[1]


def arguments(text):
    """Fresh buffers."""
    for one in header(text, "arguments").split():
        name, role, kind, count = one.split(":")
        values = np.arange(int(count)) if role == "in" else np.zeros(int(count))
        yield simt.Buffer(values.astype(TYPES[kind]), name, initialised=role != "out", writable=role != "in")


def run(path, kernel, seed=None):
    """Launches one of the two kernels under all observers."""
    text = path.read_text(encoding="utf-8")
    grid, block, cluster = map(int, re.findall(r"\d+", header(text, "launch")))
    return simt.launch(
        text,
        kernel=kernel,
        target=header(text, "target"),
        grid=grid,
        block=block,
        cluster=cluster,
        args=list(arguments(text)),
        observers=simt.observers(),
        options=simt.Options(seed=seed),
    )


@pytest.mark.parametrize("seed", [None, 3])
@pytest.mark.parametrize("path", PAIRS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_fault_is_caught(path, seed):
    """The finding has the kind and the severity that the file names, and a place."""
    kind, severity = header(path.read_text(encoding="utf-8"), "caught").split(", ")
    result = run(path, "caught", seed)
    found = [one for one in result.findings if (one.kind, one.severity) == (kind, severity)]

    assert found, result.findings
    assert all(one.kernel == "caught" for one in found)
    if kind not in ("never-written", "redundant-barrier"):
        assert found[0].who
        assert found[0].sites
    assert (result.verdict == "findings") == (severity != "information")


@pytest.mark.parametrize("seed", [None, 3])
@pytest.mark.parametrize("path", PAIRS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_near_twin_is_clean(path, seed):
    """One edit away, nothing is reported, nor what the other is caught for."""
    kind, _ = header(path.read_text(encoding="utf-8"), "caught").split(", ")
    result = run(path, "clean", seed)

    assert result.verdict == "clean", result.findings
    assert kind not in {one.kind for one in result.findings}


def test_there_are_pairs_of_every_class():
    """No class is empty, and the suite does not shrink unseen."""
    assert {path.parent.name for path in PAIRS} == set(CLASSES)
    assert len(PAIRS) >= 50
