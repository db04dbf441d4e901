"""Stands in for the worker: `python -m fake_worker READ WRITE MODE`."""

from __future__ import annotations

import os
import signal
import sys
import time

from harness.backends.guarded import make_guarded
from harness.backends.protocol import LaunchReply, Phase, Ready
from harness.process import channel

incoming, outgoing = map(int, sys.argv[1:3])
mode = sys.argv[3]
if mode == "no-start":
    sys.exit("ImportError: libmax is not there")
architecture = "sm_80" if mode == "other-device" else "sm_90"
channel.send(outgoing, Ready("Fake GPU", "cuda", architecture))
while True:
    try:
        order = channel.receive(incoming)
    except channel.ClosedError:
        break
    channel.send(outgoing, Phase("execute"))
    print("printed by the kernel", flush=True)
    if mode == "hang":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    if mode == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if mode == "garbage":
        os.write(outgoing, b"no message at all, but long enough for a header")
        time.sleep(600)
    if mode == "illegal-address":
        channel.send(outgoing, LaunchReply(error="CUDA call failed: CUDA_ERROR_ILLEGAL_ADDRESS", phase="synchronize"))
        break
    for number, fill in enumerate(order.fills):
        if mode == "late-segfault" and number == 1:
            os.kill(os.getpid(), signal.SIGSEGV)
        arrays = {
            argument.name: make_guarded(
                argument.shape, argument.dtype, "zero" if fill == "unset" else fill, order.guard
            )
            for argument in order.arguments
            if argument.shape is not None
        }
        channel.send(outgoing, LaunchReply(arrays, (("p15_axis_sum", (1, 4, 1), (8, 1, 1)),), 0.25))
