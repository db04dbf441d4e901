"""Korean particles by the sound before them."""

from __future__ import annotations

import pytest

from harness.simt.messages.particles import choose_particles


@pytest.mark.parametrize(
    ("word", "object_", "by"),
    [
        ("커널", "커널을", "커널로"),  # ㄹ
        ("블록", "블록을", "블록으로"),
        ("배리어", "배리어를", "배리어로"),
        ("reduction", "reduction을", "reduction으로"),
        ("output", "output을", "output으로"),
        ("cache", "cache를", "cache로"),
        ("kernel", "kernel을", "kernel로"),
        ("warp", "warp를", "warp로"),
        ("block", "block을", "block으로"),
        ("a", "a를", "a로"),
        ("n", "n을", "n으로"),
        ("10", "10을", "10으로"),
        ("p15", "p15를", "p15로"),
        ("p31", "p31을", "p31로"),
        ("(8, 1)", "(8, 1)을", "(8, 1)로"),
        ("`p34:reduction`", "`p34:reduction`을", "`p34:reduction`으로"),
        ("my_", "my_를", "my_로"),
    ],
)
def test_a_particle_follows_the_sound_before_it(word, object_, by):
    assert choose_particles(f"{word}을/를 {word}으로/로 쓰고") == f"{object_} {by} 쓰고"


def test_the_other_pairs():
    assert choose_particles("블록은/는, 배리어은/는, 블록이/가, 배리어이/가, 블록과/와, 배리어과/와") == (
        "블록은, 배리어는, 블록이, 배리어가, 블록과, 배리어와"
    )


@pytest.mark.parametrize("text", ["and/or", "/data/을", "읽기/쓰기", "을/를", "은/는커녕"])
def test_what_is_no_pair_stays(text):
    assert choose_particles(text) == text
