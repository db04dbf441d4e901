"""Stencils, filters, hashes and codes."""

from __future__ import annotations

import base64 as codec
import hashlib
import zlib
from itertools import pairwise

import numpy as np

from tests.simt.corpus.launching import Recorder, halves, numbers, program
from tests.simt.corpus.sums import F32, I32, U8, U32, same


def shifted(grid: np.ndarray, by: tuple[int, ...]) -> np.ndarray:
    """Return the neighbours of a grid's inner elements."""
    return grid[tuple(slice(1 + step, size - 1 + step) for step, size in zip(by, grid.shape, strict=True))]


@program("stencils")
def heat(run: Recorder) -> None:
    data, out = halves(1600).reshape(40, 40), np.zeros((40, 40), F32)
    run("heat", (3, 3), (16, 16), data, out, 40)
    wide = np.pad(data, 1)
    around = sum(shifted(wide, by) for by in ((-1, 0), (1, 0), (0, -1), (0, 1)))
    same(out, data + (around - 4 * data) / 4)


@program("stencils")
def planes(run: Recorder) -> None:
    data, out = halves(1000).reshape(10, 10, 10), np.zeros((10, 10, 10), F32)
    run("planes", 1, 128, data, out, 10)
    inner = shifted(data, (-1, 0, 0)) + shifted(data, (1, 0, 0)) - 2 * shifted(data, (0, 0, 0))
    same(shifted(out, (0, 0, 0)), inner + shifted(data, (0, 0, -1)))


@program("stencils")
def life(run: Recorder) -> None:
    data, out = numbers(400, 0, 2, U8).reshape(20, 20), np.zeros((20, 20), U8)
    steps = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
    for _ in range(4):
        alive = np.sum([np.roll(data, step, (0, 1)) for step in steps], 0)
        run("life", 4, 128, data, out, 20)
        same(out, (alive == 3) | ((alive == 2) & (data == 1)))
        data[:] = out


@program("stencils")
def constants(run: Recorder) -> None:
    out = np.zeros(49, F32)
    run("fill_weights", 1, 64, out)
    same(out, np.arange(49))


@program("stencils")
def convolve(run: Recorder) -> None:
    data, kernel, out = halves(1024).reshape(32, 32), halves(49).reshape(7, 7), np.zeros((32, 32), F32)
    run("convolve", 8, 128, data, kernel, out, 32)
    same(out[3:-3, 3:-3], np.einsum("xyij,ij", np.lib.stride_tricks.sliding_window_view(data, (7, 7)), kernel))


@program("stencils")
def median(run: Recorder) -> None:
    data, out = numbers(900, 0, 256, U8).reshape(30, 30), np.zeros((30, 30), U8)
    run("median", 8, 128, data, out, 30)
    same(out[1:-1, 1:-1], np.median(np.lib.stride_tricks.sliding_window_view(data, (3, 3)), (2, 3)))


@program("stencils")
def edges(run: Recorder) -> None:
    data, out = numbers(900, 0, 256, U8).reshape(30, 30), np.zeros((30, 30), I32)
    run("edges", 8, 128, data, out, 30)
    windows = np.lib.stride_tricks.sliding_window_view(data.astype(I32), (3, 3))
    across = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    same(out[1:-1, 1:-1], abs((windows * across).sum((2, 3))) + abs((windows * across.T).sum((2, 3))))


@program("hashes")
def fnv(run: Recorder) -> None:
    first = np.concatenate([[0], numbers(50, 0, 30).cumsum()]).astype(I32)
    text, out, expected = numbers(int(first[-1]), 0, 256, U8), np.zeros(50, U32), []
    for start, stop in pairwise(first):
        code = 2166136261
        for octet in text[start:stop].tolist():
            code = (code ^ octet) * 16777619 % (1 << 32)
        expected.append(code)
    run("fnv", 1, 64, first, text, out, 50)
    same(out, expected)


def turned(x: int, by: int) -> int:
    """Return 32 bits, rotated to the left."""
    return (x << by | x >> (32 - by)) % (1 << 32)


def murmur_of(words: list[int]) -> int:
    """Return the hash of some words by MurmurHash3."""
    code = 0
    for word in words:
        word = turned(word * 0xCC9E2D51 % (1 << 32), 15) * 0x1B873593 % (1 << 32)
        code = (turned(code ^ word, 13) * 5 + 0xE6546B64) % (1 << 32)
    code ^= len(words) * 4
    code = (code ^ code >> 16) * 0x85EBCA6B % (1 << 32)
    code = (code ^ code >> 13) * 0xC2B2AE35 % (1 << 32)
    return code ^ code >> 16


@program("hashes")
def murmur(run: Recorder) -> None:
    data, out = numbers(64 * 5, 0, 1 << 32, U32), np.zeros(64, U32)
    run("murmur", 2, 32, data, out, 5)
    same(out, [murmur_of(row) for row in data.reshape(64, 5).tolist()])


@program("hashes")
def sha256(run: Recorder) -> None:
    primes = [n for n in range(2, 312) if all(n % d for d in range(2, n))]
    k = np.array([int((np.longdouble(p) ** (np.longdouble(1) / 3) % 1) * (1 << 32)) for p in primes], np.uint64)
    texts = [bytes(numbers(55, 0, 256 - at, U8)) for at in range(32)]
    blocks = b"".join(text + b"\x80" + (8 * 55).to_bytes(8, "big") for text in texts)
    data, out = np.frombuffer(blocks, ">u4").astype(U32), np.zeros((32, 8), U32)
    run("sha256", 1, 32, data, k.astype(U32), out)
    assert [row.astype(">u4").tobytes() for row in out] == [hashlib.sha256(text).digest() for text in texts]


@program("hashes")
def crc32(run: Recorder) -> None:
    table = []
    for entry in range(256):
        for _ in range(8):
            entry = entry >> 1 ^ 0xEDB88320 * (entry & 1)
        table.append(entry)
    data, out = numbers(64 * 20, 0, 256, U8), np.zeros(64, U32)
    run("crc32", 2, 32, np.array(table, U32), data, out, 20)
    same(out, [zlib.crc32(row.tobytes()) for row in data.reshape(64, 20)])


@program("hashes")
def insert(run: Recorder) -> None:
    keys, table = numbers(100, 0, 80), np.full(128, -1, I32)
    run("insert", 4, 32, keys, table, 128, 100)
    same(np.sort(table[table >= 0]), np.unique(keys))


@program("hashes")
def base64(run: Recorder) -> None:
    data, out = numbers(300, 0, 256, U8), np.zeros(400, U8)
    run("base64", 2, 64, data, out, 100)
    assert out.tobytes() == codec.b64encode(data.tobytes())


@program("hashes")
def monte_carlo(run: Recorder) -> None:
    hits, x, expected = np.zeros(1, U32), (np.arange(256, dtype=U32) * U32(747796405) + U32(2891336453)), 0
    run("monte_carlo", 2, 128, hits, 10)
    for _ in range(10):
        x = x ^ x << U32(13)
        x = x ^ x >> U32(17)
        x = x ^ x << U32(5)
        a, b = x & U32(0xFFFF), x >> U32(16)
        expected += int((a * a // 2 + b * b // 2 < 0x7FFFFFFF).sum())
    same(hits, [expected])
