"""Clusters: their barrier, the shared memory of peers, ranks."""

import numpy as np
import pytest

from harness import simt
from tests.simt.snippets import kernel, recorder

BARRIER = "llvm.nvvm.barrier.cluster"
SHARED = "@s = internal addrspace(3) global [64 x i32] poison, align 16\n"


def run(body, *, grid=4, cluster=2, block=32, observers=(), target="nvidia:sm_90", **options):
    """Launches a body with an array %s in shared memory."""
    output = np.full(1024, -1, np.int32)
    result = simt.launch(
        kernel(body, globals_=SHARED, target=target),
        target=target,
        grid=grid,
        block=block,
        cluster=cluster,
        args=[output],
        observers=observers,
        options=simt.Options(**options),
    )
    return result, output


PEER = f"""
      %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
      %own = getelementptr i32, ptr addrspace(3) @s, i32 %t
      store i32 %b1, ptr addrspace(3) %own
      call void @{BARRIER}.arrive.aligned()
      call void @{BARRIER}.wait.aligned()
      %other = xor i32 %rank, 1
      %far = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %own, i32 %other)
      %v = load i32, ptr addrspace(7) %far
      %generic = addrspacecast ptr addrspace(7) %far to ptr
      %who = call i32 @llvm.nvvm.getctarank(ptr %generic)
      call void @{BARRIER}.arrive()
      call void @{BARRIER}.wait()
      %p = getelementptr i32, ptr %o, i64 %i
      store i32 %v, ptr %p
      %j = add i64 %i, 512
      %q = getelementptr i32, ptr %o, i64 %j
      store i32 %who, ptr %q"""


ORDERED = 'call void asm sideeffect "fence.acq_rel.cluster;", "~{memory}"()\n'


@pytest.mark.parametrize("seed", [None, 1, 2])
@pytest.mark.parametrize("arrive", ["aligned", "relaxed", "relaxed.aligned"])
def test_a_block_reads_its_peers_shared_memory(arrive, seed):
    """`mapa` names the same place of another rank; the access event has its row. A fence orders before relaxed ones."""
    watch, events = recorder("access")
    text = PEER.replace("arrive.aligned", f"arrive.{arrive}").replace("arrive()", f"arrive.{arrive}()")
    if "relaxed" in arrive:
        text = text.replace(f"call void @{BARRIER}.arrive", f"{ORDERED}call void @{BARRIER}.arrive")
    result, output = run(text, observers=(watch, *simt.observers(unwritten=False)), seed=seed)
    expected = [(n // 32 ^ 1) * 32 + n % 32 for n in range(128)]

    assert result.verdict == "clean"
    assert output[:128].tolist() == expected
    assert output[512:640].tolist() == [(n // 32 & 1) ^ 1 for n in range(128)]
    far = [e for _, e in events if e.kind == "load" and e.allocation.space == "shared"]
    for event in far:
        rows = np.broadcast_to(event.rows, (event.lanes.n,))
        assert (rows == (event.lanes.get("row") ^ 1)).all()


def test_a_peer_that_the_cluster_does_not_have_is_found():
    """Rank 5 of a cluster of two."""
    body = """
      %far = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @s, i32 5)
      %v = load i32, ptr addrspace(7) %far"""
    result, _ = run(body)

    assert [finding.kind for finding in result.findings] == ["no-such-peer"]


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_a_fill_of_a_peers_shared_memory_reaches_its_end(engine):
    """Of 1024 bytes; what goes beyond an allocation is cut after 512."""
    body = f"""
      %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
      call void @{BARRIER}.arrive.aligned()
      call void @{BARRIER}.wait.aligned()
      %first = icmp eq i32 %t, 0
      br i1 %first, label %fill, label %filled
    fill:
      %other = xor i32 %rank, 1
      %far = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) @s, i32 %other)
      %generic = addrspacecast ptr addrspace(7) %far to ptr
      call void @llvm.memset.p0.i64(ptr %generic, i8 7, i64 1024, i1 false)
      br label %filled
    filled:
      call void @{BARRIER}.arrive.aligned()
      call void @{BARRIER}.wait.aligned()
      %last = getelementptr [256 x i32], ptr addrspace(3) @s, i32 0, i32 255
      %v = load i32, ptr addrspace(3) %last
      %p = getelementptr i32, ptr %o, i64 %i
      store i32 %v, ptr %p"""
    output = np.zeros(128, np.int32)
    result = simt.launch(
        kernel(body, globals_=SHARED.replace("64", "256")),
        target="nvidia:sm_90",
        grid=4,
        block=32,
        cluster=2,
        args=[output],
        observers=simt.observers(counters=False),
        options=simt.Options(engine=engine),
    )

    assert [finding.kind for finding in result.findings if finding.severity == "error"] == []
    assert output.tolist() == [0x07070707] * 128


def test_ranks_and_places_in_a_cluster():
    """Registers of a (2, 1, 1) cluster in a grid of four."""
    for name, expected in {
        "cluster.ctarank": [0, 1, 0, 1],
        "cluster.nctarank": [2] * 4,
        "cluster.ctaid.x": [0, 1, 0, 1],
        "cluster.nctaid.x": [2] * 4,
        "clusterid.x": [0, 0, 1, 1],
        "nclusterid.x": [2] * 4,
        "nctaid.x": [4] * 4,
    }.items():
        body = f"""
          %v = call i32 @llvm.nvvm.read.ptx.sreg.{name}()
          %p = getelementptr i32, ptr %o, i64 %i
          store i32 %v, ptr %p"""
        assert run(body, block=1)[1][:4].tolist() == expected


@pytest.mark.parametrize("generic", [True, False])
def test_addresses_say_whose_they_are(generic):
    """As generic pointers, and as those of the cluster's shared memory: of a block's own, and of its peer's."""
    space, kind = ("ptr", "") if generic else ("ptr addrspace(7)", ".shared.cluster")
    own = "%g" if generic else "addrspace(3) @s"
    body = f"""
      %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
      %other = xor i32 %rank, 1
      %g = addrspacecast ptr addrspace(3) @s to ptr
      %far = call {space} @llvm.nvvm.mapa{kind}(ptr {own}, i32 %other)
      %generic = {"getelementptr i8, ptr %far, i64 0" if generic else f"addrspacecast {space} %far to ptr"}
      %whose = call i32 @llvm.nvvm.getctarank(ptr %generic)
      %mine = call i32 @llvm.nvvm.getctarank{kind}(ptr {own})
      %twice = shl i32 %whose, 1
      %both = or i32 %twice, %mine
      %p = getelementptr i32, ptr %o, i64 %i
      store i32 %both, ptr %p"""

    assert run(body, block=1)[1][:4].tolist() == [2, 1, 2, 1]


@pytest.mark.parametrize("cluster", [1, 2])
def test_a_kernel_knows_whether_it_has_clusters(cluster):
    body = """
      %yes = call i1 @llvm.nvvm.is_explicit_cluster()
      %v = zext i1 %yes to i32
      %p = getelementptr i32, ptr %o, i64 %i
      store i32 %v, ptr %p"""

    assert run(body, block=1, cluster=cluster)[1][:4].tolist() == [cluster - 1] * 4


def test_arrivals_and_waits_are_told():
    """Kind, order, and how often each lane arrived before."""
    watch, events = recorder("cluster")
    run(f"call void @{BARRIER}.arrive.relaxed()\ncall void @{BARRIER}.wait()", observers=(watch,))
    told = [(e.kind, e.order, e.phases.tolist()[0], e.lanes.n) for _, e in events]

    assert told == [("arrive", "relaxed", 0, 128), ("wait", "acquire", 1, 128)]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (f"call void @{BARRIER}.wait()", "waits at the cluster's barrier without having arrived"),
        (f"call void @{BARRIER}.arrive()\ncall void @{BARRIER}.arrive()", "arrives twice"),
    ],
)
def test_arrivals_and_waits_out_of_turn_are_found(body, words):
    """Once for each site."""
    result, _ = run(body)

    assert result.findings[0].kind == "cluster-protocol"
    assert words in result.findings[0].message


def test_a_cluster_waits_for_those_that_never_arrive():
    """One block of each cluster waits, the other spins at a barrier of its own."""
    body = f"""
      %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
      %z = icmp eq i32 %rank, 0
      br i1 %z, label %x, label %y
    x:
      call void @{BARRIER}.arrive()
      call void @{BARRIER}.wait()
      br label %end
    y:
      call void @llvm.nvvm.barrier.cta.sync.count(i32 1, i32 64)
      br label %end
    end:"""
    result, _ = run(body)

    assert isinstance(result.fault, simt.Deadlock)
    assert "64 threads of 2 blocks wait" in str(result.fault)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"target": "amd:gfx942"}, "has no clusters"),
        ({"grid": 3}, "cluster"),
        ({"cluster": 32, "grid": 32}, "cluster"),
    ],
)
def test_impossible_clusters_are_refused(options, words):
    """Before anything runs."""
    with pytest.raises(simt.LaunchError, match=words):
        run("", **options)
