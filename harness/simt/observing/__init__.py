"""Observers of a launch: races, undefined values, misuse of synchronisation, counters, recordings."""
