"""Make small modules that name the compiler they come from, and run them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from harness import simt

__all__ = ["MEMBAR", "Compiled", "message", "module", "run", "ticket"]

MEMBAR = "call void @llvm.nvvm.membar.gl()"
HEAD = """target triple = "{triple}"
declare i32 @{block}()
declare void @llvm.nvvm.membar.gl()
define {convention} void @k(ptr %o, ptr %f) #0 {{
  %b = call i32 @{block}()
"""


class Compiled(NamedTuple):
    """By what a module is compiled, and for what.

    Attributes:
        producer: What `llvm.ident` says; empty if there is none.
        unit: The producer in a compile unit of debug information, if there is one.
    """

    producer: str = "clang version 22.1.8"
    sm: int = 90
    ptx: int = 78
    unit: str = ""
    triple: str = "nvptx64-nvidia-cuda"

    @classmethod
    def by_clang(cls, version: int, sm: int = 90, ptx: int = 78) -> Compiled:
        """Return a module of clang."""
        return cls(f"Debian clang version {version}.1.0 (1~deb12u1)", sm, ptx)


def module(body: str, compiled: Compiled) -> str:
    """Return a module whose kernel has a body, with the block's number in `%b`; `%o` has i32, and `%f` is a flag."""
    target = f'"target-cpu"="sm_{compiled.sm}" "target-features"="+ptx{compiled.ptx},+sm_{compiled.sm}"'
    parts = {"convention": "ptx_kernel", "block": "llvm.nvvm.read.ptx.sreg.ctaid.x"}
    if compiled.triple.startswith("amdgcn"):
        target, parts = '"target-cpu"="gfx942"', {"convention": "amdgpu_kernel", "block": "llvm.amdgcn.workgroup.id.x"}
    text = f"{HEAD.format(triple=compiled.triple, **parts)}{body}\n}}\nattributes #0 = {{ {target} }}\n"
    if compiled.producer:
        text += f'!llvm.ident = !{{!0}}\n!0 = !{{!"{compiled.producer}"}}\n'
    if compiled.unit:
        text += f"""!llvm.dbg.cu = !{{!1}}
!llvm.module.flags = !{{!3}}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, producer: "{compiled.unit}", emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "x", directory: "")
!3 = !{{i32 2, !"Debug Info Version", i32 3}}
"""
    return text


def message(give: str, find: str, found: str) -> str:
    """Return the body of a kernel whose first block hands on a value, and whose second one waits for it.

    Args:
        give: Sets the flag.
        find: Looks at the flag, into `%v`.
        found: Whether it was set, as `icmp ne i32 %v, 0`.
    """
    return f"""
  %g = icmp eq i32 %b, 0
  br i1 %g, label %give, label %look
give:
  store i32 42, ptr %o, align 4
  {give}
  br label %end
look:
  {find}
  %c = {found}
  br i1 %c, label %take, label %look
take:
  %d = load i32, ptr %o, align 4
  %q = getelementptr i32, ptr %o, i64 1
  store i32 %d, ptr %q, align 4
  br label %end
end:
  ret void"""


def ticket(update: str, last: str, *, before: str = "", behind: str = "") -> str:
    """Return the body of a kernel whose last one of four blocks reads what all have written.

    Args:
        update: Counts, into `%x`.
        last: Whether it was the last one, as `icmp eq i32 %x, 3`.
    """
    return f"""
  %w = zext i32 %b to i64
  %p = getelementptr i32, ptr %o, i64 %w
  store i32 %b, ptr %p, align 4
  {before}
  {update}
  %c = {last}
  br i1 %c, label %sum, label %end
sum:
  {behind}
  %v = load <4 x i32>, ptr %o, align 4
  %e = extractelement <4 x i32> %v, i32 1
  %q = getelementptr i32, ptr %o, i64 4
  store i32 %e, ptr %q, align 4
  br label %end
end:
  ret void"""


def run(text: str, engine: str, grid: int, target: str = "nvidia:sm_90") -> simt.LaunchResult:
    """Launch blocks of one thread under the observer of races and all others that concern memory."""
    return simt.launch(
        text,
        target=target,
        grid=grid,
        block=1,
        args=[simt.Buffer(np.zeros(8, np.int32), "o"), simt.Buffer(np.zeros(16, np.uint8), "f")],
        observers=simt.observers(redundant=False, unwritten=False),
        options=simt.Options(engine=engine),
    )
