"""On a GPU with torch: an op of a puzzle's Mojo file fills torch's tensors where they lie, as the oracle says."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from harness.catalogue import CASES
from harness.model.project import installed
from harness.model.sources import MOJO

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.slow,
    pytest.mark.skipif(not installed("torch"), reason="torch is not installed here"),
]

# In a process of its own: an error of a kernel would take that process's GPU along.
CALLED = """
import importlib.util, sys
import numpy as np, torch
specification = importlib.util.spec_from_file_location("solution", sys.argv[1])
module = importlib.util.module_from_spec(specification)
specification.loader.exec_module(module)
given = np.load(sys.argv[3])
results = {}
for number in range(int(sys.argv[5])):
    names = sys.argv[6:]
    tensors = [torch.from_numpy(given[f"{number}_{name}"]).cuda() for name in names]
    got = getattr(module, sys.argv[2])(*tensors)
    assert got.is_cuda
    results[str(number)] = got.cpu().numpy()
np.savez(sys.argv[4], **results)
"""


@pytest.mark.parametrize("entry", [entry for entry in CASES if entry.graph and entry.graph.torch], ids=lambda e: e.id)
def test_torch_gets_what_the_oracle_says(entry, tmp_path):
    """On every data set, bit for bit: every intermediate is exact."""
    graph, datasets = entry.graph, entry.instance(32).datasets
    python = tmp_path / "solution.py"
    python.write_text((MOJO / entry.puzzle / "solution.py").read_text())
    (tmp_path / "op").mkdir()
    (tmp_path / "op" / "__init__.mojo").write_text((MOJO / entry.puzzle / "solution.mojo").read_text())
    given = {
        f"{number}_{name}": dataset.inputs[name]
        for number, dataset in enumerate(datasets)
        for name in graph.operands.split()
    }
    np.savez(tmp_path / "given.npz", **given)
    arguments = [str(python), graph.name, str(tmp_path / "given.npz"), str(tmp_path / "got.npz"), str(len(datasets))]
    command = [sys.executable, "-c", CALLED, *arguments, *graph.operands.split()]

    done = subprocess.run(command, capture_output=True, text=True, timeout=300)

    assert done.returncode == 0, done.stderr[-2000:]
    got = np.load(tmp_path / "got.npz")
    for number, dataset in enumerate(datasets):
        expected = entry.expected(dataset, 32)[graph.results].astype(np.float32)
        assert got[str(number)].tobytes() == expected.tobytes(), dataset.name
