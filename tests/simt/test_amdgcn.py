"""AMD's lane exchanges, 64 and 32 wide, against the instruction manuals."""

import numpy as np
import pytest

from harness import simt
from tests.simt.snippets import evaluate, kernel, recorder, undefined

WIDE, NARROW = "amd:gfx942", "amd:gfx1100"
TARGETS = {WIDE: 64, NARROW: 32}


def dpp(control, lane, width):
    """The lane that a DPP control reads, or None: quads, rows of 16, banks of 4."""
    row, n = lane // 16, lane % 16
    if control < 0x100:
        return lane // 4 * 4 + (control >> 2 * (lane % 4) & 3)
    if 0x101 <= control <= 0x10F:  # row_shl
        return lane + (control & 15) if n + (control & 15) < 16 else None
    if 0x111 <= control <= 0x11F:  # row_shr
        return lane - (control & 15) if n >= control & 15 else None
    if 0x121 <= control <= 0x12F:  # row_ror
        return row * 16 + (n - (control & 15)) % 16
    return {
        0x130: lane + 1 if lane + 1 < width else None,  # wave_shl
        0x134: (lane + 1) % width,  # wave_rol
        0x138: lane - 1 if lane else None,  # wave_shr
        0x13C: (lane - 1) % width,  # wave_ror
        0x140: row * 16 + 15 - n,  # row_mirror
        0x141: lane // 8 * 8 + 7 - lane % 8,  # row_half_mirror
        0x142: row * 16 - 1 if row else None,  # row_bcast15
        0x143: 31 if lane >= 32 else None,  # row_bcast31
    }[control]


CONTROLS = [
    0xB1,
    0x4E,
    0x1B,
    0x00,
    0xE4,
    0x101,
    0x10F,
    0x111,
    0x112,
    0x114,
    0x118,
    0x11F,
    0x121,
    0x128,
    0x12F,
    0x130,
    0x134,
    0x138,
    0x13C,
    0x140,
    0x141,
    0x142,
    0x143,
]


@pytest.mark.parametrize("control", CONTROLS, ids=hex)
@pytest.mark.parametrize(("rows", "banks", "bound"), [(15, 15, 0), (15, 15, 1), (10, 15, 0), (15, 5, 1), (12, 9, 0)])
def test_every_dpp_control(control, rows, banks, bound):
    """Masked rows and banks keep the old value; out of range is 0 with bound_ctrl, else the old."""
    body = f"""%r = call i32 @llvm.amdgcn.update.dpp.i32(i32 %b, i32 %a, i32 {control}, i32 {rows}, i32 {banks},
               i1 {"true" if bound else "false"})""".replace("\n", " ")
    values, old = list(range(100, 228)), list(range(-128, 0))
    expected = []
    for n in range(128):
        lane, start = n % 64, n // 64 * 64
        source = dpp(control, lane, 64)
        if not rows >> lane // 16 & 1 or not banks >> lane // 4 % 4 & 1:
            expected.append(old[n])
        elif source is None:
            expected.append(0 if bound else old[n])
        else:
            expected.append(values[start + source])

    assert evaluate(body, "i32", ("i32", values), ("i32", old), target=WIDE).tolist() == expected


@pytest.mark.parametrize("target", TARGETS)
def test_pulls_and_pushes_by_byte_address(target):
    """`ds_bpermute` reads, `ds_permute` writes; the address counts bytes, modulo the wave."""
    width = TARGETS[target]
    rng = np.random.default_rng(1)
    places = (rng.permutation(width) * 4).tolist() + (rng.permutation(width) * 4 + 4 * width).tolist()
    values = list(range(500, 500 + 2 * width))
    body = "%r = call i32 @llvm.amdgcn.ds.{}(i32 %a, i32 %b)"
    inputs = ("i32", places), ("i32", values)
    pulled = [values[n // width * width + places[n] // 4 % width] for n in range(2 * width)]
    pushed = [0] * 2 * width
    for n in range(2 * width):
        pushed[n // width * width + places[n] // 4 % width] = values[n]

    assert evaluate(body.format("bpermute"), "i32", *inputs, target=target).tolist() == pulled
    assert evaluate(body.format("permute"), "i32", *inputs, target=target).tolist() == pushed


def some_lanes(body, result="i32"):
    """Only lanes 8 and up run `body`; the others give -1."""
    return f"""
      %go = icmp ult i32 %t, 8
      br i1 %go, label %join, label %in
    in:
      {body}
      br label %join
    join:
      %r = phi {result} [%v, %in], [-1, %0]"""


def test_inactive_lanes_give_zero():
    """Reading lane 0 to 7 by `ds_bpermute` while they are off; nothing is written to them."""
    values = list(range(100, 164))
    addresses = [4 * ((n + 4) % 64) for n in range(64)]
    body = some_lanes("%v = call i32 @llvm.amdgcn.ds.bpermute(i32 %a, i32 %b)")
    inputs = ("i32", addresses), ("i32", values)
    expected = [-1] * 8 + [values[(n + 4) % 64] if (n + 4) % 64 >= 8 else 0 for n in range(8, 64)]
    assert evaluate(body, "i32", *inputs, target=WIDE).tolist() == expected

    body = some_lanes("%v = call i32 @llvm.amdgcn.ds.permute(i32 %a, i32 %b)")
    expected = [-1] * 8 + [0] * 4 + [values[n - 4] for n in range(12, 64)]
    assert evaluate(body, "i32", *inputs, target=WIDE).tolist() == expected


def test_first_and_numbered_lanes():
    """`readfirstlane` takes the lowest active lane, `readlane` the one of a number."""
    values = list(range(100, 164))
    first = some_lanes("%v = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %a)")
    assert evaluate(first, "i32", ("i32", values), target=WIDE).tolist() == [-1] * 8 + [108] * 56
    numbered = "%r = call i32 @llvm.amdgcn.readlane.i32(i32 %a, i32 63)"
    assert evaluate(numbered, "i32", ("i32", values), target=WIDE).tolist() == [163] * 64
    write = "%r = call i32 @llvm.amdgcn.writelane.i32(i32 7, i32 40, i32 %a)"
    assert evaluate(write, "i32", ("i32", values), target=WIDE).tolist() == [7 if n == 140 else n for n in values]


def test_reading_a_lane_that_is_off_is_found():
    """`readlane` of lane 3, while lanes 0 to 7 do something else."""
    body = some_lanes("%v = call i32 @llvm.amdgcn.readlane.i32(i32 %t, i32 3)")
    text = kernel(f"{body}\n%p = getelementptr i32, ptr %o, i64 %i\nstore i32 %r, ptr %p", target=WIDE)
    result = simt.launch(text, target=WIDE, grid=1, block=64, args=[np.zeros(64, np.int32)])

    assert [(finding.kind, finding.count) for finding in result.findings] == [("inactive-source", 56)]


@pytest.mark.parametrize("target", TARGETS)
def test_ballots_and_counts_below(target):
    """All lanes of the wave in one integer; `mbcnt` counts the ones below the lane."""
    width = TARGETS[target]
    yes = np.random.default_rng(6).integers(0, 2, 2 * width).tolist()
    bits = [sum(yes[at + n] << n for n in range(width)) for at in (0, width)]
    text = f"i{width}"
    got = evaluate(f"%r = call {text} @llvm.amdgcn.ballot.{text}(i1 %a)", text, ("i1", yes), target=target)
    assert [v % (1 << width) for v in got.tolist()] == [bits[n // width] for n in range(2 * width)]

    body = """
      %low = call i32 @llvm.amdgcn.mbcnt.lo(i32 %a, i32 1000)
      %r = call i32 @llvm.amdgcn.mbcnt.hi(i32 %b, i32 %low)"""
    low, high = 0xF0F0F0F1, 0x81234567
    lanes = 2 * width
    got = evaluate(body, "i32", ("i32", [low - 2**32] * lanes), ("i32", [high - 2**32] * lanes), target=target)
    both = high << 32 | low
    assert got.tolist() == [1000 + (both & (1 << n % width) - 1).bit_count() for n in range(lanes)]


def test_undefined_values_travel_with_exchanges():
    """Only to the lanes that read them."""
    amounts = [40 if n == 6 else 1 for n in range(64)]
    for call in (
        "%r = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %s, i32 177, i32 15, i32 15, i1 false)",
        "%x = xor i32 %t, 1\n%y = shl i32 %x, 2\n%r = call i32 @llvm.amdgcn.ds.bpermute(i32 %y, i32 %s)",
    ):
        body = f"%s = shl i32 1, %a\n{call}"
        assert undefined(body, "i32", ("i32", amounts), target=WIDE) == [n == 7 for n in range(64)]


def test_indices_and_implicit_arguments():
    """Where a lane is, and what the runtime tells of the launch."""
    for name, expected in {
        "workitem.id.x": [0, 1, 2, 3] * 2,
        "workitem.id.y": [0] * 8,
        "workgroup.id.x": [0] * 4 + [1] * 4,
        "wavefrontsize": [64] * 8,
    }.items():
        got = evaluate(f"%r = call i32 @llvm.amdgcn.{name}()", "i32", ("i32", [0] * 8), block=4, target=WIDE)
        assert got.tolist() == expected
    body = """
      %q = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
      %z = getelementptr i8, ptr addrspace(4) %q, i64 12
      %w = load i16, ptr addrspace(4) %z
      %r = zext i16 %w to i32"""
    assert evaluate(body, "i32", ("i32", [0] * 8), block=4, target=WIDE).tolist() == [4] * 8
    body = """
      %q = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
      %z = getelementptr i8, ptr addrspace(4) %q, i64 12
      %r = load i32, ptr addrspace(4) %z"""
    assert evaluate(body, "i32", ("i32", [0] * 8), block=4, target=WIDE).tolist() == [8] * 8


def test_indices_of_three_dimensions():
    """Of every work-item of a grid, in the row that they name themselves."""
    grid, block = (2, 3, 2), (4, 2, 3)
    names = [f"{kind}.id.{axis}" for kind in ("workgroup", "workitem") for axis in "zyx"]
    sizes = (*reversed(grid), *reversed(block))
    lines, stores = ["%n0 = add i32 0, 0"], []
    for at, (name, size) in enumerate(zip(names, sizes, strict=True)):
        lines += [f"%r{at} = call i32 @llvm.amdgcn.{name}()", f"%m{at} = mul i32 %n{at}, {size}"]
        lines += [f"%n{at + 1} = add i32 %m{at}, %r{at}"]
        stores += [f"%q{at} = getelementptr i32, ptr %row, i64 {at}", f"store i32 %r{at}, ptr %q{at}"]
    lines += [f"%row = getelementptr [{len(names)} x i32], ptr %o, i32 %n{len(names)}", *stores]
    output = np.full((*sizes, len(names)), -1, np.int32)

    text = kernel("\n".join(lines), target=WIDE)
    result = simt.launch(text, target=WIDE, grid=grid, block=block, args=[output.reshape(-1)])

    assert result.verdict == "clean", result.findings
    np.testing.assert_array_equal(output, np.moveaxis(np.indices(sizes), 0, -1))


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_lane_finds_its_bit_in_a_mask(engine):
    """The contrary of a ballot, for both widths of a wave."""
    for target, width in TARGETS.items():
        mask = int(np.random.default_rng(3).integers(0, 2**63)) * 2 + 1 & (1 << width) - 1
        body = f"%r = call i1 @llvm.amdgcn.inverse.ballot.i{width}(i{width} {mask})"
        got = evaluate(body, "i1", ("i32", [0] * 2 * width), target=target, engine=engine)
        assert got.tolist() == [mask >> n % width & 1 for n in range(2 * width)]


def test_bfloat_rounding_in_assembly():
    """What the compiler writes for a conversion to bfloat, instruction by instruction."""
    body = """
      %m = call i64 asm "v_cmp_u_f32 $0, $1, $1", "=s,v"(float %a)
      %l = call i32 asm "v_bfe_u32 $0, $1, 16, 1", "=v,v"(float %a)
      %s = call i32 asm "v_add3_u32 $0, $1, $2, $3", "=v,v,v,s"(float %a, i32 %l, i32 32767)
      %c = call i32 asm "v_cndmask_b32 $0, $1, $2, $3", "=v,v,v,s"(i32 %s, float 0x7FF8000000000000, i64 %m)
      %r = lshr i32 %c, 16"""
    values = np.array([1.0, 1.00390625, 1.01171875, np.nan, -2.5, 3e38, np.inf, 1.0039063], np.float32)
    bits = values.view(np.uint32).astype(np.int64)
    expected = (bits + 0x7FFF + (bits >> 16 & 1) >> 16).tolist()
    expected[3] = 0x7FC0

    assert evaluate(body, "i32", ("float", values), target=WIDE).tolist() == expected


@pytest.mark.parametrize("operands", ["%u, float 1.0", "1.0, float %u"])
def test_a_comparison_in_assembly_is_undefined_where_either_float_is(operands):
    """Only for the lane itself, although all lanes of the wave have one mask: each reads its own bit of it."""
    body = f"""
      %own = alloca float
      %odd = trunc i32 %a to i1
      br i1 %odd, label %write, label %read
    write:
      store float 2.0, ptr %own
      br label %read
    read:
      %u = load float, ptr %own
      %m = call i64 asm "v_cmp_u_f32 $0, $1, $2", "=s,v,v"(float {operands})
      %r = call i32 asm "v_cndmask_b32 $0, $1, $2, $3", "=v,v,v,s"(i32 1, i32 2, i64 %m)"""

    assert undefined(body, "i32", ("i32", range(64)), target=WIDE, clean=False) == [lane % 2 == 0 for lane in range(64)]


def test_exchanges_tell_observers_who_reads_whom():
    """`ds_bpermute`: no mask; the position read, -1 from an inactive lane."""
    watch, events = recorder("shuffle")
    body = some_lanes("%v = call i32 @llvm.amdgcn.ds.bpermute(i32 0, i32 %a)")
    evaluate(body, "i32", ("i32", range(64)), observers=(watch,), target=WIDE)
    ((_, event),) = events

    assert (event.operation, event.masks, event.lanes.n) == ("ds_bpermute", None, 56)
    assert event.inactive.tolist() == list(range(56)) and set(event.sources.tolist()) == {-1}
    assert set(event.results.tolist()) == {0}


@pytest.mark.parametrize("seed", [None, 1])
def test_lanes_that_go_round_by_two_ways_meet_before_the_next_round(seed):
    """Half of the wave has more to do in each of three rounds; every round begins with an exchange of all."""
    output = np.zeros(64, np.int32)
    text = """target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr %o) {
  %t = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr i32, ptr %o, i32 %t
  %other = xor i32 %t, 1
  %from = shl i32 %other, 2
  %odd = trunc i32 %t to i1
  br label %round
round:
  %i = phi i32 [ 0, %0 ], [ %j, %round ], [ %j, %more ]
  %v = phi i32 [ %t, %0 ], [ %w, %round ], [ %w, %more ]
  %j = add i32 %i, 1
  %x = call i32 @llvm.amdgcn.ds.bpermute(i32 %from, i32 %v)
  %w = add i32 %x, 1
  %last = icmp eq i32 %j, 3
  %which = zext i1 %odd to i32
  %chosen = select i1 %last, i32 2, i32 %which
  switch i32 %chosen, label %end [ i32 0, label %round i32 1, label %more ]
more:
  %old = atomicrmw add ptr %p, i32 100 monotonic
  br label %round
end:
  %kept = atomicrmw add ptr %p, i32 %w monotonic
  ret void
}
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.ds.bpermute(i32, i32)
"""
    result = simt.launch(
        text,
        target="amd:gfx942",
        grid=1,
        block=64,
        args=[output],
        observers=simt.observers(),
        options=simt.Options(seed=seed),
    )

    assert result.verdict == "clean", result.findings
    assert output.tolist() == [(t ^ 1) + 3 + 200 * (t % 2) for t in range(64)]


PULLS = {
    "by address": "ds.bpermute(i32 12, i32 %v)",
    "by number": "readlane(i32 %v, i32 3)",
}


@pytest.mark.parametrize("call", PULLS.values(), ids=PULLS)
@pytest.mark.parametrize("threads", [40, 16])
def test_all_lanes_of_a_wave_that_is_not_full_take_what_one_has(call, threads):
    body = f"""  %v = add i32 %t, 5
  %w = call i32 @llvm.amdgcn.{call}
  %q = getelementptr i32, ptr %o, i64 %i
  store i32 %w, ptr %q"""
    out = np.zeros(threads, np.int32)
    result = simt.launch(kernel(body, target="amd"), target="amd:gfx1100", grid=1, block=threads, args=[out])

    result.raise_for_fault()
    lanes = np.arange(threads)
    missing = lanes // 32 * 32 + 3 >= threads
    assert out[~missing].tolist() == (lanes // 32 * 32 + 8)[~missing].tolist()


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_vectors_are_moved_by_dpp_and_written_to_lanes(engine):
    """As are the words that they are made of; a lane's number is taken as of one of the wave."""
    body = """  %a = insertelement <2 x i32> undef, i32 %t, i32 0
  %b = insertelement <2 x i32> %a, i32 7, i32 1
  %c = call <2 x i32> @llvm.amdgcn.update.dpp.v2i32(<2 x i32> %b, <2 x i32> %b, i32 177, i32 15, i32 15, i1 false)
  %d = call <2 x i32> @llvm.amdgcn.writelane.v2i32(<2 x i32> <i32 9, i32 9>, i32 67, <2 x i32> %c)
  %q = getelementptr <2 x i32>, ptr %o, i64 %i
  store <2 x i32> %d, ptr %q"""
    out = np.zeros((64, 2), np.int32)
    how = {"grid": 1, "block": 64, "args": [out], "options": simt.Options(engine=engine)}
    simt.launch(kernel(body, target="amd"), target="amd:gfx942", **how).raise_for_fault()

    expected = np.stack([np.arange(64) ^ 1, np.full(64, 7)], 1)
    expected[3] = 9
    assert out.tolist() == expected.tolist()


def test_a_dpp_control_that_there_is_not_is_refused():
    body = """  %w = call i32 @llvm.amdgcn.update.dpp.i32(i32 0, i32 %t, i32 2457, i32 15, i32 15, i1 false)
  store i32 %w, ptr %o"""
    how = {"grid": 1, "block": 64, "args": [np.zeros(1, np.int32)]}
    fault = simt.launch(kernel(body, target="amd"), target="amd:gfx942", **how).fault

    assert str(fault).startswith("llvm.amdgcn.update.dpp with control 0x999")
