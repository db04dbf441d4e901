"""Times the same algorithms in Numba's CUDA simulator; prints JSON.

Run with NUMBA_ENABLE_CUDASIM=1 by a Python that has numba.
Usage: peer_numba.py REPEATS ALGORITHM:THREADS...
"""

import json
import statistics
import sys
import time

import numba
import numpy as np
from numba import cuda, float32

COLUMNS = {"axis_sum": (8, 6), "block_sum": (1024, 1024)}


@cuda.jit
def axis_sum(output, a):
    """One row of six values for each block of eight threads."""
    cache = cuda.shared.array(8, float32)
    i, row = cuda.threadIdx.x, cuda.blockIdx.x
    cache[i] = a[row * 6 + i] if i < 6 else float32(0)
    cuda.syncthreads()
    stride = 4
    while stride > 0:
        addend = float32(0)
        if i < stride:
            addend = cache[i + stride]
        cuda.syncthreads()
        if i < stride:
            cache[i] += addend
        cuda.syncthreads()
        stride //= 2
    if i == 0:
        output[row] = cache[0]


@cuda.jit
def block_sum(output, a):
    """One value for each of the 1,024 threads of a block."""
    partial = cuda.shared.array(1024, float32)
    i, block = cuda.threadIdx.x, cuda.blockIdx.x
    partial[i] = a[block * 1024 + i]
    cuda.syncthreads()
    stride = 512
    while stride > 0:
        if i < stride:
            partial[i] += partial[i + stride]
        cuda.syncthreads()
        stride //= 2
    if i == 0:
        output[block] = partial[0]


def main():
    """Prints the version and the median seconds of each workload."""
    repeats, *workloads = sys.argv[1:]
    kernels = {"axis_sum": axis_sum, "block_sum": block_sum}
    result = {"version": f"Numba {numba.__version__}", "seconds": {}}
    for workload in workloads:
        name, _, threads = workload.partition(":")
        block, columns = COLUMNS[name]
        blocks = int(threads) // block
        values = (np.arange(blocks * columns) % 7).astype(np.float32)
        sums = np.zeros(blocks, np.float32)
        seconds = []
        for turn in range(int(repeats) + 1):
            start = time.perf_counter()
            kernels[name][blocks, block](sums, values)
            if turn:
                seconds.append(time.perf_counter() - start)
        np.testing.assert_array_equal(sums, values.reshape(blocks, columns).sum(1))
        result["seconds"][workload] = statistics.median(seconds)
    print(json.dumps(result))


main()
