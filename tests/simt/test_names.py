"""Kernels are found by what their source calls them."""

from pathlib import Path

import numpy as np
import pytest

from harness import simt
from harness.simt.ir.debug import DebugInfo, unescape_text
from harness.simt.ir.names import demangle, find_kernel, source_name

STORED = Path(__file__).parents[1] / "solutions"


def stored(name):
    return simt.decode((STORED / f"{name}.ll").read_text())


def two(first="one", second="two"):
    """Two kernels with mangled symbols, each with its name in the debug information."""
    bodies = "".join(
        f"define ptx_kernel void @_Z{n}{n}() !dbg !{3 + n} {{\n  ret void, !dbg !{5 + n}\n}}\n" for n in range(2)
    )
    return simt.decode(
        f'target triple = "nvptx64-nvidia-cuda"\n{bodies}'
        "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n"
        "!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)\n"
        '!1 = !DIFile(filename: "a.cu", directory: "")\n!2 = !{i32 2, !"Debug Info Version", i32 3}\n'
        f'!3 = distinct !DISubprogram(name: "{first}", scope: !1, file: !1, line: 1, unit: !0, '
        "spFlags: DISPFlagDefinition)\n"
        f'!4 = distinct !DISubprogram(name: "{second}", scope: !1, file: !1, line: 5, unit: !0, '
        "spFlags: DISPFlagDefinition)\n"
        "!5 = !DILocation(line: 2, scope: !3)\n!6 = !DILocation(line: 6, scope: !4)\n"
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("p34_reduction.sm_90", "cluster_collective_operations"),  # its symbol is cut after `operatio`
        ("p15.sm_90", "axis_sum"),
        ("p15.gfx942", "axis_sum"),
        ("p15.apple-m4", "axis_sum"),
        ("p26_pair_swap.gfx1100", "butterfly_pair_swap"),
    ],
)
def test_mojo_kernels_have_their_own_names(name, expected):
    module = stored(name)
    (symbol,) = module.kernels

    assert source_name(module, symbol) == expected
    assert find_kernel([stored("p26_parallel_max.sm_90"), module], expected) == (module, symbol)


@pytest.mark.parametrize(("wanted", "symbol"), [("one", "_Z00"), ("two", "_Z11"), ("_Z11", "_Z11"), ("00", "_Z00")])
def test_a_kernel_is_found_by_name_symbol_or_part(wanted, symbol):
    module = two()
    assert find_kernel([module], wanted) == (module, symbol)


@pytest.mark.parametrize(
    ("names", "wanted", "words"),
    [
        (("one", "two"), None, r"there are 2 kernels, name one of: one \(_Z00\), two \(_Z11\)"),
        (("one", "two"), "three", r"no kernel is called 'three'; there are: one \(_Z00\), two"),
        (("one", "one"), "one", r"2 kernels are called 'one', name one by its symbol: one \(_Z00\), one \(_Z11\)"),
        (("one", "two"), "_Z", r"2 kernels are called '_Z'"),
    ],
)
def test_what_could_be_several_or_none_is_refused(names, wanted, words):
    with pytest.raises(simt.LaunchError, match=words):
        find_kernel([two(*names)], wanted)


def test_a_module_without_a_kernel_says_so():
    with pytest.raises(simt.LaunchError, match="there is no kernel"):
        simt.launch("define void @f() { ret void }", target="nvidia", grid=1, block=1, args=[])


KERNEL = """
target triple = "nvptx64-nvidia-cuda"

@_ZZ4sumPfS_E5cache = internal addrspace(3) global [4 x float] undef, align 4, !dbg !20
@made._global_alloc_0._gpu_shared_mem = internal addrspace(3) global [4 x float] undef, align 4
@_ZZ4sumPfS_E5plain = internal addrspace(3) global [4 x float] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @_Z3sumPf(ptr %0) !dbg !3 {
  #dbg_value(ptr %0, !10, !DIExpression(), !5)
  %mine = alloca [2 x float], align 4
  #dbg_declare(ptr %mine, !11, !DIExpression(), !5)
  %other = alloca float, align 4, !dbg !6
  %none = alloca float, align 4
  #dbg_value(ptr addrspace(3) @made._global_alloc_0._gpu_shared_mem, !12, !DIExpression(), !5)
  #dbg_value(ptr addrspace(3) @made._global_alloc_0._gpu_shared_mem, !13, !DIExpression(), !7)
  %at = getelementptr float, ptr WHERE, i64 9, !dbg !5
  %v = load float, ptr %at, !dbg !5
  store float %v, ptr %0, !dbg !5
  ret void, !dbg !5
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug, globals: !{!20})
!1 = !DIFile(filename: "a.cu", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "sum", scope: !1, file: !1, line: 1, unit: !0, spFlags: DISPFlagDefinition)
!4 = distinct !DISubprogram(name: "inner", scope: !1, file: !1, line: 9, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 2, scope: !3)
!6 = !DILocation(line: 4, scope: !3)
!7 = !DILocation(line: 10, scope: !4, inlinedAt: !5)
!8 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!10 = !DILocalVariable(name: "output", arg: 1, scope: !3, file: !1, line: 1, type: !8)
!11 = !DILocalVariable(name: "mine", scope: !3, file: !1, line: 2, type: !8)
!12 = !DILocalVariable(name: "tile", scope: !3, file: !1, line: 3, type: !8)
!13 = !DILocalVariable(name: "pointer", arg: 1, scope: !4, file: !1, line: 9, type: !8)
!20 = !DIGlobalVariableExpression(var: !21, expr: !DIExpression())
!21 = distinct !DIGlobalVariable(name: "cache", scope: !3, file: !1, line: 3, type: !8, isDefinition: true)
"""


def shared(name):
    return f"addrspacecast (ptr addrspace(3) @{name} to ptr)"


@pytest.mark.parametrize(
    ("where", "name"),
    [
        ("%mine", "mine"),
        ("%other", "local variable at a.cu:4"),
        ("%none", "local variable %none"),
        ("%0", "output"),
        (shared("_ZZ4sumPfS_E5cache"), "cache"),
        (shared("made._global_alloc_0._gpu_shared_mem"), "tile"),
        (shared("_ZZ4sumPfS_E5plain"), "plain"),
    ],
)
def test_findings_call_memory_by_its_variable(where, name):
    """By debug records, or what a C++ symbol says; of a local variable without either its line, if that is known."""
    kernel = KERNEL.replace("WHERE", where)
    result = simt.launch(kernel, target="nvidia", grid=1, block=1, args=[np.zeros(1, np.float32)])

    (finding,) = result.findings
    assert (finding.kind, finding.argument, finding.kernel, result.kernel) == ("out-of-bounds", name, "sum", "sum")


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_Z4axpyfPf", "axpy"),
        ("_ZZ4axpyfPfE5cache_0", "cache"),
        ("_Z9shortPf", "_Z9shortPf"),
        ("axis_sum_a_0123", "axis_sum_a_0123"),
        ("_ZN2ns4axpyEf", "_ZN2ns4axpyEf"),
    ],
)
def test_a_symbol_is_shortened_where_its_name_is_certain(symbol, name):
    assert demangle(symbol) == name


def test_what_does_not_fit_is_refused_by_the_kernels_own_name():
    with pytest.raises(simt.ArgumentError, match=r"^kernel axis_sum takes"):
        simt.launch(stored("p15.sm_90"), target="nvidia:sm_90", grid=1, block=1, args=[])


@pytest.mark.parametrize(("lengths", "shape"), [("4, scalar<index> 8", (4, 8)), ("4, scalar<index> -1", ())])
def test_a_tensor_has_a_shape_if_all_its_lengths_are_known(lengths, shape):
    """One that is known only at run time leaves no shape of fewer dimensions."""
    name = f"layout_tensor::struct LayoutTensor[f32, Layout::row_major[store_to_mem([scalar<index> {lengths}])]]"
    debug = DebugInfo({1: '!DILocalVariable(name: "t", type: !2)', 2: f'!DIBasicType(name: "{name}")'})

    assert debug.tensor(1) == debug.lengths(1) == shape


@pytest.mark.parametrize(
    ("written", "meaning"),
    [
        (r"C:\\beef\\cafe.mojo", r"C:\beef\cafe.mojo"),
        (r"k\C3\A9rnel\5C\22", 'kérnel\\"'),
        (r"\FF", "\ufffd"),
        (r"\q", r"\q"),
    ],
)
def test_a_string_is_read_as_llvm_writes_it(written, meaning):
    """A backslash is two of them: the name after it may begin with hexadecimal digits."""
    assert unescape_text(written) == meaning
