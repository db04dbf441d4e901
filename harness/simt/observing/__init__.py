"""What watches a launch: races, undefined values, counters."""
