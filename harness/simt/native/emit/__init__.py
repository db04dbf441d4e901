"""What IR is written with: types, the context of a launch, and the function of a lane."""
