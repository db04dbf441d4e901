"""On a GPU with torch: ops of the puzzles' Mojo files fill torch's tensors where they lie, as the oracle says."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from harness.catalogue import CASES, find_case, p22
from harness.model.project import installed_version
from harness.model.sources import MOJO

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.slow,
    pytest.mark.skipif(not installed_version("torch"), reason="torch is not installed here"),
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


# What a mode of puzzle 22 asks torch to call: in the documents it is torch's tensors that the op fills.
CALLS = {
    "p22:fused": ("layernorm_linear", {"algorithm": "fused"}),
    "p22:unfused": ("layernorm_linear", {"algorithm": "unfused"}),
    "p22:backward": ("layernorm_linear_backward", {}),
}
FILLED = """
import json, sys
from pathlib import Path
import numpy as np, torch
from max.experimental.torch import CustomOpLibrary
op = getattr(CustomOpLibrary(Path(sys.argv[1])), sys.argv[2])[json.loads(sys.argv[3])]
given = np.load(sys.argv[4])
results, operands = (words.split() for words in sys.argv[6:8])
got = {}
for number in range(int(sys.argv[8])):
    filled = [torch.full(given[f"{number}_{name}"].shape, torch.nan, device="cuda") for name in results]
    op(*filled, *(torch.from_numpy(given[f"{number}_{name}"]).cuda() for name in operands))
    torch.cuda.synchronize()
    got |= {f"{number}_{name}": tensor.cpu().numpy() for name, tensor in zip(results, filled, strict=True)}
np.savez(sys.argv[5], **got)
"""


@pytest.mark.parametrize("name", CALLS)
def test_torch_s_tensors_are_filled_as_the_oracle_says(name, tmp_path):
    """Of the documents' size, on every data set, within the case's bound; the tensors to be filled hold NaN before."""
    entry = find_case(name)
    instance = entry.instance(32)
    taken = instance.arguments_of(entry.steps[0])
    results = [argument.name for argument in taken if argument.written]
    operands = [argument.name for argument in taken if not argument.written]
    (tmp_path / "op").mkdir()
    (tmp_path / "op" / "__init__.mojo").write_text((MOJO / "p22" / "solution.mojo").read_text())
    expected = [entry.expected(dataset, 32) for dataset in instance.datasets]
    given = {
        f"{number}_{key}": (dataset.inputs | {key: expected[number][key].astype(np.float32) for key in results})[key]
        for number, dataset in enumerate(instance.datasets)
        for key in (*results, *operands)
    }
    np.savez(tmp_path / "given.npz", **given)
    op, parameters = CALLS[name]
    extents = dict(zip(("batch_size", "seq_len", "hidden_dim", "output_dim"), p22.DOCUMENTED, strict=True))
    files = [str(tmp_path / "given.npz"), str(tmp_path / "got.npz")]
    words = [str(tmp_path / "op"), op, json.dumps(parameters | extents), *files, " ".join(results), " ".join(operands)]
    command = [sys.executable, "-c", FILLED, *words, str(len(instance.datasets))]

    done = subprocess.run(command, capture_output=True, text=True, timeout=300)

    assert done.returncode == 0, done.stderr[-2000:]
    got = np.load(tmp_path / "got.npz")
    for number, dataset in enumerate(instance.datasets):
        for key in results:
            bound, right = entry.within[key], expected[number][key]
            far = np.abs(got[f"{number}_{key}"].astype(np.float64) - right) - (bound.atol + bound.rtol * np.abs(right))
            assert (far <= 0).all(), (dataset.name, key, far.max())
