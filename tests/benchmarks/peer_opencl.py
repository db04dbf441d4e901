"""Times the OpenCL kernels on the first OpenCL platform; prints JSON.

Run by a Python that has pyopencl: plainly for PoCL, under `oclgrind` for Oclgrind.
Usage: peer_opencl.py REPEATS ALGORITHM:THREADS...
"""

import json
import statistics
import sys
import time
from pathlib import Path

import numpy as np
import pyopencl as cl
from measure import peak_bytes

COLUMNS = {"axis_sum": (8, 6), "block_sum": (1024, 1024)}


def main():
    """Prints the platform, and of each workload the median seconds and the least of the processor."""
    repeats, *workloads = sys.argv[1:]
    context = cl.Context(cl.get_platforms()[0].get_devices()[:1])
    device = context.devices[0]
    queue = cl.CommandQueue(context)
    source = (Path(__file__).parent / "kernels" / "sums.cl").read_text(encoding="utf-8")
    program = cl.Program(context, source).build()
    result = {"platform": device.platform.name, "version": device.platform.version, "seconds": {}, "spent": {}}
    for workload in workloads:
        name, _, threads = workload.partition(":")
        block, columns = COLUMNS[name]
        blocks = int(threads) // block
        values = (np.arange(blocks * columns) % 7).astype(np.float32)
        sums = np.zeros(blocks, np.float32)
        flags = cl.mem_flags
        given = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=values)
        made = cl.Buffer(context, flags.WRITE_ONLY, sums.nbytes)
        kernel = cl.Kernel(program, name)
        kernel.set_args(made, given)
        seconds, spent = [], []
        for turn in range(int(repeats) + 1):
            start, before = time.perf_counter(), time.process_time()
            cl.enqueue_nd_range_kernel(queue, kernel, (blocks * block,), (block,))
            queue.finish()
            if turn or repeats == "0":
                seconds.append(time.perf_counter() - start)
                spent.append(time.process_time() - before)
        cl.enqueue_copy(queue, sums, made)
        queue.finish()
        np.testing.assert_array_equal(sums, values.reshape(blocks, columns).sum(1))
        result["seconds"][workload], result["spent"][workload] = statistics.median(seconds), min(spent)
    result["peak_bytes"] = peak_bytes()
    print(json.dumps(result))


main()
