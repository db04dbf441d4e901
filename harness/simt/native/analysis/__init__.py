"""Analyses of a kernel before its code is emitted: uniformity, block-invariance, provenance, synchronisation points."""
