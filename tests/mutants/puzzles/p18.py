"""Wrong ops of puzzle 18."""

from tests.mutants.documents import Blind

__all__ = ["BLIND", "EDITS"]

EDITS = {
    ("p18", 0): [("largest-not-taken-off", "exp(value - rebind[Scalar[dtype]](shared_max[0]))", "exp(value)")],
}
BLIND = {
    ("p18", "largest-not-taken-off"): Blind(
        "the powers of small numbers are small without it too; and of the GPU's result nothing is compared",
        "MISMATCH on far-right",
    ),
}
