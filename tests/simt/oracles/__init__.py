"""What intrinsics of the prelude compute, said once more: by NumPy, by Python's integers and by fractions."""
