"""`simulate` on a Mojo program: compiled once, its kernels by their own names."""

from __future__ import annotations

import pytest

from harness.build import toolchain
from harness.cli.main import main

PROGRAM = """from max.gpu import thread_idx
from max.gpu.host import DeviceContext
from layout import TileTensor
from layout.tile_layout import row_major, TensorLayout
from constants import VALUE

comptime layout = row_major[8]()


def fill_with_a_name_that_is_longer_than_symbols_are[L: TensorLayout](
    values: TileTensor[mut=True, DType.float32, L, MutAnyOrigin]
):
    comptime assert values.flat_rank == 1
    values[thread_idx.x] = VALUE


def fill_with_a_name_that_is_longer_than_the_other[L: TensorLayout](
    values: TileTensor[mut=True, DType.float32, L, MutAnyOrigin]
):
    comptime assert values.flat_rank == 1
    values[thread_idx.x] = 4


def main() raises:
    with DeviceContext() as ctx:
        var buffer = ctx.enqueue_create_buffer[DType.float32](8)
        var values = TileTensor[mut=True](buffer, layout)
        ctx.enqueue_function[fill_with_a_name_that_is_longer_than_symbols_are[type_of(layout)]](
            values, grid_dim=1, block_dim=8
        )
        ctx.enqueue_function[fill_with_a_name_that_is_longer_than_the_other[type_of(layout)]](
            values, grid_dim=1, block_dim=8
        )
"""


@pytest.mark.full
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")
def test_a_mojo_program_is_compiled_once(tmp_path, monkeypatch, capsys):
    """Its kernels go by their own names; a changed import is compiled anew, an unchanged program is not."""
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    program, constants = tmp_path / "fill.mojo", tmp_path / "constants.mojo"
    program.write_text(PROGRAM)
    constants.write_text("comptime VALUE = 3\n")
    compiled = []
    program_of = toolchain.compile_program
    monkeypatch.setattr(
        toolchain, "compile_program", lambda *args, **named: compiled.append(args) or program_of(*args, **named)
    )

    def run(kernel):
        arguments = ["simulate", str(program), "--target", "apple:apple-m4", "--grid", "1", "--block", "8"]
        code = main([*arguments, "--kernel", kernel, "--arg", "values=empty:f32:8"])
        return code, capsys.readouterr()

    code, said = run("fill_with_a_name_that_is_longer_than_symbols_are")
    assert code == 0 and "values = [3. 3. 3. 3. 3. 3. 3. 3.]" in said.out, said
    code, said = run("fill_with_a_name_that_is_longer_than_the_other")
    assert code == 0 and "values = [4. 4. 4. 4. 4. 4. 4. 4.]" in said.out, said
    assert len(compiled) == 1
    code, said = run("fill_with_a_name")
    assert code == 2 and "2 kernels are called 'fill_with_a_name'" in said.err
    constants.write_text("comptime VALUE = 5\n")
    code, said = run("fill_with_a_name_that_is_longer_than_symbols_are")
    assert code == 0 and "values = [5. 5. 5. 5. 5. 5. 5. 5.]" in said.out, said
    assert len(compiled) == 2


@pytest.mark.slow
@pytest.mark.skipif(toolchain.find_mojo() is None, reason="the Mojo compiler is not installed")
def test_an_error_of_the_compiler_is_a_line_for_editors_where_asked_for(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.mojo").write_text("def main():\n    nothing_of_this_name()\n")

    flags = ["--target", "nvidia", "--grid", "1", "--block", "8"]
    assert main(["simulate", "wrong.mojo", *flags, "--format", "lines"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("wrong.mojo:2:5: error: run.compile-error: use of unknown declaration 'nothing_of_this_name'")


def test_a_file_of_another_language_says_how_to_go_on(tmp_path, capsys):
    (tmp_path / "k.cu").write_text("__global__ void k() {}\n")
    assert main(["simulate", str(tmp_path / "k.cu"), "--target", "nvidia", "--grid", "1", "--block", "8"]) == 2
    assert "docs/kernels.md says how clang makes a .ll of CUDA and of OpenCL" in capsys.readouterr().err


def test_a_program_without_main_says_what_to_write(tmp_path, monkeypatch, capsys):
    """The compiler says "Failed to initialize Crashpad"."""
    monkeypatch.setattr(toolchain, "compile_program", lambda *_, **__: pytest.fail("the compiler was asked"))
    (tmp_path / "k.mojo").write_text("def kernel():\n    pass\n")
    arguments = ["simulate", str(tmp_path / "k.mojo"), "--target", "nvidia", "--grid", "1", "--block", "8"]
    assert main(arguments) == 2
    assert "k.mojo has no `main`" in capsys.readouterr().err


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.full)])
def test_a_program_that_launches_nothing_says_so(compiled, tmp_path, monkeypatch, capsys):
    """The compiler makes no kernels of it."""
    monkeypatch.setenv("HARNESS_CACHE", str(tmp_path / "cache"))
    if not compiled:
        monkeypatch.setattr(toolchain, "compile_program", lambda *_, **__: ("", {}))
    (tmp_path / "k.mojo").write_text("def main():\n    pass\n")
    assert main(["simulate", str(tmp_path / "k.mojo"), "--target", "nvidia", "--grid", "1", "--block", "8"]) == 2
    assert "k.mojo enqueues no kernel" in capsys.readouterr().err
