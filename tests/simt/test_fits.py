"""What does not fit the target, or what the kernel declares, is refused before anything runs."""

from pathlib import Path

import numpy as np
import pytest

from harness import simt

STORED = Path(__file__).parents[1] / "solutions"
NVIDIA, AMD, APPLE = "nvptx64-nvidia-cuda", "amdgcn-amd-amdhsa", "air64-apple-macosx"


def module(attributes="", *, triple=NVIDIA, shared=(), word="ptx_kernel"):
    """A kernel that does nothing but touch its shared arrays, of so many bytes each; one more kernel has 40 KiB."""
    arrays = "".join(f"@s{n} = internal addrspace(3) global [{size} x i8] poison\n" for n, size in enumerate(shared))
    touches = "".join(f"  store i8 0, ptr addrspace(3) @s{n}\n" for n in range(len(shared)))
    return (
        f'target triple = "{triple}"\n{arrays}'
        "@other = internal addrspace(3) global [40960 x i8] poison\n"
        f"define {word} void @k() #0 {{\n{touches}  ret void\n}}\n"
        f"define {word} void @o() {{\n  store i8 0, ptr addrspace(3) @other\n  ret void\n}}\n"
        f"attributes #0 = {{ nounwind {attributes} }}\n"
    )


def launch(text, *, target="nvidia:sm_90", grid=1, block=32, cluster=1, **options):
    return simt.launch(text, kernel="k", target=target, grid=grid, block=block, cluster=cluster, args=[], **options)


def refused(text, words, **launched):
    with pytest.raises(simt.LaunchError, match=words):
        launch(text, **launched)


@pytest.mark.parametrize(
    ("stored", "target", "words"),
    [
        ("p15.gfx942.ll", "nvidia:sm_90", "for amd"),
        ("p15.sm_90.ll", "amd:gfx942", "name a target of nvidia"),
        ("p15.sm_90.ll", "apple:apple-m4", "name a target of nvidia"),
        ("p15.apple-m4.ll", "amd:gfx1100", "name a target of apple"),
        ("p15.gfx942.ll", "amd:gfx1100", "for gfx942, which amd:gfx1100 does not run: compile it for gfx1100"),
        ("p15.gfx1100.ll", "amd:gfx942", "for gfx1100"),
        ("p15.sm_90.ll", "nvidia:sm_80", "for sm_90a, which nvidia:sm_80 does not run"),
        ("p15.sm_90.ll", "nvidia:sm_100", "for sm_90a"),  # its own instructions are in no later architecture
        ("p15.apple-m4.ll", "apple:apple-m1", "for apple-m4"),
    ],
)
def test_code_for_another_gpu_is_refused(stored, target, words):
    text = (STORED / stored).read_text()
    with pytest.raises(simt.LaunchError, match=words):
        simt.launch(text, target=target, grid=1, block=1, args=[np.zeros(4, np.float32)] * 2)


@pytest.mark.parametrize(
    ("attributes", "triple", "target"),
    [
        ('"target-cpu"="sm_80"', NVIDIA, "nvidia:sm_90"),  # PTX runs on what is newer
        ('"target-cpu"="sm_90a"', NVIDIA, "nvidia:sm_90"),
        ('"target-cpu"="sm_90"', NVIDIA, "nvidia:sm_90a"),
        ('"target-cpu"="gfx11-generic"', AMD, "amd:gfx1100"),
        ('"target-cpu"="gfx9-4-generic"', AMD, "amd:gfx942"),
        ('"target-cpu"="apple-m1"', APPLE, "apple:apple-m4"),
        ('"target-features"="+wavefrontsize64"', AMD, "amd:gfx942"),
        ("", "", "amd:gfx1100"),  # nothing is said
    ],
)
def test_code_that_the_target_runs_is_taken(attributes, triple, target):
    assert launch(module(attributes, triple=triple), target=target).verdict == "clean"


def test_wide_wavefronts_on_a_narrow_target_are_refused():
    refused(module('"target-features"="+wavefrontsize64"', triple=AMD), "wavefronts of 64 lanes", target="amd:gfx1100")


def test_code_for_no_gpu_is_refused():
    refused(module(triple="x86_64-unknown-linux-gnu"), "is no GPU that is simulated")
    refused(module(triple="spir64-unknown-unknown", word="spir_kernel"), "is no GPU that is simulated")


@pytest.mark.parametrize(
    ("attributes", "launched", "words"),
    [
        ('"nvvm.maxntid"="128"', {"block": 129}, "at most 128 threads"),
        ('"nvvm.maxntid"="8,4"', {"block": (8, 5)}, "at most 32 threads"),
        ('"nvvm.reqntid"="64"', {"block": 32}, r"blocks of \(64, 1, 1\)"),
        ('"nvvm.reqntid"="8,8"', {"block": 64}, r"blocks of \(8, 8, 1\)"),
        ('"nvvm.cluster_dim"="2"', {"grid": 2}, r"clusters of \(2, 1, 1\)"),
        ('"nvvm.maxclusterrank"="2"', {"grid": 4, "cluster": 4}, "at most 2 blocks"),
        ('"amdgpu-flat-work-group-size"="1,256"', {"block": 257}, "1 to 256 threads"),
        ('"amdgpu-flat-work-group-size"="64,64"', {"block": 32}, "64 to 64 threads"),
    ],
)
def test_a_launch_against_what_the_kernel_declares_is_refused(attributes, launched, words):
    amd = "amdgpu" in attributes
    text = module(attributes, triple=AMD if amd else NVIDIA, word="amdgpu_kernel" if amd else "ptx_kernel")
    refused(text, words, target="amd:gfx942" if amd else "nvidia:sm_90", **launched)


@pytest.mark.parametrize(
    ("attributes", "launched"),
    [
        ('"nvvm.maxntid"="128"', {"block": 128}),
        ('"nvvm.maxntid"="8,4"', {"block": 32}),
        ('"nvvm.reqntid"="8,8"', {"block": (8, 8)}),
        ('"nvvm.cluster_dim"="2"', {"grid": 4, "cluster": 2}),
        ('"nvvm.maxclusterrank"="2"', {"grid": 4, "cluster": 2}),
    ],
)
def test_a_launch_as_the_kernel_declares_is_taken(attributes, launched):
    assert launch(module(attributes), **launched).verdict == "clean"


def test_the_older_metadata_counts_as_well():
    """`nvvm.annotations`, as older versions of clang write it."""
    text = 'target triple = "nvptx64-nvidia-cuda"\ndefine void @k() { ret void }\n'
    text += '!nvvm.annotations = !{!0, !1}\n!0 = !{ptr @k, !"kernel", i32 1}\n!1 = !{ptr @k, !"maxntidx", i32 64}\n'
    refused(text, "at most 64 threads", block=65)


@pytest.mark.parametrize(
    ("launched", "words"),
    [
        ({"block": (1, 1, 65)}, "a block on nvidia:sm_90 has at most 64 in z, but got 65"),
        ({"block": (1024, 2)}, "at most 1024 threads"),
        ({"grid": (1, 65536)}, "a grid on nvidia:sm_90 has at most 65535 in y, but got 65536"),
        ({"grid": 32, "cluster": 32}, "a cluster on nvidia:sm_90 has at most 16 blocks"),
        ({"grid": 16, "cluster": 16, "target": "nvidia:sm_121"}, "at most 8 blocks"),
        ({"grid": 2, "cluster": 2, "target": "nvidia:sm_80"}, "has no clusters"),
        ({"grid": 3, "cluster": 2}, "multiple"),
    ],
)
def test_an_impossible_geometry_is_refused(launched, words):
    refused(module(), words, **launched)


def test_more_threads_than_a_dispatch_packet_counts_are_refused():
    """AMD's has 32 bits for each direction; `check` runs nothing."""
    text = module(triple=AMD, word="amdgpu_kernel")
    simt.check(text, kernel="k", target="amd:gfx942", grid=2**24 - 1, block=256)
    with pytest.raises(simt.LaunchError, match="at most 4294967295 threads in x, not 4294967296"):
        simt.check(text, kernel="k", target="amd:gfx942", grid=2**24, block=256)


KIB = 1024


@pytest.mark.parametrize(
    ("target", "sizes", "dynamic", "words"),
    [
        (
            "nvidia:sm_90",
            (200 * KIB, 27 * KIB + 1),
            0,
            "takes 232449 bytes of shared memory, but nvidia:sm_90 has 232448",
        ),
        ("nvidia:sm_90", (48 * KIB,), 179 * KIB + 1, "232449 bytes of shared memory, but nvidia:sm_90 has 232448"),
        ("nvidia:sm_86", (), 99 * KIB + 1, "has 101376"),
        ("nvidia:sm_80", (), 163 * KIB + 1, "has 166912"),
        (
            "amd:gfx942",
            (64 * KIB + 1,),
            0,
            "takes 65537 bytes of shared memory, but amd:gfx942 has 65536 for a block$",
        ),
        ("apple:apple-m4", (33 * KIB,), 0, "has 32768"),
    ],
)
def test_more_shared_memory_than_a_block_has_is_refused(target, sizes, dynamic, words):
    refused(module(triple="", shared=sizes), words, target=target, dynamic_shared_bytes=dynamic)


@pytest.mark.parametrize(
    ("target", "sizes", "dynamic"),
    [
        ("nvidia:sm_90", (48 * KIB,), 179 * KIB),
        ("nvidia:sm_80", (), 163 * KIB),
        ("amd:gfx950", (160 * KIB,), 0),
        ("apple:apple-m4", (32 * KIB,), 0),
    ],
)
def test_all_the_shared_memory_of_a_block_is_taken(target, sizes, dynamic):
    """What another kernel of the module declares does not count."""
    assert launch(module(triple="", shared=sizes), target=target, dynamic_shared_bytes=dynamic).verdict == "clean"


@pytest.mark.parametrize("grid", [0, (), (1, 1, 1, 1), (2, -1), 2.5, (2.0,), None, "2", ("a",), ([1],), np.array(2)])
def test_an_extent_that_is_no_one_to_three_positive_integers_is_refused(grid):
    refused(module(), "^grid must be one to three whole numbers of at least 1, but got ", grid=grid)


@pytest.mark.parametrize("grid", [2, np.int32(2), (2,), [2, 1], np.array([2, 1, 1])])
def test_an_extent_may_be_any_integers(grid):
    assert launch(module(), grid=grid).counters["lanes"] == 64
