"""Emitting IR: types, values, the context of a launch, and the function of a lane."""
