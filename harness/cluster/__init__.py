"""Run and grade cases on a Dask scheduler's workers: connect, send orders and artifacts, serve, survive losses."""
