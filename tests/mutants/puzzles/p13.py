"""Wrong kernels of puzzle 13."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS"]

EDITS = {
    ("p13:simple", 0): [
        ("first-weight-left-out", "for j in range(CONV):", "for j in range(1, CONV):"),
        ("weights-turned", "* shared_b[j]", "* shared_b[CONV - 1 - j]"),
        ("no-end", "if local_i + j < SIZE:", "if local_i + j < SIZE + CONV:"),
        ("half-of-the-elements-as-weights", "for j in range(CONV):", "for j in range(SIZE // 2):"),
    ],
    ("p13:block-boundary", 0): [
        ("first-weight-left-out", "for j in range(CONV_2):", "for j in range(1, CONV_2):"),
        ("one-of-the-next-block-left-out", "if local_i < CONV_2 - 1:", "if local_i < CONV_2 - 2:"),
        ("weights-turned", "* shared_b[j]", "* shared_b[CONV_2 - 1 - j]"),
        ("half-a-block-of-weights", "if local_i < CONV_2:", "if local_i < TPB // 2:"),
        ("past-the-end-not-zeroed", "        else:\n            shared_a[TPB + local_i] = 0\n", ""),
    ],
}
BLIND = {
    ("p13:simple", "half-of-the-elements-as-weights"): Blind(
        "there are half as many weights as elements", "MISMATCH on drawn"
    ),
    ("p13:block-boundary", "half-a-block-of-weights"): Blind(
        "there are half as many weights as threads", "FINDING on drawn, uninitialised"
    ),
    ("p13:simple", "first-weight-left-out"): Blind("the first weight is 0", "MISMATCH on random-13"),
    ("p13:block-boundary", "first-weight-left-out"): Blind("the first weight is 0", "MISMATCH on random-13"),
}
