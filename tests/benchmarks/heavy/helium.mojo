"""Repulsion integrals of eight helium atoms, three Gaussians each: 81 rounds of exp and erf for each of 666 quartets."""

from max.gpu import global_idx
from max.gpu.host import DeviceContext
from std.atomic import Atomic
from std.math import erf, exp, pi, sqrt
from std.testing import assert_true

comptime ATOMS = 8
comptime PAIRS = ATOMS * (ATOMS + 1) // 2
comptime QUARTETS = PAIRS * (PAIRS + 1) // 2
comptime GAUSSIANS = 3
comptime THREADS = 64
comptime In = UnsafePointer[Float64, ImmutAnyOrigin]
comptime Out = UnsafePointer[Float64, MutAnyOrigin]


def row_of(number: Int) -> Int:
    """Returns the row of an element of a triangle that is counted row by row."""
    var row = 0
    while (row + 1) * (row + 2) // 2 <= number:
        row += 1
    return row


def distance(at: In, i: Int, j: Int) -> Float64:
    """Returns the square of the distance of two atoms."""
    var total = Float64(0)
    for axis in range(3):
        var step = at[3 * i + axis] - at[3 * j + axis]
        total += step * step
    return total


def boys(t: Float64) -> Float64:
    """Returns the Boys function of order 0."""
    if t < 1e-8:
        return 1.0 - t / 3.0
    var root = sqrt(t)
    return 0.5 * sqrt(pi / t) * erf(root)


def repel(to: Out, at: In, exponents: In, weights: In):
    var number = Int(global_idx.x)
    if number >= QUARTETS:
        return
    var first = row_of(number)
    var second = number - first * (first + 1) // 2
    var i = row_of(first)
    var j = first - i * (i + 1) // 2
    var k = row_of(second)
    var l = second - k * (k + 1) // 2
    var ij = distance(at, i, j)
    var kl = distance(at, k, l)
    var total = Float64(0)
    for a in range(GAUSSIANS):
        for b in range(GAUSSIANS):
            var p = exponents[a] + exponents[b]
            var left = exp(-exponents[a] * exponents[b] / p * ij)
            for c in range(GAUSSIANS):
                for d in range(GAUSSIANS):
                    var q = exponents[c] + exponents[d]
                    var right = exp(-exponents[c] * exponents[d] / q * kl)
                    var pq = Float64(0)
                    for axis in range(3):
                        var x = (
                            exponents[a] * at[3 * i + axis]
                            + exponents[b] * at[3 * j + axis]
                        ) / p
                        var y = (
                            exponents[c] * at[3 * k + axis]
                            + exponents[d] * at[3 * l + axis]
                        ) / q
                        pq += (x - y) * (x - y)
                    var weight = (
                        weights[a] * weights[b] * weights[c] * weights[d]
                    )
                    var f = boys(p * q / (p + q) * pq)
                    total += weight * left * right * f / (p * q * sqrt(p + q))
    to[number] = total


def main() raises:
    with DeviceContext() as ctx:
        var to = ctx.enqueue_create_buffer[DType.float64](QUARTETS)
        var at = ctx.enqueue_create_buffer[DType.float64](3 * ATOMS)
        var exponents = ctx.enqueue_create_buffer[DType.float64](GAUSSIANS)
        var weights = ctx.enqueue_create_buffer[DType.float64](GAUSSIANS)
        with at.map_to_host() as host:
            for i in range(ATOMS):
                host[3 * i] = Float64(i % 2) * 1.4
                host[3 * i + 1] = Float64(i // 2 % 2) * 1.4
                host[3 * i + 2] = Float64(i // 4) * 1.4
        with exponents.map_to_host() as host:
            host[0] = 6.3624214
            host[1] = 1.1589230
            host[2] = 0.3136498
        with weights.map_to_host() as host:
            host[0] = 0.1543290
            host[1] = 0.5353281
            host[2] = 0.4446345
        ctx.enqueue_function[repel](
            to,
            at,
            exponents,
            weights,
            grid_dim=(QUARTETS + THREADS - 1) // THREADS,
            block_dim=THREADS,
        )
        with to.map_to_host() as host:
            var total = Float64(0)
            for i in range(QUARTETS):
                total += host[i]
            assert_true(total > 0)
            print("repulsion", total)
