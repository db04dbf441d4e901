"""A program in a process of its own, as it is run on a GPU: its streams, its end, its limits."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from harness.model.target import Target
from harness.programs import Execution, Options
from harness.programs.native import native
from harness.programs.streams import open_kept_streams

TARGET = Target.parse("nvidia:sm_90")


def run(script: str, *arguments: str, options: Options | None = None) -> Execution:
    """Runs a shell's script in the place of what the compiler makes."""
    with open_kept_streams() as held:
        program = f"#!/bin/sh\n{script}\n".encode()
        execution = native(program, Path("x.mojo"), TARGET, arguments, options or Options(), held.streams)
        return replace(execution, output=held.output(), errors=held.errors())


def test_its_streams_and_its_status_are_its_own():
    execution = run('echo "$1"; echo why >&2; exit 5', "a b")

    assert (execution.output, execution.errors, execution.status) == (b"a b\n", b"why\n", 5)
    assert execution.verdict == "MISMATCH"


def test_many_open_files_do_not_matter():
    """A shell's redirection takes descriptors of one digit alone."""
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(20)]
    try:
        assert run("echo fine").output == b"fine\n"
    finally:
        for descriptor in held:
            os.close(descriptor)


def test_no_descriptor_of_ours_is_left_to_it():
    assert run("ls /proc/self/fd | wc -l").output in (b"4\n", b"5\n")  # the standard ones, and what `ls` itself opens


def test_a_signal_that_ends_it_is_told():
    execution = run("kill -SEGV $$")

    assert (execution.status, execution.exit_code, execution.reason) == (-11, 139, "ended by SIGSEGV")


@pytest.mark.slow
def test_its_time_is_limited():
    execution = run("sleep 60", options=Options(seconds=0.5))

    assert execution.limit == "did not end within 0.5 s: `Options.seconds` raises the limit"
    assert (execution.verdict, execution.exit_code) == ("TIMEOUT", 1)
    assert execution.seconds < 10
