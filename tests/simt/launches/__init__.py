"""Tables of launches of a few lines, each run by every engine there is: the interpreter, the compiler, and one lane at
a time.

A row is a `Row` (`row.py`) in one of the tuples that a file of this folder names in its `__all__`: that suffices, and
`tests/simt/test_launches.py` runs it.
"""
