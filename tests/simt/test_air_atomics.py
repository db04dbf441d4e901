"""Apple's atomic functions."""

from __future__ import annotations

import numpy as np
import pytest

from harness import simt
from tests.simt.snippets import kernel

METAL = "apple:apple-m4"
ATOMICS = {"add": 1 + 31 * 16, "sub": 1 - 31 * 16, "max.s": 31, "min.s": 0, "or": 31, "and": 0, "xor": 1}
ATOMICS |= {"max.u": 31, "min.u": 0, "xchg": 31}


@pytest.mark.parametrize("space", ["global", "local"])
@pytest.mark.parametrize("name", ATOMICS)
def test_atomics(name, space):
    """All lanes at one place, which begins with 1; that of a threadgroup is stored and loaded atomically, too."""
    operation, _, sign = name.partition(".")
    suffix = "" if operation == "xchg" else f".{sign or 's'}"
    place = "ptr %o" if space == "global" else "ptr addrspace(3) @cell"
    update = f"%v = call i32 @air.atomic.{space}.{operation}{suffix}.i32({place}, i32 %t, i32 0, i32 2, i1 true)"
    body, shared = f"  {update}", ""
    if space == "local":
        shared = "@cell = internal addrspace(3) global i32 undef, align 4\n"
        body = f"""  %first = icmp eq i32 %t, 0
  br i1 %first, label %begin, label %begun
begin:
  call void @air.atomic.local.store.i32({place}, i32 1, i32 0, i32 1, i1 true)
  br label %begun
begun:
  call void @air.threadgroup.barrier(i32 2, i32 1)
  {update}
  call void @air.threadgroup.barrier(i32 2, i32 1)
  %end = call i32 @air.atomic.local.load.i32({place}, i32 0, i32 1, i1 true)
  %last = icmp eq i32 %t, 31
  br i1 %last, label %tell, label %told
tell:
  store i32 %end, ptr %o
  br label %told
told:"""
    output = np.ones(1, np.int32)

    result = simt.launch(kernel(body, globals_=shared, target=METAL), target=METAL, grid=1, block=32, args=[output])

    assert result.verdict == "clean", result.findings
    assert output[0] == ATOMICS[name]


def test_a_float_is_added_atomically():
    """And exchanged."""
    body = """
      %f = sitofp i32 %t to float
      %v = call float @air.atomic.global.add.f32(ptr %o, float %f, i32 0, i32 2, i1 true)"""
    output = np.ones(1, np.float32)
    simt.launch(kernel(body, target=METAL), target=METAL, grid=1, block=32, args=[output])

    assert output[0] == 497


@pytest.mark.parametrize("space", ["global", "local"])
@pytest.mark.parametrize("name", ["cmpxchg", "cmpxchg.weak"])
def test_compare_and_exchange_gives_the_old_value_through_memory(name, space):
    """One lane wins, and is told so; the others find what it left."""
    place = {"global": "ptr %x", "local": "ptr addrspace(3) @cell"}[space]
    body = f"""
      store i32 0, {place}
      call void @air.threadgroup.barrier(i32 3, i32 1)
      %e = alloca i32
      store i32 0, ptr %e
      %n = add i32 %t, 100
      %v = call i1 @air.atomic.{space}.{name}.i32({place}, ptr %e, i32 %n, i32 0, i32 0, i32 2, i1 true)
      %z = zext i1 %v to i32
      %w = load i32, ptr %e
      %p = getelementptr [2 x i32], ptr %o, i64 %i
      store i32 %w, ptr %p
      %q = getelementptr i32, ptr %p, i64 1
      store i32 %z, ptr %q"""
    output = np.full((32, 2), -1, np.int32)
    text = kernel(body, "ptr %o, ptr %x", "@cell = internal addrspace(3) global i32 undef, align 4\n", target=METAL)

    args = [output.reshape(-1), np.zeros(1, np.int32)]
    simt.launch(text, target=METAL, grid=1, block=32, args=args).raise_for_fault()

    assert output.tolist() == [[0, 1], *[[100, 0]] * 31]


@pytest.mark.parametrize("name", ["cmpxchg", "cmpxchg.weak"])
@pytest.mark.parametrize("undefined", ["what is expected", "what comes in its place", "neither"])
def test_an_undefined_value_in_an_exchange_is_found(name, undefined):
    """It lies in a local variable that nothing was stored to."""
    expected, new = undefined == "what is expected", undefined == "what comes in its place"
    body = f"""
      %e = alloca i32
      %u = alloca i32
      {"" if expected else "store i32 0, ptr %e"}
      %w = load i32, ptr %u
      %p = getelementptr i32, ptr %o, i64 %i
      %given = add i32 {"%w" if new else "%t"}, 1
      %v = call i1 @air.atomic.global.{name}.i32(ptr %p, ptr %e, i32 %given, i32 0, i32 0, i32 2, i1 true)"""
    result = simt.launch(
        kernel(body, target=METAL),
        target=METAL,
        grid=1,
        block=32,
        args=[np.zeros(32, np.int32)],
        observers=simt.observers(),
    )

    assert [finding.kind for finding in result.findings] == ["uninitialised"] * (undefined != "neither")


@pytest.mark.parametrize("space", ["global", "local"])
@pytest.mark.parametrize(("ty", "suffix", "dtype"), [("i32", "i32", np.int32), ("float", "f32", np.float32)])
def test_what_is_stored_atomically_is_loaded_by_another(space, ty, suffix, dtype):
    """Each lane stores its own value and reads that of its neighbour."""
    values = (np.arange(64) * 3 - 50).astype(dtype)
    cells = {"global": "ptr %x", "local": "ptr addrspace(3) @cells"}[space]
    pointer = cells.rpartition(" ")[0]
    body = f"""
      %in = getelementptr {ty}, ptr %y, i64 %i
      %a = load {ty}, ptr %in
      %own = getelementptr {ty}, {cells}, i64 %i
      call void @air.atomic.{space}.store.{suffix}({pointer} %own, {ty} %a, i32 0, i32 1, i1 true)
      call void @air.threadgroup.barrier(i32 3, i32 1)
      %j = xor i64 %i, 1
      %other = getelementptr {ty}, {cells}, i64 %j
      %v = call {ty} @air.atomic.{space}.load.{suffix}({pointer} %other, i32 0, i32 1, i1 true)
      %p = getelementptr {ty}, ptr %o, i64 %i
      store {ty} %v, ptr %p"""
    output = np.zeros(64, dtype)
    shared = f"@cells = internal addrspace(3) global [64 x {ty}] undef, align 4\n"
    text = kernel(body, "ptr %o, ptr %x, ptr %y", shared, target=METAL)

    result = simt.launch(
        text,
        target=METAL,
        grid=1,
        block=64,
        args=[output, np.zeros(64, dtype), values],
        observers=simt.observers(),
    )

    assert result.verdict == "clean", result.findings
    np.testing.assert_array_equal(output, values[np.arange(64) ^ 1])


@pytest.mark.parametrize(("store", "load", "kinds"), [(1, 1, []), (0, 1, ["race"]), (1, 0, ["race"]), (0, 0, ["race"])])
def test_an_atomic_load_beside_an_atomic_store_is_no_race(store, load, kinds):
    """Of two SIMD-groups; where one of the two is plain, it is."""
    how = "ptr %x, i32 0, i32 2, i1 true"
    stores = (
        f"call void @air.atomic.global.store.i32({how.replace('%x,', '%x, i32 7,')})"
        if store
        else "store i32 7, ptr %x"
    )
    loads = f"call i32 @air.atomic.global.load.i32({how})" if load else "load i32, ptr %x"
    body = f"""
  %c = icmp ult i32 %t, 32
  br i1 %c, label %one, label %other
one:
  {stores}
  br label %end
other:
  %v = {loads}
  br label %end
end:"""
    text = kernel(body, "ptr %o, ptr %x", target=METAL)
    args = [np.zeros(1, np.int32), np.zeros(1, np.int32)]
    result = simt.launch(text, target=METAL, grid=1, block=64, args=args, observers=simt.observers(counters=False))

    assert [finding.kind for finding in result.findings if finding.severity == "error"] == kinds


def test_what_nothing_wrote_is_undefined_for_an_atomic_load_too():
    """And stays so when it is stored atomically."""
    body = """
      %v = call i32 @air.atomic.local.load.i32(ptr addrspace(3) @cells, i32 0, i32 1, i1 true)
      call void @air.atomic.local.store.i32(ptr addrspace(3) @others, i32 %v, i32 0, i32 1, i1 true)
      %w = load i32, ptr addrspace(3) @others
      store i32 %w, ptr %o"""
    shared = "".join(f"@{name} = internal addrspace(3) global i32 undef, align 4\n" for name in ("cells", "others"))
    text = kernel(body, globals_=shared, target=METAL)
    args = [np.zeros(1, np.int32)]
    result = simt.launch(text, target=METAL, grid=1, block=1, args=args, observers=simt.observers())

    assert [finding.id for finding in result.findings] == ["uninitialised.output"]
