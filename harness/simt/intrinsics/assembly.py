"""Inline assembly, by its exact text."""

from ..registry import TABLE, ignored, pure, stateful
from . import math  # noqa: F401 - declares what is looked up here

__all__ = []

# PTX instructions with one result and an operand or two, as intrinsics.
UNARY = {
    "ex2.approx.ftz.f32": "llvm.nvvm.ex2.approx.ftz",
    "ex2.approx.f32": "llvm.nvvm.ex2.approx",
    "lg2.approx.ftz.f32": "llvm.nvvm.lg2.approx.ftz",
    "lg2.approx.f32": "llvm.nvvm.lg2.approx",
    "tanh.approx.f32": "llvm.nvvm.tanh.approx",
    "sin.approx.ftz.f32": "llvm.nvvm.sin.approx.ftz",
    "sin.approx.f32": "llvm.nvvm.sin.approx",
    "cos.approx.ftz.f32": "llvm.nvvm.cos.approx.ftz",
    "cos.approx.f32": "llvm.nvvm.cos.approx",
    "rcp.approx.ftz.f32": "llvm.nvvm.rcp.approx.ftz",
    "rcp.approx.f32": "llvm.nvvm.rcp.approx",
    "rsqrt.approx.ftz.f32": "llvm.nvvm.rsqrt.approx.ftz",
    "rsqrt.approx.f32": "llvm.nvvm.rsqrt.approx",
    "sqrt.approx.ftz.f32": "llvm.nvvm.sqrt.approx.ftz",
    "sqrt.approx.f32": "llvm.nvvm.sqrt.approx",
    "tanh.approx.f16": "llvm.nvvm.tanh.approx",
}


def _declare():
    for text, name in UNARY.items():
        handler = TABLE[name].handler
        pure(f"asm:{text} $0, $1;", exact=False)(handler)


def _fence(scope, ordering):
    def handler(engine, lanes, site, _values, _taints):
        if engine.on_fence:
            engine.emit_fence(site, lanes, ordering, scope)
        return None, None

    return handler


for word, scope in {"cta": "block", "cluster": "cluster", "gpu": "device",
                    "sys": "system"}.items():  # fmt: skip
    for kind, ordering in {"acq_rel": "acq_rel", "sc": "seq_cst", "acquire": "acquire",
                           "release": "release"}.items():  # fmt: skip
        stateful(f"asm:fence.{kind}.{word};")(_fence(scope, ordering))
for word, scope in {"cta": "block", "gl": "device", "sys": "system"}.items():
    stateful(f"asm:membar.{word};")(_fence(scope, "seq_cst"))
ignored("asm:")


_declare()
