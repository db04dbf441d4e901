"""Graphs, attention and molecular dynamics."""

from __future__ import annotations

import math

import numpy as np

from tests.simt.corpus.launching import Recorder, halves, numbers, program
from tests.simt.corpus.sums import F32, I32, U32, same

N = 60


def graph() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a symmetric graph of N nodes: its rows' first entries, its entries, and its matrix."""
    matrix = np.zeros((N, N), bool)
    matrix[numbers(150, 0, N), numbers(151, 0, N)[:150]] = True
    matrix |= matrix.T
    np.fill_diagonal(matrix, False)
    first = np.concatenate([[0], matrix.sum(1).cumsum()]).astype(I32)
    return first, np.nonzero(matrix)[1].astype(I32), matrix


@program("graphs")
def bfs(run: Recorder) -> None:
    first, to, matrix = graph()
    depth, expected = np.full(N, -1, I32), np.full(N, -1)
    depth[0] = expected[0] = 0
    for level in range(5):
        found = np.zeros(1, I32)
        run("bfs", 2, 32, first, to, depth.copy(), depth, found, level, N)
        expected[matrix[expected == level].any(0) & (expected < 0)] = level + 1
        same(depth, expected)


@program("graphs")
def relax(run: Recorder) -> None:
    first, to, matrix = graph()
    length, far = numbers(len(to), 1, 20), 1 << 29
    weights = np.full((N, N), far)
    weights[matrix] = length
    before, expected = np.full(N, far, I32), np.full(N, far)
    before[0] = expected[0] = 0
    for _ in range(4):
        after = before.copy()
        run("relax", 2, 32, first, to, length, before, after, N)
        expected = np.minimum(expected, (expected[:, None] + weights).min(0))
        before = after
        same(np.minimum(after, far), expected)


@program("graphs")
def rank_pages(run: Recorder) -> None:
    first, to, matrix = graph()
    before, after = np.full(N, 1 / N, F32), np.zeros(N, F32)
    run("rank_pages", 2, 32, first, to, before, after, N)
    np.testing.assert_allclose(after, (matrix / matrix.sum(1, keepdims=True).clip(1)).sum(0) / N, rtol=1e-5)


@program("graphs")
def pull_ranks(run: Recorder) -> None:
    first, to, matrix = graph()
    degree, ranks = matrix.sum(1).astype(I32), np.full(N, 1 / N, F32)
    for _ in range(3):
        after = np.zeros(N, F32)
        run("pull_ranks", 2, 32, first, to, degree, ranks, after, N)
        np.testing.assert_allclose(after, 0.15 / N + 0.85 * (matrix / degree.clip(1)) @ ranks, rtol=1e-4)
        ranks = after


@program("graphs")
def labels(run: Recorder) -> None:
    first, to, matrix = graph()
    before = np.arange(N, dtype=I32)
    for _ in range(4):
        after = np.zeros(N, I32)
        run("labels", 2, 32, first, to, before, after, N)
        same(after, [min(before[node], *before[matrix[node]]) if matrix[node].any() else node for node in range(N)])
        before = after


@program("graphs")
def triangles(run: Recorder) -> None:
    _, _, matrix = graph()
    upper, count = np.triu(matrix), np.zeros(1, I32)
    first = np.concatenate([[0], upper.sum(1).cumsum()]).astype(I32)
    run("triangles", 2, 32, first, np.nonzero(upper)[1].astype(I32), count, N)
    same(count, [np.trace(np.linalg.matrix_power(matrix.astype(int), 3)) // 6])


@program("graphs")
def multiply_rows(run: Recorder) -> None:
    first, column, matrix = graph()
    value, x, y = halves(len(column)), halves(N), np.zeros(N, F32)
    dense = np.zeros((N, N))
    dense[matrix] = value
    run("multiply_rows", 15, 128, first, column, value, x, y, N)
    same(y, dense @ x)


@program("graphs")
def independent(run: Recorder) -> None:
    first, to, matrix = graph()
    priority, state = np.random.default_rng(3).permutation(N).astype(I32), np.zeros(N, I32)
    while (state == 0).any():
        after = np.zeros(N, I32)
        run("independent", 2, 32, first, to, priority, state, after, N)
        state = after
    chosen = state == 1
    assert not matrix[chosen][:, chosen].any() and matrix[~chosen][:, chosen].any(1).all()


@program("attention", needs_library=True)
def softmax(run: Recorder) -> None:
    data, out = halves(8 * 50).reshape(8, 50), np.zeros((8, 50), F32)
    run("softmax", 2, 128, data, out, 50)
    expected = np.exp(data - data.max(1, keepdims=True))
    np.testing.assert_allclose(out, expected / expected.sum(1, keepdims=True), rtol=1e-5)


def attended(q: np.ndarray, k: np.ndarray, v: np.ndarray, mask: np.ndarray | bool = True) -> np.ndarray:
    """Return attention in doubles."""
    scores = np.where(mask, q.astype(float) @ k.T / math.sqrt(q.shape[1]), -np.inf)
    p = np.exp(scores - scores.max(1, keepdims=True))
    result: np.ndarray = p / p.sum(1, keepdims=True) @ v
    return result


@program("attention", needs_library=True)
def attend(run: Recorder) -> None:
    q, k, v, out = (halves(count * 32).reshape(count, 32) / 4 for count in (5, 40, 41, 5))
    run("attend", 5, 64, q, k, v[:40].copy(), out, 40)
    np.testing.assert_allclose(out, attended(q, k, v[:40]), rtol=1e-4, atol=1e-5)


@program("attention", needs_library=True)
def attend_online(run: Recorder) -> None:
    q, k, v = (halves(64 * 16 + more)[more:].reshape(64, 16) / 4 for more in (0, 1, 2))
    out = np.zeros((64, 16), F32)
    run("attend_online", 2, 32, q, k, v, out, 64)
    np.testing.assert_allclose(out, attended(q, k, v, np.tri(64, dtype=bool)), rtol=1e-4, atol=1e-5)


@program("attention", needs_library=True)
def normalise(run: Recorder) -> None:
    data, gain, out = halves(6 * 200).reshape(6, 200), halves(200), np.zeros((6, 200), F32)
    run("normalise", 6, 128, data, gain, out, 200)
    scale = 1 / np.sqrt((data.astype(float) ** 2).mean(1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(out, data * scale * gain, rtol=1e-5)


@program("attention", needs_library=True)
def gelu(run: Recorder) -> None:
    data, exact, fast = halves(300), np.zeros(300, F32), np.zeros(300, F32)
    run("gelu", 2, 64, data, exact, fast, 300)
    expected = [x * (1 + math.erf(x / math.sqrt(2))) / 2 for x in data.tolist()]
    np.testing.assert_allclose(exact, expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(fast, expected, atol=2e-3)


@program("attention", needs_library=True)
def rotate(run: Recorder) -> None:
    data = halves(20 * 16).reshape(20, 8, 2)
    angle = np.arange(20)[:, None] * 10000.0 ** (-np.arange(8) / 8)
    expected = (data[..., 0] + 1j * data[..., 1]) * np.exp(1j * angle)
    run("rotate", 2, 128, data, 8, 160)
    np.testing.assert_allclose(data, np.stack([expected.real, expected.imag], 2), rtol=1e-4, atol=1e-4)


@program("attention", needs_library=True)
def top4(run: Recorder) -> None:
    data, out = np.random.default_rng(1).permutation(64 * 30).astype(F32).reshape(64, 30), np.zeros((64, 4), I32)
    run("top4", 2, 32, data, out, 30)
    same(out, np.argsort(-data, 1)[:, :4])


@program("attention", needs_library=True)
def loss(run: Recorder) -> None:
    data, label, out = halves(64 * 20).reshape(64, 20), numbers(64, 0, 20), np.zeros(64, F32)
    run("loss", 2, 32, data, label, out, 20)
    expected = np.log(np.exp(data.astype(float)).sum(1)) - data[np.arange(64), label]
    np.testing.assert_allclose(out, expected, rtol=1e-4, atol=1e-5)


def atoms(count: int) -> np.ndarray:
    """Return points of a cube of side 8, none close to another."""
    grid = np.stack(np.meshgrid(*[np.arange(4) * 2.0 + 0.5] * 3), -1).reshape(-1, 3)[:count]
    return (grid + np.random.default_rng(2).random((count, 3))).astype(F32)


@program("dynamics", needs_library=True)
def attract(run: Recorder) -> None:
    x, force = np.concatenate([atoms(64), atoms(64) + 9]).astype(F32), np.zeros((128, 3), F32)
    run("attract", 2, 64, x, force, 128)
    apart = x[None].astype(float) - x[:, None]
    expected = (apart / ((apart**2).sum(2) + 0.01)[..., None] ** 1.5).sum(1)
    np.testing.assert_allclose(force, expected, rtol=1e-3, atol=1e-3)


@program("dynamics", needs_library=True)
def bin_atoms(run: Recorder) -> None:
    x, count, cell = atoms(60), np.zeros(64, I32), np.full((64, 16), -1, I32)
    run("bin_atoms", 2, 32, x, count, cell, 2.0, 4, 60)
    where = (x // 2).astype(int) @ [16, 4, 1]
    assert [set(row[row >= 0]) for row in cell] == [set(np.flatnonzero(where == one)) for one in range(64)]


def neighbours(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which points are closer than 3, and their distances."""
    apart = np.sqrt(((x[None].astype(float) - x[:, None]) ** 2).sum(2))
    return (apart < 3) & (apart > 0), apart


@program("dynamics", needs_library=True)
def energies_of_lists(run: Recorder) -> None:
    x, found, count, energy = atoms(60), np.zeros((60, 32), I32), np.zeros(60, I32), np.zeros(60)
    run("list_neighbours", 2, 32, x, found, count, 3.0, 60)
    near, apart = neighbours(x)
    assert [list(row[:n]) for row, n in zip(found, count, strict=True)] == [list(np.flatnonzero(row)) for row in near]
    for _ in range(3):
        run("lennard_jones", 2, 32, x.astype(float), found, count, energy, 60)
    inverse = np.where(near, 1 / np.where(near, apart, 1) ** 6, 0)
    np.testing.assert_allclose(energy, (4 * (inverse**2 - inverse)).sum(1), rtol=1e-9)


@program("dynamics", needs_library=True)
def bonds(run: Recorder) -> None:
    pairs, x, force = numbers(200, 0, 60).reshape(100, 2), halves(180).reshape(60, 3), np.zeros((60, 3), F32)
    run("bonds", 4, 32, pairs, x, force, 100)
    expected = np.zeros((60, 3))
    np.add.at(expected, pairs[:, 0], x[pairs[:, 1]] - x[pairs[:, 0]])
    np.add.at(expected, pairs[:, 1], x[pairs[:, 0]] - x[pairs[:, 1]])
    same(force, expected)


@program("dynamics", needs_library=True)
def screened(run: Recorder) -> None:
    x, charge, energy = atoms(40).astype(float), halves(40).astype(float), np.zeros(40)
    run("screened", 2, 32, x, charge, energy, 0.4, 40)
    apart = np.sqrt(((x[None] - x[:, None]) ** 2).sum(2))
    np.fill_diagonal(apart, 1)
    pairs = charge * charge[:, None] * np.vectorize(math.erfc)(0.4 * apart) / apart
    np.fill_diagonal(pairs, 0)
    np.testing.assert_allclose(energy, pairs.sum(1), rtol=1e-9)


@program("dynamics", needs_library=True)
def integrate(run: Recorder) -> None:
    x, v, f = (halves(100 + more)[more:].astype(float) for more in (0, 1, 2))
    expected, speed = x.copy(), v.copy()
    for _ in range(3):
        run("integrate", 1, 64, x, v, f, 0.01, 100)
        speed = speed + f * 0.01 * math.exp(-0.001)
        expected = expected + speed * 0.01
    np.testing.assert_allclose(x, expected, rtol=1e-12)


@program("dynamics", needs_library=True)
def distances(run: Recorder) -> None:
    x, bins = atoms(60), np.zeros(32, U32)
    run("distances", 2, 32, x, bins, 0.5, 60)
    pairs = x[np.triu_indices(60, 1)[0]] - x[np.triu_indices(60, 1)[1]]
    squares = pairs[:, 0] ** 2 + pairs[:, 1] ** 2 + pairs[:, 2] ** 2
    same(bins, np.bincount((np.sqrt(squares) / F32(0.5)).astype(int), minlength=32)[:32])
