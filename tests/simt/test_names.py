"""Kernels are found by what their source calls them."""

from pathlib import Path

import pytest

from harness import simt
from harness.simt.ir.names import find_kernel, source_name

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
