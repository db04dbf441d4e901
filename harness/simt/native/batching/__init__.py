"""Code for blocks of one shape that behave like one that ran before."""
