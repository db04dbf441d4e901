"""Exchanges within an NVIDIA warp, each against the rule of the PTX manual."""

import functools
import operator

import numpy as np
import pytest

from harness import simt
from tests.simt.snippets import evaluate, kernel, recorder, undefined

MODES = ["idx", "up", "down", "bfly"]
# clamp and segment mask for widths 32, 16, 8, 4, 2, 1, and two that only PTX can say.
CONTROLS = [(32 - width) << 8 | 31 for width in (32, 16, 8, 4, 2, 1)]
UP_CONTROLS = [(32 - width) << 8 for width in (32, 16, 8, 4, 2, 1)]
ODD_CONTROLS = [12 << 8 | 5, 3 << 8 | 17]


def ptx_shuffle(mode, lane, b, c):
    """The pseudo-code of `shfl.sync` for one lane: (source lane, predicate)."""
    bval, cval, mask = b & 0x1F, c & 0x1F, c >> 8 & 0x1F
    max_lane = (lane & mask) | (cval & (~mask & 0x1F))
    min_lane = lane & mask
    if mode == "up":
        j = lane - bval
        pval = j >= max_lane
    elif mode == "down":
        j = lane + bval
        pval = j <= max_lane
    elif mode == "bfly":
        j = lane ^ bval
        pval = j <= max_lane
    else:
        j = min_lane | (bval & ~mask & 0x1F)
        pval = j <= max_lane
    return (j if pval else lane), pval


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_every_lane_operand_and_width_of_a_shuffle(mode):
    """32 lanes by 32 operands by widths and clamps: 8,192 results for each mode."""
    controls = (UP_CONTROLS if mode == "up" else CONTROLS) + ODD_CONTROLS
    cases = [(b, c) for c in controls for b in range(32)]
    operands = np.repeat([b for b, _ in cases], 32).tolist()
    control = np.repeat([c for _, c in cases], 32).tolist()
    values = list(range(1000, 1000 + 32 * len(cases)))
    expected = [ptx_shuffle(mode, n % 32, operands[n], control[n]) for n in range(len(values))]
    pair = "{ i32, i1 }"
    body = f"%s = call {pair} @llvm.nvvm.shfl.sync.{mode}.i32p(i32 -1, i32 %a, i32 %b, i32 %c)\n"
    inputs = ("i32", values), ("i32", operands), ("i32", control)

    got = evaluate(f"{body}%r = extractvalue {pair} %s, 0", "i32", *inputs, block=256)
    assert got.tolist() == [1000 + n // 32 * 32 + lane for n, (lane, _) in enumerate(expected)]
    inside = evaluate(f"{body}%r = extractvalue {pair} %s, 1", "i1", *inputs, block=256)
    assert inside.tolist() == [int(valid) for _, valid in expected]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", [None, 4])
def test_a_lane_may_have_an_operand_of_its_own(mode, seed):
    """The operand and the width differ from lane to lane."""
    rng = np.random.default_rng(3)
    operand = rng.integers(0, 64, 512).tolist()
    control = rng.choice(UP_CONTROLS if mode == "up" else CONTROLS, 512).tolist()
    body = f"%r = call i32 @llvm.nvvm.shfl.sync.{mode}.i32(i32 -1, i32 %a, i32 %b, i32 %c)"
    got = evaluate(
        body, "i32", ("i32", range(512)), ("i32", operand), ("i32", control), block=64, options=simt.Options(seed=seed)
    )

    assert got.tolist() == [n // 32 * 32 + ptx_shuffle(mode, n % 32, operand[n], control[n])[0] for n in range(512)]


def test_shuffles_of_floats_and_doubles_carry_bits():
    """A float, with its payload; a 64-bit value goes as two halves."""
    body = "%r = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a, i32 1, i32 31)"
    values = np.arange(32, dtype=np.float32) - 3.5

    got = evaluate(body, "float", ("float", values))
    np.testing.assert_array_equal(got, values.reshape(-1, 2)[:, ::-1].ravel())


def masked(body, masks, condition, result="i32", **options):
    """Runs `body` only in the lanes where a condition on %t holds."""
    text = f"""
      %go = icmp {condition}
      br i1 %go, label %in, label %join
    in:
      {body}
      br label %join
    join:
      %r = phi {result} [%v, %in], [0, %0]"""
    return evaluate(text, result, ("i32", masks), ("i32", list(range(len(masks)))), **options)


@pytest.mark.parametrize("mode", MODES)
def test_half_a_warp_shuffles_with_its_own_mask(mode):
    """Lanes 0 to 15 alone, without a finding; the others go on."""
    body = f"%v = call i32 @llvm.nvvm.shfl.sync.{mode}.i32(i32 65535, i32 %b, i32 1, i32 {0 if mode == 'up' else 31})"
    got = masked(body, [0xFFFF] * 32, "ult i32 %t, 16", clean=mode != "down")
    control = 0 if mode == "up" else 31
    expected = [ptx_shuffle(mode, n, 1, control)[0] for n in range(16)]
    if mode == "down":  # lane 15 reads lane 16, which is not in the mask: undefined
        got, expected = got[:15], expected[:15]

    assert got[: len(expected)].tolist() == expected


def test_a_source_outside_the_active_lanes_is_undefined_and_found():
    """Lane 15 reads lane 16, which takes no part."""
    text = kernel("""
      %go = icmp ult i32 %t, 16
      br i1 %go, label %in, label %join
    in:
      %v = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 65535, i32 %t, i32 1, i32 31)
      %p = getelementptr i32, ptr %o, i64 %i
      store i32 %v, ptr %p
      br label %join
    join:""")
    result = simt.launch(text, target="nvidia:sm_90", grid=1, block=32, args=[np.zeros(32, np.int32)])

    (finding,) = result.findings
    assert (finding.kind, finding.count, finding.who[0].lane) == ("inactive-source", 1, 15)


def test_a_source_that_is_no_thread_of_the_block_is_told_as_such():
    """Nothing is to be put outside of a condition, where there is none: a sum of the warp in a block of 8 threads."""
    text = kernel("""
      %v = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, i32 8, i32 31)
      %p = getelementptr i32, ptr %o, i64 %i
      store i32 %v, ptr %p""")
    result = simt.launch(text, target="nvidia:sm_90", grid=1, block=8, args=[np.zeros(8, np.int32)])

    (finding,) = result.findings
    assert (finding.id, finding.count, finding.values["threads"]) == ("inactive-source.none", 8, 8)


def test_a_mask_that_does_not_name_its_caller_is_found():
    """Lane 0 calls with a mask of the lanes above it."""
    text = kernel("%v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -2, i32 %t, i32 5, i32 31)")
    result = simt.launch(text, target="nvidia:sm_90", grid=1, block=32, args=[np.zeros(1, np.int32)])

    assert [(finding.kind, finding.who[0].lane) for finding in result.findings] == [("caller-not-in-mask", 0)]


NOT_NAMED = [
    "%v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 {mask}, i32 %t, i32 0, i32 31)",
    "%v = call i1 @llvm.nvvm.vote.any.sync(i32 {mask}, i1 true)",
    "%v = call i32 @llvm.nvvm.match.any.sync.i32(i32 {mask}, i32 7)",
    "%v = call {{i32, i1}} @llvm.nvvm.match.all.sync.i32p(i32 {mask}, i32 7)",
    "%v = call i32 @llvm.nvvm.redux.sync.add(i32 %t, i32 {mask})",
    "%v = call {{i32, i1}} @llvm.nvvm.elect.sync(i32 {mask})",
    "call void @llvm.nvvm.bar.warp.sync(i32 {mask})",
]


@pytest.mark.parametrize("call", NOT_NAMED)
def test_every_exchange_and_meeting_finds_a_caller_that_its_mask_does_not_name(call):
    """Lanes 16 to 31 come with a mask of the others."""
    result = simt.launch(
        kernel(call.format(mask=65535)), target="nvidia:sm_90", grid=1, block=32, args=[np.zeros(1, np.int32)]
    )

    assert [(found.kind, found.count, found.who[0].lane) for found in result.findings] == [
        ("caller-not-in-mask", 16, 16)
    ]


@pytest.mark.parametrize("call", NOT_NAMED)
def test_lanes_that_name_one_another_by_different_masks_are_found(call):
    """Lane 0 names all; the others do not name lane 0, and agree."""
    body = f"%first = icmp eq i32 %t, 0\n%m = select i1 %first, i32 -1, i32 -2\n{call.format(mask='%m')}"
    result = simt.launch(
        kernel(body.replace("i32 0, i32 31", "i32 %t, i32 31")),
        target="nvidia:sm_90",
        grid=1,
        block=32,
        args=[np.zeros(1, np.int32)],
    )

    assert [(found.kind, found.count, found.who[0].lane) for found in result.findings] == [("masks-differ", 1, 0)]


def test_a_source_that_the_mask_does_not_name_is_undefined_and_found():
    """Both halves are at the exchange, each with a mask of its own; lane 0 reads lane 16, and lane 16 itself."""
    text = kernel("""
      %low = icmp ult i32 %t, 16
      %m = select i1 %low, i32 65535, i32 -65536
      %first = icmp eq i32 %t, 0
      %from = select i1 %first, i32 16, i32 %t
      %v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 %m, i32 %t, i32 %from, i32 31)
      %p = getelementptr i32, ptr %o, i64 %i
      store i32 %v, ptr %p""")
    result = simt.launch(text, target="nvidia:sm_90", grid=1, block=32, args=[np.zeros(32, np.int32)])

    assert [(found.id, found.count, found.who[0].lane) for found in result.findings] == [
        ("inactive-source.undefined", 1, 0)
    ]


MASKS = [0xFFFFFFFF, 0x0000FFFF, 0x55555555, 0x80000001]


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("kind", ["any", "all", "uni", "ballot"])
def test_votes_count_only_the_mask(kind, mask):
    """Lanes outside the mask vote with the complement mask, separately."""
    rng = np.random.default_rng(mask % 97)
    for bits in [0, 0xFFFFFFFF, mask, ~mask & 0xFFFFFFFF, int(rng.integers(0, 2**32)), 0x00010000]:
        yes = [bits >> n & 1 for n in range(32)]
        masks = [mask if mask >> n & 1 else ~mask & 0xFFFFFFFF for n in range(32)]
        expected = []
        for own in masks:
            hits = bits & own
            answer = {"any": hits != 0, "all": hits == own, "uni": hits in (0, own), "ballot": hits}[kind]
            expected.append(int(answer) - ((1 << 32) if kind == "ballot" and hits >> 31 else 0))
        into = "i32" if kind == "ballot" else "i1"
        body = f"%r = call {into} @llvm.nvvm.vote.{kind}.sync(i32 %a, i1 %b)"

        assert evaluate(body, into, ("i32", masks), ("i1", yes)).tolist() == expected


@pytest.mark.slow
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("bits", [32, 64])
def test_matches(bits, mask):
    """`match.any` gives the lanes with the same value, `match.all` the mask or 0; of 64 bits the upper ones count."""
    rng, ty, shift = np.random.default_rng(8), f"i{bits}", bits - 8
    operand = "r" if bits == 32 else "l"
    masks = [mask if mask >> n & 1 else ~mask & 0xFFFFFFFF for n in range(32)]
    for numbers in (rng.integers(0, 4, 32).tolist(), [7] * 32, [7 if mask >> n & 1 else n for n in range(32)]):
        values = [(5 + number << shift) + 9 for number in numbers]
        same = [sum(1 << m for m in range(32) if masks[n] >> m & 1 and values[m] == values[n]) for n in range(32)]
        signed = [mask - (1 << 32) if mask >> 31 else mask for mask in same]
        given = ("i32", masks), (ty, values)
        body = f"%r = call i32 @llvm.nvvm.match.any.sync.{ty}(i32 %a, {ty} %b)"
        assert evaluate(body, "i32", *given).tolist() == signed
        pair = "{ i32, i1 }"
        call = f"%s = call {pair} @llvm.nvvm.match.all.sync.{ty}p(i32 %a, {ty} %b)\n%r = extractvalue {pair} %s,"
        agreed = [int(mask == own) for mask, own in zip(same, masks, strict=True)]
        whole = [sign if agree else 0 for sign, agree in zip(signed, agreed, strict=True)]
        assert evaluate(f"{call} 0", "i32", *given).tolist() == whole
        assert evaluate(f"{call} 1", "i1", *given).tolist() == agreed
        texts = f"match.any.sync.b{bits} $0, $1, $2;", f"{{ .reg .pred p; match.all.sync.b{bits} $0|p, $1, $2; }}"
        for text, expected in zip(texts, (signed, whole), strict=True):
            written = f'%r = call i32 asm sideeffect "{text}", "=r,{operand},r"({ty} %b, i32 %a)'
            assert evaluate(written, "i32", *given).tolist() == expected


@pytest.mark.parametrize("written", ["@llvm.nvvm.activemask()", 'asm sideeffect "activemask.b32 $0;", "=r"()'])
def test_the_lanes_of_a_branch_are_active(written):
    """And all of them where there is no branch."""
    assert masked(f"%v = call i32 {written}", [0] * 32, "ult i32 %t, 12").tolist() == [(1 << 12) - 1] * 12 + [0] * 20
    assert evaluate(f"%r = call i32 {written}", "i32", ("i32", [0] * 32)).tolist() == [-1] * 32


def test_a_wide_product_has_all_its_bits():
    """As inline assembly, the form in which Mojo's library divides by multiplying."""
    first, second = [0, 1, 0xFFFFFFFF, 0x80000000, 7] * 6 + [3, 5], [0xFFFFFFFF, 0x80000001, 2] * 10 + [1, 0]
    body = '%r = call i64 asm "mul.wide.u32 $0, $1, $2;", "=l,r,r"(i32 %a, i32 %b)'

    products = evaluate(body, "i64", ("i32", first), ("i32", second)).view(np.uint64)

    assert products.tolist() == [a * b for a, b in zip(first, second, strict=True)]


REDUCTIONS = {
    "add": operator.add,
    "min": min,
    "max": max,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "umin": lambda a, b: min(a, b, key=lambda v: v % 2**32),
    "umax": lambda a, b: max(a, b, key=lambda v: v % 2**32),
}


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_take_the_lanes_of_the_mask(name, mask):
    """Sums wrap; both groups reduce at once."""
    values = np.random.default_rng(2).integers(-(2**31), 2**31, 32).tolist()
    masks = [mask if mask >> n & 1 else ~mask & 0xFFFFFFFF for n in range(32)]
    expected = []
    for own in masks:
        total = functools.reduce(REDUCTIONS[name], [values[m] for m in range(32) if own >> m & 1])
        expected.append((total + 2**31) % 2**32 - 2**31)

    body = f"%r = call i32 @llvm.nvvm.redux.sync.{name}(i32 %b, i32 %a)"
    assert evaluate(body, "i32", ("i32", masks), ("i32", values)).tolist() == expected


@pytest.mark.parametrize("mask", MASKS)
def test_one_lane_of_the_mask_is_elected(mask):
    """The lowest that is there; all learn who."""
    masks = [mask if mask >> n & 1 else ~mask & 0xFFFFFFFF for n in range(32)]
    leaders = [(own & -own).bit_length() - 1 for own in masks]
    pair = "{ i32, i1 }"
    call = f"%s = call {pair} @llvm.nvvm.elect.sync(i32 %a)\n%r = extractvalue {pair} %s,"

    assert evaluate(f"{call} 0", "i32", ("i32", masks)).tolist() == leaders
    assert evaluate(f"{call} 1", "i1", ("i32", masks)).tolist() == [int(n == m) for n, m in enumerate(leaders)]


def test_a_partial_warp_has_only_its_lanes():
    """A block of 40: the second warp has 8 lanes, and a full mask means these."""
    body = "%r = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)"

    assert evaluate(body, "i32", ("i32", range(40))).tolist() == [-1] * 32 + [255] * 8


def test_undefined_values_travel_with_a_shuffle():
    """Only the lane that receives one is marked."""
    body = """
      %s = shl i32 1, %a
      %r = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %s, i32 1, i32 31)"""
    amounts = [40 if n == 6 else 1 for n in range(32)]

    assert undefined(body, "i32", ("i32", amounts)) == [n == 7 for n in range(32)]


def test_shuffles_tell_observers_who_reads_whom():
    """Every field of the event."""
    watch, events = recorder("shuffle")
    body = "%r = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %a, i32 1, i32 0)"
    evaluate(body, "i32", ("i32", range(100, 132)), observers=(watch,))

    ((_, event),) = events
    assert event.operation == "shfl.up" and event.site.text.startswith("%r = call")
    assert event.masks.tolist() == [-1] and event.lanes.n == 32 and not len(event.inactive)
    assert event.sources.tolist() == [0, *range(31)]
    assert event.values.tolist() == list(range(100, 132))
    assert event.results.tolist() == [100, *range(100, 131)]


def test_special_registers():
    """Lane and lane masks."""
    reg = "call i32 @llvm.nvvm.read.ptx.sreg"
    lanes = [("i32", range(64))]
    assert evaluate(f"%r = {reg}.laneid()", "i32", *lanes).tolist() == [*range(32)] * 2
    masks = {
        "eq": lambda n: 1 << n,
        "lt": lambda n: (1 << n) - 1,
        "le": lambda n: (2 << n) - 1,
        "gt": lambda n: ~((2 << n) - 1),
        "ge": lambda n: ~((1 << n) - 1),
    }
    for name, rule in masks.items():
        got = evaluate(f"%r = {reg}.lanemask.{name}()", "i32", *lanes)
        assert [v % 2**32 for v in got.tolist()] == [rule(n % 32) % 2**32 for n in range(64)]


OF_ALL = [
    ("nvidia:sm_90", "i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)"),
    ("nvidia:sm_90", "i32 @llvm.nvvm.vote.ballot(i1 %c)"),
    ("nvidia:sm_90", "i32 @llvm.nvvm.redux.sync.add(i32 %s, i32 -1)"),
    ("nvidia:sm_90", "i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %s)"),
    ("amd:gfx942", "i64 @llvm.amdgcn.ballot.i64(i1 %c)"),
    ("apple:apple-m4", "i64 @air.simd_ballot.i64(i1 %c)"),
    ("apple:apple-m4", "i1 @air.simd_any(i1 %c)"),
    ("apple:apple-m4", "i32 @air.simd_sum.s.i32(i32 %s)"),
    ("apple:apple-m4", "i32 @air.simd_max.u.i32(i32 %s)"),
]


@pytest.mark.parametrize(("target", "call"), OF_ALL, ids=[call.split("(")[0] for _, call in OF_ALL])
def test_what_is_made_of_a_warps_values_is_undefined_if_one_of_them_is(target, call):
    """For all of its lanes, and for those of no other warp."""
    width = 64 if target.startswith("amd") else 32
    amounts = [40 if lane == 5 else 1 for lane in range(2 * width)]
    body = f"%s = shl i32 1, %a\n%c = icmp ne i32 %s, 0\n%r = call {call}"

    got = undefined(body, call.split()[0], ("i32", amounts), target=target)

    assert got == [True] * width + [False] * width


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        ("llvm.amdgcn.ds.permute(i32 %to, i32 %s)", 7),
        ("llvm.amdgcn.writelane.i32(i32 3, i32 6, i32 %s)", 5),
        ("llvm.amdgcn.writelane.i32(i32 3, i32 5, i32 %s)", None),
    ],
)
def test_a_value_that_goes_to_one_lane_takes_along_that_it_is_undefined(call, wrong):
    """Lane 5 has one: it is sent to lane 7, kept, or replaced."""
    amounts = [40 if lane == 5 else 1 for lane in range(64)]
    body = f"%s = shl i32 1, %a\n%next = add i32 %t, 2\n%to = shl i32 %next, 2\n%r = call i32 @{call}"

    got = undefined(body, "i32", ("i32", amounts), target="amd:gfx942")

    assert got == [lane == wrong for lane in range(64)]


@pytest.mark.parametrize(
    ("target", "call", "wrong"),
    [
        ("amd:gfx942", "llvm.amdgcn.ds.permute(i32 %to, i32 %t)", range(64)),
        ("amd:gfx942", "llvm.amdgcn.ds.bpermute(i32 %to, i32 %t)", [5]),
        ("amd:gfx942", "llvm.amdgcn.ds.bpermute(i32 %to, i32 7)", [5]),
        ("amd:gfx942", "llvm.amdgcn.readlane.i32(i32 %t, i32 %s)", [5]),
        ("nvidia:sm_90", "llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %t, i32 %s, i32 31)", [5]),
        ("apple:apple-m4", "air.simd_shuffle.s.i32(i32 %t, i16 %n)", [5]),
    ],
)
def test_what_goes_from_or_to_an_undefined_lane_is_undefined(target, call, wrong):
    """Who reads gets it alone; what is sent may reach any lane of the warp, but none of another one."""
    amounts = [40 if lane == 5 else 1 for lane in range(128)]
    body = f"%s = shl i32 1, %a\n%n = trunc i32 %s to i16\n%to = shl i32 %s, 2\n%r = call i32 @{call}"

    got = undefined(body, "i32", ("i32", amounts), target=target)

    assert [lane for lane, is_undefined in enumerate(got) if is_undefined] == list(wrong)
