"""Work for the workers of a Dask scheduler: where it goes, what travels, and what is done when one of them is lost."""
