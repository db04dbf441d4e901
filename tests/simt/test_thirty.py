"""CUDA kernels with the assembly of its headers, as clang compiles them optimised and not, against NumPy."""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from harness import simt

SOURCE = Path(__file__).parent / "kernels" / "thirty.cu"
CLANG = shutil.which("clang-22")
THREADS = 64
T = np.arange(THREADS)
LANE = T % 32
F32, U32 = np.float32, np.uint32
A = (np.arange(256, dtype=np.uint64) * 2654435761 % (1 << 32)).astype(U32).view(np.int32)
# Of all sizes, with halves, and none that is close to what rounds otherwise.
F = ((np.arange(256) * 37 % 101 - 50) * np.array([0.25, 1.5, 0.11, 7.0])[np.arange(256) % 4]).astype(F32)
U = A.view(U32).astype(np.uint64)
ROW = U[:64], U[64:128], U[128:192]

pytestmark = pytest.mark.skipif(CLANG is None, reason="there is no clang-22")


@cache
def compiled(level: str) -> str:
    """All kernels as LLVM IR."""
    command = [str(CLANG), "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib"]
    command += ["-S", "-emit-llvm", level, "-fwrapv", "-gline-tables-only", "-o", "-", str(SOURCE)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def wrapped(values):
    """As 32 bits with a sign."""
    return (np.atleast_1d(np.array(values, object)) % (1 << 32)).astype(np.uint64).astype(U32).view(np.int32)


def columns(*parts):
    """One row for each thread."""
    return np.stack([np.broadcast_to(part, T.shape) for part in parts], 1)


def each(function, *rows):
    """Of Python's numbers, thread by thread."""
    return wrapped([function(*map(int, row)) for row in zip(*rows, strict=True)])


def octets(words, dtype):
    """The bytes of words."""
    return np.ascontiguousarray(words).view(dtype).reshape(-1, 4).astype(np.int64)


def truncated(values):
    """Halves of floats, rounded toward zero."""
    near = values.astype(np.float16)
    return np.where(np.abs(near.astype(F32)) > np.abs(values), np.nextafter(near, np.float16(0)), near)


def bfloat(values):
    """The nearest bfloats, as float32."""
    bits = values.view(U32).astype(np.uint64)
    return (bits + 0x7FFF + (bits >> 16 & 1) & 0xFFFF0000).astype(U32).view(F32)


@np.errstate(over="ignore")
def halves():
    low, high = F[:64].astype(np.float16).astype(float), truncated(F[64:128]).astype(float)
    return columns(*((part * part + 1).astype(np.float16).astype(F32) for part in (low, high)))


def partial():
    rows = A.reshape(64, 4)
    kept = np.where(np.arange(4) < (T % 5)[:, None], rows, 0)
    return kept[::-1]


def product():
    left = (A & 7).reshape(16, 16).astype(F32)
    right = (A[64:192] & 3).reshape(8, 16).astype(F32)
    lane, n = np.indices((32, 4))
    addend = np.zeros((16, 8), F32)
    addend[lane // 4 + n // 2 * 8, lane % 4 * 2 + n % 2] = n
    return left @ right.T + addend


def summed():
    return A[:64].reshape(2, 32).astype(object).sum(1).repeat(32)


def same():
    kinds = (A[:64] & 3).reshape(2, 32)
    bits = (kinds[:, :, None] == kinds[:, None, :]) @ (1 << np.arange(32, dtype=object))
    return bits.reshape(-1)


def ballots():
    return ((A[:64].reshape(2, 32) > 0) @ (1 << np.arange(32, dtype=object))).repeat(32)


def funnel(left, wraps):
    def turn(low, high, n):
        n = n & 31 if wraps else min(n, 32)
        both = high << 32 | low
        return both >> (32 - n) if left else both >> n

    return each(turn, ROW[0], ROW[1], T)


def carried(a, b, c):
    total = (a << 32 | a) + (c << 32 | b)
    product = a * b + c
    return total, total >> 32, total >> 64, product, product >> 32


def collatz(n):
    steps = 0
    while n != 1:
        n, steps = (3 * n + 1 if n % 2 else n // 2), steps + 1
    return steps


def listed(value, t):
    nodes = [value >> n for n in range(1 + t % 4)]
    total = 0
    for node in reversed(nodes):
        total = (3 * total + node) % (1 << 32)
    return total


def fused(rounded):
    exact = F[:64].astype(np.longdouble) * F[64:128] + F32(0.1)
    near = (F[:64].astype(float) * F[64:128] + float(F32(0.1))).astype(F32)
    if rounded == "rn":
        return near
    return np.where(np.abs(near.astype(np.longdouble)) > np.abs(exact), np.nextafter(near, F32(0)), near)


def directed(exact, up):
    near = exact.astype(F32)
    wrong = near.astype(float) < exact if up else near.astype(float) > exact
    return np.where(wrong, np.nextafter(near, F32(np.inf if up else -np.inf)), near)


def saturated():
    both = [np.ascontiguousarray(part).view(np.int16).reshape(-1, 2).astype(int) for part in (A[:64], A[64:128])]
    return np.ascontiguousarray(np.clip(both[0] + both[1], -(1 << 15), (1 << 15) - 1).astype(np.int16)).view(np.int32)[
        :, 0
    ]


X = F[:64]
ODD = T % 2 == 1
UNORDERED = np.where(ODD, F32(np.nan), F32(1))
EXPECTED = {
    "bits": lambda: columns(
        each(lambda a: (a & -a).bit_length(), ROW[0]),
        each(int.bit_count, ROW[0]),
        each(lambda a: 32 - a.bit_length(), ROW[0]),
        each(lambda a: int(f"{a:032b}"[::-1], 2), ROW[0]),
    ),
    "dots": lambda: columns(
        wrapped((octets(A[:64], np.int8) * octets(A[64:128], np.int8)).sum(1) + 5),
        wrapped((octets(A[:64], np.uint8) * octets(A[64:128], np.uint8)).sum(1) + 7),
    ),
    "halves": halves,
    "bfloats": lambda: columns(*(np.minimum(bfloat(part), F32(1)) for part in (F[:64], F[64:128]))),
    "copies": lambda: wrapped(A[63::-1].astype(object) + 3 * A[127:63:-1].astype(object)),
    "partial_copies": partial,
    "barriers": lambda: wrapped(3 * A[63::-1].astype(object) + 3),
    "products": product,
    "shuffles": lambda: columns(wrapped(summed()), np.where(LANE == 0, -7, A[T - 1])),
    "votes": lambda: columns(wrapped(ballots()), 0, wrapped(same())),
    "funnels": lambda: columns(*(funnel(left, wraps) for wraps in (True, False) for left in (True, False))),
    "shifts": lambda: columns(
        each(lambda a, n: a << n, ROW[0], T),
        each(lambda a, n: a >> n, ROW[0], T),
        each(lambda a, n: a >> n, A[:64], T),
    ),
    "logic": lambda: columns(
        each(lambda a, b, c: a & b | ~a & c, *ROW),
        each(lambda a, b: sum(((b << 32 | a) >> 16 * n & 0xFF) << 8 * n for n in range(4)), *ROW[:2]),
    ),
    "fields": lambda: columns(
        each(lambda a: a >> 5 & 2047, ROW[0]),
        each(lambda a: ((a >> 3 & 127) ^ 64) - 64, ROW[0]),
        each(lambda a, b: b & ~(4095 << 8) | (a & 4095) << 8, ROW[1], ROW[0]),
    ),
    "wide_products": lambda: columns(
        each(lambda a, b: a * b >> 32, A[:64], A[64:128]),
        each(lambda a, b: a * b, *ROW[:2]),
        each(lambda a, b: a * b >> 32, *ROW[:2]),
        each(lambda a, b: a * b + 1000000007, A[:64], A[64:128]),
        each(lambda a, b: a * b + 1000000007 >> 32, A[:64], A[64:128]),
    ),
    "carries": lambda: columns(*(each(lambda a, b, c, n=n: carried(a, b, c)[n], *ROW) for n in range(5))),
    "reductions": lambda: columns(wrapped(A[:64].astype(object).sum()), A[:64].max()),
    "exchanges": lambda: columns(T, np.where(ODD, T, A[:64])),
    "vectors": lambda: A.reshape(64, 4)[:, ::-1],
    "bytes": lambda: each(lambda a: (((a >> 8 & 255) ^ 128) - 128) & 0xFFFF | (a >> 24) << 16, ROW[0]),
    "places": lambda: columns(LANE, THREADS, LANE, 1),
    "integers": lambda: columns(
        np.rint(X), np.floor(X), np.ceil(X), np.trunc(np.maximum(X, 0)), np.clip(np.trunc(X * 1000), -32768, 32767)
    ).astype(np.int32),
    "roundings": lambda: columns(
        fused("rn"),
        fused("rz"),
        directed(X.astype(float) + float(F32(0.1)), False),
        directed(X.astype(float) * F[64:128].astype(float), True),
    ),
    "extremes": lambda: columns(np.fmin(X, UNORDERED), np.maximum(X, UNORDERED), np.copysign(F32(2.5), X), -np.abs(X)),
    "approximations": lambda: columns(
        np.exp2(X * F32(0.01)), np.log2(np.abs(X) + 1), 1 / (np.abs(X) + 1), 1 / np.sqrt(np.abs(X) + 1)
    ),
    "choices": lambda: columns(np.where(A[:64] < 1000, A[:64], -4), np.where(A[:64] >= 0, T, -T)),
    "loops": lambda: each(lambda a: collatz((a & 255) + 1), ROW[0]),
    "video": lambda: columns(np.abs(octets(A[:64], np.uint8) - octets(A[64:128], np.uint8)).sum(1), saturated()),
    "lists": lambda: each(listed, A[:64], T),
    "shapes": lambda: np.where(A[:64] & 1, (A[:64] & 15) ** 2, (A[:64] & 15) * T),
    "meetings": lambda: np.where(T < 32, wrapped((A[:64] > 0).sum() + A[63::-1].astype(object)), -(A[:64] > 0).sum()),
    "turned": lambda: (A[:64] & 0xFFFF).reshape(8, 8).T,
    "messages": lambda: A[:1],
}
FEW = ("halves", "copies", "barriers", "products", "lists")


def check(name: str, level: str) -> None:
    """Runs a kernel; what it leaves is what NumPy says, and nothing is found."""
    expected = np.ascontiguousarray(EXPECTED[name]())
    floats = expected.dtype.kind == "f"
    written = np.full(1024, -77, F32 if floats else np.int32)
    given = F if name in ("halves", "bfloats", "integers", "roundings", "extremes", "approximations") else A
    result = simt.launch(
        compiled(level),
        kernel=name,
        target="nvidia:sm_90",
        grid=1,
        block=THREADS,
        args=[written, given],
        observers=simt.observers(unwritten=False),
    )
    assert result.verdict == "clean", (result.fault, [str(finding) for finding in result.findings])
    got = written[: expected.size].reshape(expected.shape)
    if name == "approximations":
        np.testing.assert_allclose(got, expected, rtol=1e-6)
    else:
        np.testing.assert_array_equal(got, expected)
    assert (written[expected.size :] == -77).all()


@pytest.mark.parametrize("name", FEW)
def test_an_optimised_kernel_gives_what_numpy_gives(name):
    check(name, "-O1")


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.parametrize("level", ["-O0", "-O1"])
def test_each_kernel_gives_what_numpy_gives(level, name):
    check(name, level)


def test_each_kernel_is_run():
    """Of more than thirty."""
    kernels = re.findall(r"^KERNEL (\w+)", SOURCE.read_text(encoding="utf-8"), re.MULTILINE)

    assert kernels == list(EXPECTED)
    assert len(kernels) >= 30
