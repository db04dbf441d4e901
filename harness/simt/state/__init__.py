"""Memory and lanes of a launch: allocations, checked accesses, lane sets, tensor maps, reports to observers."""
