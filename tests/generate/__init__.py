"""What repeats the catalogue and is kept in the repository: made by `nox -s generate`."""
