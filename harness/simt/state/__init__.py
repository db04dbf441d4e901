"""What a launch works on: lanes and memory."""
