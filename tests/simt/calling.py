"""Kernels that call functions, launched in one way."""

from __future__ import annotations

from harness import simt

HEAD = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
"""

N = 64


def run(text, *args, grid=1, **options):
    """Launches `@k` in blocks of 64 under all observers."""
    return simt.launch(
        HEAD + text,
        kernel="k",
        target="nvidia:sm_90",
        grid=grid,
        block=N,
        args=args,
        observers=simt.observers(),
        options=simt.Options(**options),
    )


def clean(text, *args, **options):
    result = run(text, *args, **options)
    assert result.verdict == "clean", [str(finding) for finding in result.findings]


def fault(result):
    assert result.verdict == "findings"
    return result.fault.finding
