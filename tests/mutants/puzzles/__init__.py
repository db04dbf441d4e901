"""Wrong kernels in Mojo, a module for each puzzle that has some; each is found by its name.

EDITS: by case and the number of the step, `(what is done, a text of the solution, what stands in its place)`.
EQUIVALENT: the same for what is right all the same, with the proof as a fourth text.
SILENT: by case and what is done, why hardware may show nothing of it.
"""
