"""A run: cases built, launched, judged and reported."""
