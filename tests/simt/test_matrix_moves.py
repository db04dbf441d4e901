"""`ldmatrix` and `stmatrix` of one, two and four matrices, as they stand or turned: every name, against NumPy."""

from __future__ import annotations

import re

import numpy as np
import pytest

from harness import simt
from harness.simt.compile.registry import all_intrinsics
from tests.simt.snippets import Marks, kernel

LOADS = [name for name in all_intrinsics() if name.startswith("llvm.nvvm.ldmatrix.")]
STORES = [name for name in all_intrinsics() if name.startswith("llvm.nvvm.stmatrix.")]
SHARED = "@tile = internal addrspace(3) global [128 x i32] undef, align 16\n"
LANE = np.arange(32)


def fragments(matrices):
    """The words of each lane, one for each matrix: two neighbours of a row."""
    halves = matrices[:, LANE[:, None] // 4, 2 * (LANE[:, None] % 4) + np.arange(2)]
    return np.ascontiguousarray(halves).view(np.uint32)[:, :, 0].T


def run(lines, words):
    """What a warp leaves, whose lanes have words in `%vK`, places for them in `%wK`, and that of a row in `%row`."""
    count = words.shape[1]
    head = [f"%last = and i32 %t, {8 * count - 1}", "%at = mul i32 %last, 4", f"%first = mul i32 %t, {count}"]
    head.append("%row = getelementptr i32, ptr addrspace(3) @tile, i32 %at")
    for k in range(count):
        head += [f"%k{k} = add i32 %first, {k}", f"%w{k} = getelementptr i32, ptr addrspace(3) @tile, i32 %k{k}"]
        head += [f"%g{k} = getelementptr i32, ptr %a, i32 %k{k}", f"%v{k} = load i32, ptr %g{k}"]
        head += [f"%o{k} = getelementptr i32, ptr %o, i32 %k{k}"]
    output = np.zeros(words.size, np.uint32)
    text = kernel("".join(f"  {line}\n" for line in head + lines), params="ptr %o, ptr %a", globals_=SHARED)
    result = simt.launch(
        text,
        target="nvidia:sm_90",
        grid=1,
        block=32,
        args=[output, np.ascontiguousarray(words).reshape(-1)],
        observers=simt.observers(),
    )
    assert result.verdict == "clean", (result.findings, result.fault)
    return output


def matrices(name):
    """Random ones, as many as the name says."""
    count = int(re.search(r"\.x(\d)", name)[1])
    return count, np.random.default_rng(5).integers(0, 1 << 16, (count, 8, 8)).astype(np.uint16)


@pytest.mark.parametrize("name", LOADS)
def test_each_lane_gets_two_neighbours_of_a_row_of_each_matrix(name):
    """Rows lie where the lanes say; turned, they are columns."""
    count, given = matrices(name)
    ty = "i32" if count == 1 else f"{{ {', '.join(['i32'] * count)} }}"
    place = "ptr addrspace(3) %row" if name.endswith(".p3") else "ptr %far"
    lines = [f"store i32 %v{k}, ptr addrspace(3) %w{k}" for k in range(count)]
    lines += ["call void @llvm.nvvm.bar.warp.sync(i32 -1)", "%far = addrspacecast ptr addrspace(3) %row to ptr"]
    lines.append(f"%r = call {ty} @{name}{'' if name.endswith('.p3') else '.p0'}({place})")
    parts = [f"%e{k} = extractvalue {ty} %r, {k}" for k in range(count)] if count > 1 else ["%e0 = add i32 %r, 0"]
    lines += parts + [f"store i32 %e{k}, ptr %o{k}" for k in range(count)]

    got = run(lines, given.reshape(-1).view(np.uint32).reshape(32, count))

    turned = given.transpose(0, 2, 1) if ".trans" in name else given
    np.testing.assert_array_equal(got, fragments(turned).reshape(-1))


@pytest.mark.parametrize("assembly", [False, True])
@pytest.mark.parametrize("name", STORES)
def test_each_lane_puts_two_neighbours_of_a_row_of_each_matrix(name, assembly):
    """As it got them."""
    count, given = matrices(name)
    registers = ", ".join(f"i32 %v{k}" for k in range(count))
    held = ", ".join(f"${k + 1}" for k in range(count))
    lines = ["%place = ptrtoint ptr addrspace(3) %row to i32"]
    spelled = re.sub(r"^(.*m8n8)(\.x\d)(\.trans)?\.b16$", r"\1\3\2.shared.b16", name.removeprefix("llvm.nvvm."))
    if not assembly:
        lines.append(f"call void @{name}.p3(ptr addrspace(3) %row, {registers})")
    else:
        lines.append(
            f'call void asm sideeffect "{spelled} [$0], {{{held}}};", "r{",r" * count}"(i32 %place, {registers})'
        )
    lines.append("call void @llvm.nvvm.bar.warp.sync(i32 -1)")
    for k in range(count):
        lines += [f"%e{k} = load i32, ptr addrspace(3) %w{k}", f"store i32 %e{k}, ptr %o{k}"]

    got = run(lines, fragments(given))

    turned = given.transpose(0, 2, 1) if ".trans" in name else given
    np.testing.assert_array_equal(got, np.ascontiguousarray(turned).reshape(-1).view(np.uint32))


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("matrix", [0, 1])
def test_what_is_undefined_in_one_matrix_is_so_where_it_is_stored_alone(turned, matrix):
    """Lane 5 of each warp has the second row's elements 2 and 3, of one matrix undefined: in place, or turned."""
    held = ", ".join("i32 %u" if k == matrix else "i32 %t" for k in range(2))
    name = f"stmatrix.sync.aligned.m8n8{'.trans' if turned else ''}.x2.shared.b16 [$0], {{$1, $2}};"
    body = f"""
      %x = alloca i32
      %none = load i32, ptr %x
      %lane = and i32 %t, 31
      %fifth = icmp eq i32 %lane, 5
      %u = select i1 %fifth, i32 %none, i32 %t
      %last = and i32 %t, 15
      %at = mul i32 %last, 4
      %row = getelementptr i32, ptr addrspace(3) @tile, i32 %at
      %place = ptrtoint ptr addrspace(3) %row to i32
      call void asm sideeffect "{name}", "r,r,r"(i32 %place, {held})
      call void @llvm.nvvm.bar.warp.sync(i32 -1)
      %own = getelementptr i16, ptr addrspace(3) @tile, i64 %i
      %further = getelementptr i16, ptr addrspace(3) %own, i64 {64 * matrix}
      %w = load i16, ptr addrspace(3) %further
      %o.here = getelementptr i16, ptr %o, i64 %i
      store i16 %w, ptr %o.here"""
    text = kernel(body, globals_=SHARED)
    result = simt.launch(
        text, target="nvidia:sm_90", grid=1, block=64, args=[np.zeros(64, np.int16)], observers=[watch := Marks()]
    )

    assert result.fault is None
    assert watch.places == ({17, 25} if turned else {10, 11})


@pytest.mark.parametrize("turned", [False, True])
def test_what_is_undefined_in_one_matrix_is_so_in_its_register_alone(turned):
    """The second word of row 3 of the second one: two elements, which one lane gets, or turned two lanes."""
    ty, name = "{ i32, i32 }", f"llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2{'.trans' if turned else ''}.b16.p3"
    for register in range(2):
        body = f"""
          %own = getelementptr i32, ptr addrspace(3) @tile, i32 %t
          %further = getelementptr i32, ptr addrspace(3) %own, i32 32
          store i32 %t, ptr addrspace(3) %own
          %none = icmp eq i32 %t, 13
          br i1 %none, label %ready, label %more
        more:
          store i32 %t, ptr addrspace(3) %further
          br label %ready
        ready:
          call void @llvm.nvvm.bar.warp.sync(i32 -1)
          %last = and i32 %t, 15
          %at = mul i32 %last, 4
          %row = getelementptr i32, ptr addrspace(3) @tile, i32 %at
          %r = call {ty} @{name}(ptr addrspace(3) %row)
          %v = extractvalue {ty} %r, {register}
          %p = getelementptr i32, ptr %o, i64 %i
          store i32 %v, ptr %p"""
        result = simt.launch(
            kernel(body, globals_=SHARED),
            target="nvidia:sm_90",
            grid=1,
            block=32,
            args=[np.zeros(32, np.int32)],
            observers=[watch := Marks()],
        )

        assert result.fault is None
        assert watch.places == (set() if register == 0 else {9, 13} if turned else {13})
