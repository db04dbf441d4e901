"""Launches of a few lines as tables, each run by every engine there is: the interpreter, the compiler, and one lane at
a time.
"""
