"""The account that says which GPU worked: it must be able to say no."""

from __future__ import annotations

from tests.cluster.gpus import misplaced

BUSY, IDLE = 600 << 20, 2 << 20


def test_each_on_its_own_is_right():
    assert misplaced([BUSY, IDLE], {0}) == []
    assert misplaced([BUSY, BUSY], {0, 1}) == []


def test_a_worker_on_the_wrong_gpu_is_seen():
    assert misplaced([BUSY, IDLE], {1}) == ["GPU 1 was to work and did not", "GPU 0 worked and was not to"]
    assert misplaced([BUSY, BUSY], {1}) == ["GPU 0 worked and was not to"]
    assert misplaced([BUSY, IDLE], {0, 1}) == ["GPU 1 was to work and did not"]
