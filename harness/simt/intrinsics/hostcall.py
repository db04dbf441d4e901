"""AMD: the call of a lane to the host, as the runtime's `printf` uses it.

A message is sent in pieces of up to seven words. Its first word describes the
piece: bit 0 begins a message, bit 1 ends it, bits 5 to 7 count the words, and
the number of the message is from bit 8 up.
"""

import re

import numpy as np

from harness.simt.compile.registry import stateful
from harness.simt.intrinsics.handlers import Given, Marks, Result
from harness.simt.intrinsics.host import CONVERSION
from harness.simt.ir.site import Site
from harness.simt.run.engine import Engine
from harness.simt.state.lanes import LaneSet

__all__: list[str] = []

BEGIN, END = 1, 2
PRINTF = 2


@stateful("std_sys__amdgpu_hostcall", exact=False)
def hostcall(engine: Engine, lanes: LaneSet, _site: Site, values: Given, _taints: Marks) -> Result:
    """Gathers the pieces of each lane's message, and prints it when complete."""
    count = lanes.n
    columns = [np.broadcast_to(value, (count,)).tolist() for value in values]
    answers = []
    messages = engine.host.messages
    for service, first, *rest in zip(*columns, strict=True):
        if service != PRINTF:
            answers.append(0)
            continue
        number = first >> 8
        if first & BEGIN:
            number = len(messages) + 1
            messages[number] = bytearray()
        words = (first >> 5) & 7
        for word in rest[:words]:
            messages[number] += (word & (1 << 64) - 1).to_bytes(8, "little")
        if first & END:
            engine.host.printed.append(render(bytes(messages[number])))
        answers.append(number << 8)
    return (np.array(answers, np.int64), np.zeros(1, np.int64)), None


def render(data: bytes) -> str:
    """The text of a message: a control word, the format, the arguments."""
    at = 8

    def text() -> str:
        nonlocal at
        end = data.index(b"\0", at) if b"\0" in data[at:] else len(data)
        part = data[at:end].decode(errors="replace")
        at += (end - at + 8) // 8 * 8
        return part

    template = text()

    def replace(match: re.Match[str]) -> str:
        nonlocal at
        length, kind = match.groups()
        if kind == "%":
            return "%"
        plain: str = match.group().replace(length or "\0", "", 1)
        if kind == "s":
            return plain % text()
        raw = data[at : at + 8].ljust(8, b"\0")
        at += 8
        if kind in "fFeEgG":
            return str(plain % np.frombuffer(raw, np.float64)[0])
        signed = kind in "di"
        value = int.from_bytes(raw, "little", signed=signed)
        if kind == "p":
            return f"{value:#x}"
        if kind == "c":
            return chr(value & 255)
        return (plain[:-1] + "d" if kind == "u" else plain) % value

    return CONVERSION.sub(replace, template)
