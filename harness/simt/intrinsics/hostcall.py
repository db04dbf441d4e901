"""AMD's calls from a lane to the host: collect the packets of a `printf` message and print it; other services give 0.

A message is sent in packets of up to seven words. The first word describes the packet: bit 0 starts a message, bit 1
ends it, bits 5 to 7 are the number of words, and bits from 8 up are the number of the message.
"""

import numpy as np

from harness.simt.compile.registry import stateful
from harness.simt.errors import Unsupported
from harness.simt.intrinsics.formatting import Exhausted, print_message
from harness.simt.intrinsics.handlers import Call, Result

__all__: list[str] = []

BEGIN, END = 1, 2
PRINTF = 2
CONTROL = 8  # bytes before the format


@stateful("std_sys__amdgpu_hostcall", exact=False)
def handle_hostcall(call: Call) -> Result:
    """Collect the packets of each lane's message in the engine's `host.messages`, and print it when it is complete;
    return (message numbers, zeros).

    A number is shifted left by 8 bits; a service other than `printf` does nothing and gives 0. A complete message is
    removed, and its number may be used again.

    Raises:
        Unsupported: A packet continues a message that was not begun, or is complete.
    """
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
            number = max(messages, default=0) + 1
            messages[number] = bytearray()
        elif number not in messages:
            raise Unsupported(f"a part of message {number} of `printf`, which was not begun,")
        words = (first >> 5) & 7
        for word in rest[:words]:
            messages[number] += (word & (1 << 64) - 1).to_bytes(8, "little")
        if first & END:
            message = bytes(messages.pop(number))
            arguments = _HostcallArguments(message)
            print_message(call, position, arguments.text() if len(message) > CONTROL else "", arguments)
        answers.append(number << 8)
    return (np.array(answers, np.int64), np.zeros(1, np.int64)), None


class _HostcallArguments:
    """A complete message: a control word, the format, and arguments padded to eight bytes."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, CONTROL

    def word(self, size: int) -> int:
        """Return the next argument of `size` bytes as an unsigned integer; each takes 8 bytes. Raises `Exhausted`."""
        if self._at >= len(self._data):
            raise Exhausted
        raw = self._data[self._at : self._at + size]
        self._at += 8
        return int.from_bytes(raw, "little")

    def text(self) -> str:
        """Return the next argument, a string up to its NUL, and skip the padding to 8 bytes. Raises `Exhausted`."""
        if self._at >= len(self._data):
            raise Exhausted
        part = self._data[self._at :].partition(b"\0")[0]
        self._at += (len(part) + 8) // 8 * 8
        return part.decode(errors="replace")
