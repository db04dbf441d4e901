"""Wrong kernels of puzzle 29; the documents ask for results in a range, which a constant or fewer steps are in too."""

from tests.mutants.documents import IN_RANGE, Blind

__all__ = ["BLIND", "EDITS", "EQUIVALENT", "RULES", "SILENT"]

_WAIT = "        while not mbarrier_test_wait(bar.ptr, token):\n            pass\n\n    if"
_STORED = "output[global_i] = buffers[STENCIL_ITERATIONS % BUFFER_COUNT, local_i]"

EDITS = {
    ("p29:multi-stage", 0): [
        ("constant", "output[global_i] = smooth", "output[global_i] = 5"),
        ("not-amplified", "input[first + l] * 1.1", "input[first + l]"),
        ("second-half-not-loaded", "range(local_i, TPB, STAGE1_THREADS)", "range(local_i, TPB, TPB)"),
        ("barrier-after-loading-left-out", "    barrier()\n\n    # Stage 2", "    # Stage 2"),
        ("barrier-after-blurring-left-out", "    barrier()\n\n    # Stage 3", "    # Stage 3"),
        ("radius-one", "min(l + BLUR_RADIUS + 1, TPB)", "min(l + BLUR_RADIUS, TPB)"),
        ("always-divided-by-five", "Scalar[dtype](end - start)", "Scalar[dtype](2 * BLUR_RADIUS + 1)"),
        ("blurred-twice", "var smooth = blur_shared[local_i]", "var smooth = input_shared[local_i]"),
        ("left-neighbour-left-out", "if local_i > 0:", "if local_i > TPB:"),
        ("right-neighbour-of-the-next-block", "if local_i < TPB - 1:", "if local_i < TPB:"),
        (
            "right-before-left",
            "smooth + blur_shared[local_i - 1]",
            "smooth + blur_shared[min(local_i + 1, TPB - 1)]",
        ),
        ("buffers-for-radius", "max(l - BLUR_RADIUS, 0)", "max(l - BUFFER_COUNT, 0)"),
        ("guard-left-out", "    if global_i < size:\n        var smooth", "    if global_i >= 0:\n        var smooth"),
        ("load-without-guard", "if first + l < size:", "if first + l >= 0:"),
        ("halves-swapped", "output[global_i] = smooth", "output[global_i ^ STAGE1_THREADS] = smooth"),
    ],
    ("p29:double-buffer", 0): [
        ("constant", _STORED, "output[global_i] = 0.5"),
        ("one-iteration", "range(STENCIL_ITERATIONS)", "range(1)"),
        ("result-of-the-step-before", "buffers[STENCIL_ITERATIONS % BUFFER_COUNT", "buffers[0"),
        ("in-place", "buffers[1 - read, local_i] =", "buffers[read, local_i] ="),
        ("not-waited-for", _WAIT, "    if"),
        ("token-of-the-first-phase", "        token = mbarrier_arrive", "        _ = mbarrier_arrive"),
        (
            "count-for-a-token",
            "token):\n            pass\n\n    if",
            "TPB):\n            pass\n\n    if",
        ),
        (
            "initialised-in-each-step",
            "        token = mbarrier_arrive",
            "        if local_i == 0:\n            mbarrier_init(bar.ptr, TPB)\n        barrier()\n"
            "        token = mbarrier_arrive",
        ),
        ("half-of-the-threads-counted", "mbarrier_init(bar.ptr, TPB)", "mbarrier_init(bar.ptr, TPB // 2)"),
        ("one-thread-too-many-counted", "mbarrier_init(bar.ptr, TPB)", "mbarrier_init(bar.ptr, TPB + 1)"),
        ("arrives-before-it-is-made", "    barrier()\n\n    if", "    if"),
        ("radius-for-buffers", "iteration % BUFFER_COUNT", "iteration % BLUR_RADIUS"),
        ("guard-left-out", "    if global_i < size:\n        output", "    if global_i >= 0:\n        output"),
        ("load-without-guard", "    if global_i < size:\n        buffers", "    if global_i >= 0:\n        buffers"),
        ("right-neighbour-left-out", "min(local_i + 2, TPB)", "min(local_i + 1, TPB)"),
        ("always-divided-by-three", "Scalar[dtype](end - start)", "3"),
    ],
}
EQUIVALENT = {
    ("p29:double-buffer", 0): [
        (
            "block-barrier-for-the-first-phase",
            "    var token = mbarrier_arrive(bar.ptr)\n"
            "    while not mbarrier_test_wait(bar.ptr, token):\n        pass\n",
            "    var token: Int\n    barrier()\n",
            "a barrier of the block orders the loads as well, and the first arrival is then that of the first step",
        ),
        (
            "one-iteration-too-many",
            "range(STENCIL_ITERATIONS)",
            "range(STENCIL_ITERATIONS + 1)",
            "the one too many writes the buffer that the result is not taken from",
        ),
    ],
}
SILENT = {
    ("p29:multi-stage", "barrier-after-loading-left-out"): "the first half of the threads may be done in time",
    ("p29:multi-stage", "barrier-after-blurring-left-out"): "the second half of the threads may be done in time",
    ("p29:double-buffer", "not-waited-for"): "warps may keep in step",
    ("p29:double-buffer", "in-place"): "warps may keep in step",
    ("p29:double-buffer", "token-of-the-first-phase"): "warps may keep in step",
    ("p29:double-buffer", "count-for-a-token"): "warps may keep in step",
    ("p29:double-buffer", "initialised-in-each-step"): "nobody may be waiting when it is made again",
    ("p29:double-buffer", "arrives-before-it-is-made"): "the first warp may be the first to run",
}
_AS_MANY = "there are as many threads as elements"
BLIND = {
    **{
        (case, name): Blind(_AS_MANY, "FINDING on drawn, out-of-bounds")
        for case in ("p29:multi-stage", "p29:double-buffer")
        for name in ("guard-left-out", "load-without-guard")
    },
    ("p29:multi-stage", "buffers-for-radius"): Blind("there are as many buffers as the radius", "MISMATCH on drawn"),
    ("p29:double-buffer", "radius-for-buffers"): Blind(
        "there are as many buffers as the radius", "FINDING on drawn, out-of-bounds"
    ),
    ("p29:multi-stage", "constant"): Blind("a range is asked for", "MISMATCH on documented"),
    ("p29:double-buffer", "constant"): Blind("a range is asked for", "MISMATCH on documented"),
    ("p29:double-buffer", "one-iteration"): Blind("a range is asked for", "MISMATCH on documented"),
}
RULES = {
    "p29:multi-stage": IN_RANGE,
    "p29:double-buffer": IN_RANGE,
}
