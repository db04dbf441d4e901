"""Batching: code that runs blocks of one shape one after another, if they behave like a block that ran before."""
