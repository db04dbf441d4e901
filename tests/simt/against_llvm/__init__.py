"""The simulator's arithmetic against LLVM's own: the same instructions, on the same bits, compiled for this machine.

`table` has a row for each instruction and intrinsic that only computes, `operands` what they are given, `left_open`
what LLVM does not say. `device` runs rows in the simulator, `host` runs them here, and `exact` says what floats of 16
bits must give, where LLVM on this machine rounds twice. `compare` holds one against the other.
"""
