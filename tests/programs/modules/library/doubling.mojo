"""A kernel that programs elsewhere import."""

from max.gpu import global_idx


def double(values: Pointer[Int32, MutAnyOrigin]):
    values[unsafe_offset=Int(global_idx.x)] *= 2
