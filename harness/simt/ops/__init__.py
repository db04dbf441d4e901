"""The instructions that compute: tables from opcode to lane-wise function."""
