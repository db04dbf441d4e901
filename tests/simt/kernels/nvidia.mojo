"""A program that runs each kernel with what NVIDIA's GPUs alone have, and prints its output.

The tests compare the kernels with NumPy; on a machine with a GPU, what the program prints there with what it prints
in the simulator.
"""

from std.memory import bitcast
from max.gpu.host import DeviceContext, Dim
from nvidia_copies import (
    cluster_phases,
    copy_filled,
    copy_in_stages,
    copy_widths,
    dependent,
    phases_by_token,
    pipelined,
    vector_parts,
)
from nvidia_mma import (
    matrices,
    mma_brain,
    mma_brain_8,
    mma_double,
    mma_e4m3,
    mma_e5m2,
    mma_half,
    mma_half_8,
    mma_half_half,
    mma_tf32,
    mma_tf32_4,
)
from nvidia_wgmma import (
    wgmma_brain,
    wgmma_e4m3,
    wgmma_e5m2,
    wgmma_half,
    wgmma_half_half,
    wgmma_held,
    wgmma_held_turned,
    wgmma_mixed,
    wgmma_tf32,
    wgmma_turned_a,
    wgmma_turned_b,
    wgmma_turned_both,
)

comptime Floats = Pointer[Float32, MutAnyOrigin]


def main() raises:
    """Runs each kernel once and prints the bits of its output."""
    with DeviceContext() as ctx:
        var input = ctx.enqueue_create_buffer[DType.float32](1024)
        with input.map_to_host() as host:
            var state = UInt32(7)
            for i in range(1024):
                state = state * 1664525 + 1013904223
                host[i] = Float32(Int(state >> 16) - 32768) * 1.1

        @__parameter
        def run[
            kernel: def(Floats, Floats) thin -> None, cluster: Int = 1
        ](name: StaticString, blocks: Int, threads: Int) raises:
            var output = ctx.enqueue_create_buffer[DType.float32](1024)
            output.enqueue_fill(0)
            ctx.enqueue_function[kernel](
                output,
                input,
                grid_dim=blocks,
                block_dim=threads,
                cluster_dim=Dim(cluster),
            )
            with output.map_to_host() as host:
                var line = String(name)
                for i in range(1024):
                    line += " " + String(bitcast[DType.uint32](host[i]))
                print(line)

        run[copy_widths]("copy_widths", 1, 32)
        run[copy_filled]("copy_filled", 1, 32)
        run[copy_in_stages]("copy_in_stages", 1, 64)
        run[dependent]("dependent", 1, 64)
        run[vector_parts]("vector_parts", 1, 32)
        run[mma_tf32]("mma_tf32", 1, 32)
        run[mma_tf32_4]("mma_tf32_4", 1, 32)
        run[mma_half]("mma_half", 1, 32)
        run[mma_half_8]("mma_half_8", 1, 32)
        run[mma_half_half]("mma_half_half", 1, 32)
        run[mma_brain]("mma_brain", 1, 32)
        run[mma_brain_8]("mma_brain_8", 1, 32)
        run[mma_double]("mma_double", 1, 32)
        run[mma_e4m3]("mma_e4m3", 1, 32)
        run[mma_e5m2]("mma_e5m2", 1, 32)
        run[matrices]("matrices", 1, 32)
        run[wgmma_brain]("wgmma_brain", 1, 128)
        run[wgmma_tf32]("wgmma_tf32", 1, 128)
        run[wgmma_half]("wgmma_half", 1, 128)
        run[wgmma_half_half]("wgmma_half_half", 1, 128)
        run[wgmma_e4m3]("wgmma_e4m3", 1, 128)
        run[wgmma_e5m2]("wgmma_e5m2", 1, 128)
        run[wgmma_turned_a]("wgmma_turned_a", 1, 128)
        run[wgmma_turned_b]("wgmma_turned_b", 1, 128)
        run[wgmma_turned_both]("wgmma_turned_both", 1, 128)
        run[wgmma_held]("wgmma_held", 1, 128)
        run[wgmma_held_turned]("wgmma_held_turned", 1, 128)
        run[wgmma_mixed]("wgmma_mixed", 1, 128)
        run[phases_by_token]("phases_by_token", 1, 64)
        run[pipelined]("pipelined", 1, 64)
        run[cluster_phases, cluster=2]("cluster_phases", 2, 32)
