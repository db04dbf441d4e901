"""AMD: the call of a lane to the host, as the runtime's `printf` uses it.

A message is sent in pieces of up to seven words. Its first word describes the
piece: bit 0 begins a message, bit 1 ends it, bits 5 to 7 count the words, and
the number of the message is from bit 8 up.
"""

import numpy as np

from harness.simt.compile.registry import stateful
from harness.simt.intrinsics.formatting import Exhausted, say
from harness.simt.intrinsics.handlers import Call, Result

__all__: list[str] = []

BEGIN, END = 1, 2
PRINTF = 2
CONTROL = 8  # bytes before the format


@stateful("std_sys__amdgpu_hostcall", exact=False)
def hostcall(call: Call) -> Result:
    """Gathers the pieces of each lane's message, and prints it when complete."""
    count = call.lanes.n
    columns = [np.broadcast_to(value, (count,)).tolist() for value in call.values]
    answers = []
    messages = call.engine.host.messages
    for position, (service, first, *rest) in enumerate(zip(*columns, strict=True)):
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
            given = _Message(bytes(messages[number]))
            say(call, position, given.text() if len(messages[number]) > CONTROL else "", given)
        answers.append(number << 8)
    return (np.array(answers, np.int64), np.zeros(1, np.int64)), None


class _Message:
    """A control word, the format, and arguments: numbers in eight bytes each, texts in as many as they have."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, CONTROL

    def word(self, size: int) -> int:
        """See `Arguments`."""
        if self._at >= len(self._data):
            raise Exhausted
        raw = self._data[self._at : self._at + size]
        self._at += 8
        return int.from_bytes(raw, "little")

    def text(self) -> str:
        """See `Arguments`."""
        if self._at >= len(self._data):
            raise Exhausted
        part = self._data[self._at :].partition(b"\0")[0]
        self._at += (len(part) + 8) // 8 * 8
        return part.decode(errors="replace")
