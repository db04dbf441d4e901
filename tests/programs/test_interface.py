"""The interface of the host against the library that implements it on a GPU."""

from __future__ import annotations

import struct
import sysconfig
import zlib
from pathlib import Path

import pytest

from harness.model.target import Target
from harness.programs.compile import Compiled, compiled
from harness.programs.host import buffers, contexts, functions, streams, tensor_maps
from harness.programs.host.abi import ENTRIES, PREFIX, HostError
from harness.programs.host.missing import MISSING
from harness.programs.host.objects import DeviceBuffer, DeviceFunction, Handles, Timer
from harness.programs.jit import declarations
from tests.pairs import is_newest
from tests.programs.expectation import RUNS
from tests.programs.together import TOGETHER, how_compiled, together

LIBRARY = Path(sysconfig.get_path("purelib")) / "modular" / "lib" / "libAsyncRTMojoBindings.so"
# The library exports them; nothing public in Mojo's own library calls them.
UNREACHABLE = {
    "DeviceBuffer_hostPtr",
    "DeviceContext_DtoH_async_sized",
    "DeviceContext_HtoD_async_sized",
    "DeviceContext_numStreams",
    "DeviceContext_selectStream",
    "DeviceContext_setMetalPrintEnabled",
    "DeviceTimer_retain",
}
MODULES = (buffers, contexts, functions, streams, tensor_maps)


def exported(library: Path) -> set[str]:
    """The names of all defined dynamic symbols of a 64-bit ELF file."""
    data = library.read_bytes()
    (offset,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, offset + size * number) for number in range(count)]
    names = set()
    for _, kind, _, _, start, length, link, _, _, step in sections:
        if kind == 11:  # SHT_DYNSYM
            text = sections[link][4]
            for at in range(start, start + length, step):
                name, _, _, section = struct.unpack_from("<IBBH", data, at)
                if section:
                    names.add(data[text + name : data.index(b"\0", text + name)].decode())
    return names


@pytest.mark.skipif(not LIBRARY.is_file(), reason="Mojo's own runtime lies elsewhere")
def test_every_function_of_the_library_is_there_or_known_to_be_missing():
    theirs = {name.removeprefix(PREFIX) for name in exported(LIBRARY) if name.startswith(PREFIX)}

    ours = set(ENTRIES)
    if not is_newest():  # an older library has no more than the newest, whose whole interface is ours
        assert theirs - ours <= set(MISSING)
        return
    assert theirs - ours == set(MISSING)
    # Reference counts that this library has under other names, if at all.
    assert ours - theirs <= {name for name in ours if name.endswith(("_retain", "_release"))}


def called(program: Compiled) -> set[str]:
    """The names of the functions that the host's part of a program calls."""
    return {name.removeprefix(PREFIX) for name in declarations(zlib.decompress(program.host.data).decode())}


@pytest.mark.slow
def test_every_function_that_is_there_is_called_by_a_program_of_the_sample():
    names = [
        called(compiled(together(name, vendor), Target.parse(vendor), includes=how_compiled(name, vendor)[0]))
        for vendor, name, *_ in TOGETHER
    ]

    assert set().union(*names) | UNREACHABLE == set(ENTRIES)


@pytest.mark.slow
@pytest.mark.full
def test_no_program_calls_another_function():
    names = [
        called(compiled(run.file, Target.parse(run.vendor), defines=run.defines))
        for run in {run.file: run for run in RUNS}.values()
    ]

    assert set().union(*names) | UNREACHABLE == set(ENTRIES)


def test_no_function_is_both_there_and_missing():
    assert not set(ENTRIES) & set(MISSING)
    assert len(MODULES) == 5  # importing them declares the entries


@pytest.mark.parametrize(("kind", "called"), [(DeviceBuffer, "buffer"), (DeviceFunction, "function"), (Timer, "timer")])
def test_what_was_released_is_called_by_its_kind(kind, called):
    handles = Handles()
    timer = handles.add(Timer(0))

    assert handles.release(timer)
    with pytest.raises(HostError, match=f"^the {called} was released before$"):
        handles.get(timer.handle, kind)
    with pytest.raises(HostError, match=f"^no {called} at 0x8$"):
        handles.get(8, kind)
