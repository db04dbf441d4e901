"""Every name that `mbarrier` has, by the registry's list: what counts an arrival, bytes, or asks for a phase."""

from __future__ import annotations

import re

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.registry import TABLE
from tests.simt.snippets import kernel

NAME = "llvm.nvvm.mbarrier"
SHARED = "@bar = internal addrspace(3) global i64 undef, align 8\n"
BAR = "ptr addrspace(3) @bar"
WAIT = f"call i1 @{NAME}.test.wait.parity.scope.cta.space.cta({BAR}, i32"
ARRIVE = f"call i64 @{NAME}.arrive.shared({BAR})"
ARRIVALS = [name for name in TABLE if re.fullmatch(rf"{NAME}\.arrive(\.[\w.]+)?", name)]
WAITS = [name for name in TABLE if re.fullmatch(rf"{NAME}\.(test|try)\.wait(\.[\w.]+)?", name)]
BYTES = [name for name in TABLE if re.fullmatch(rf"{NAME}\.(expect|complete)\.tx\.[\w.]+", name)]


def bits(body, count):
    """What one thread finds, as the numbers `%e0`, `%e1` and so on; the barrier takes so many arrivals."""
    found = re.findall(r"(%e\d) = call i1", body)
    stores = "".join(
        f"  %z{n} = zext i1 {bit} to i32\n  %q{n} = getelementptr i32, ptr %o, i64 {n}\n  store i32 %z{n}, ptr %q{n}\n"
        for n, bit in enumerate(found)
    )
    head = f"""  %generic = addrspacecast {BAR} to ptr
  %far = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster({BAR}, i32 0)
  call void @{NAME}.init.shared({BAR}, i32 {count})
"""
    output = np.full(len(found), -1, np.int32)
    result = simt.launch(
        kernel(head + body + stores, globals_=SHARED),
        target="nvidia:sm_90",
        grid=1,
        block=1,
        args=[output],
        observers=simt.observers(),
    )
    assert result.verdict == "clean", (result.findings, result.fault)
    return output.tolist()


def place(name):
    """The barrier as an instruction of that name takes it."""
    if name.endswith("space.cluster"):
        return "ptr addrspace(7) %far"
    return BAR if name.endswith((".shared", "space.cta")) else "ptr %generic"


@pytest.mark.parametrize("name", ARRIVALS)
def test_an_arrival_counts_once_and_one_that_drops_out_lowers_the_next_count(name):
    """Two by that name and one other end a phase of three; of the next phase one is left, if two dropped out."""
    number = f", i32 {16 if 'expect' in name else 1}" if "scope" in name or "noComplete" in name else ""
    gives = "void" if name.endswith("space.cluster") else "i64"
    lines = []
    for turn in range(2):
        result = "" if gives == "void" else f"%t{turn} = "
        lines.append(f"{result}call {gives} @{name}({place(name)}{number})")
        if "expect" in name:
            lines.append(f"call void @{NAME}.complete.tx.scope.cta.space.cta({BAR}, i32 16)")
    lines += [f"%e0 = {WAIT} 0)", f"%t2 = {ARRIVE}", f"%e1 = {WAIT} 0)", f"%t3 = {ARRIVE}", f"%e2 = {WAIT} 1)"]

    assert bits("".join(f"  {line}\n" for line in lines), 3) == [0, 1, ".drop" in name]


@pytest.mark.parametrize("name", WAITS)
def test_a_phase_is_asked_for_by_its_parity_or_a_token(name):
    """Before its second arrival, and after."""
    which = "i32 0" if ".parity" in name else "i64 %t0"
    limit = ", i32 100" if ".tl" in name else ""
    call = f"call i1 @{name}({place(name)}, {which}{limit})"
    lines = [f"%t0 = {ARRIVE}", f"%e0 = {call}", f"%t1 = {ARRIVE}", f"%e1 = {call}"]

    assert bits("".join(f"  {line}\n" for line in lines), 2) == [0, 1]


@pytest.mark.parametrize("name", BYTES)
def test_bytes_are_awaited_and_come(name):
    """A phase whose arrivals are there lasts until its bytes are."""
    here = f"{NAME}.{{}}.tx.scope.cta.space.cta"
    calls = {kind: f"call void @{here.format(kind)}({BAR}, i32 16)" for kind in ("expect", "complete")}
    calls["expect" if ".expect." in name else "complete"] = f"call void @{name}({place(name)}, i32 16)"
    lines = [calls["expect"], f"%t0 = {ARRIVE}", f"%e0 = {WAIT} 0)", calls["complete"], f"%e1 = {WAIT} 0)"]

    assert bits("".join(f"  {line}\n" for line in lines), 1) == [0, 1]


@pytest.mark.parametrize("name", [f"{NAME}.inval", f"{NAME}.inval.shared"])
def test_a_barrier_begins_anew_after_it_was_invalidated(name):
    lines = [f"call void @{name}({place(name)})", f"call void @{NAME}.init.shared({BAR}, i32 1)"]
    lines += [f"%e0 = {WAIT} 0)", f"%t0 = {ARRIVE}", f"%e1 = {WAIT} 0)"]

    assert bits("".join(f"  {line}\n" for line in lines), 2) == [0, 1]
