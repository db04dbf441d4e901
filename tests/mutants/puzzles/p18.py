"""Wrong ops of puzzle 18."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS"]

_POWER = "power = exp(value - rebind[Scalar[dtype]](shared_max[0]))"
_SHARE = "        output[global_i] = power / shared_sum[0]"

EDITS = {
    ("p18", 0): [
        ("largest-not-taken-off", _POWER, "power = exp(value)"),
        ("powers-not-divided", _SHARE, _SHARE.replace(" / shared_sum[0]", "")),
        ("own-power-for-the-sum", _SHARE, _SHARE.replace("shared_sum[0]", "shared_sum[local_i]")),
        (
            "barrier-before-the-sum-left-out",
            "    shared_sum[local_i] = power\n\n    barrier()\n",
            "    shared_sum[local_i] = power\n",
        ),
        ("smallest-for-largest", "shared_max[local_i] = max(\n", "shared_max[local_i] = min(\n"),
        ("sum-of-half", "shared_sum[local_i + stride]", "shared_sum[local_i + stride // 2]"),
        # Right where each thread has an element.
        ("largest-begins-at-zero", "var value = min_finite[dtype]()", "var value = Scalar[dtype](0)"),
        ("elements-for-threads", "\n    stride = BLOCK_DIM_X // 2", "\n    stride = SIZE // 2"),
    ],
}
BLIND = {
    ("p18", "largest-begins-at-zero"): Blind("the block has a thread for each element", "MISMATCH on drawn"),
    ("p18", "elements-for-threads"): Blind(
        "the block has a thread for each element", "FINDING on drawn, out-of-bounds"
    ),
    ("p18", "largest-not-taken-off"): Blind(
        "the powers of small numbers are small without it too; and of the GPU's result nothing is compared",
        "MISMATCH on far-right",
    ),
}
