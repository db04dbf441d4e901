"""Batching of blocks: code that runs blocks of one shape one after another, if they behave like one that ran before."""
