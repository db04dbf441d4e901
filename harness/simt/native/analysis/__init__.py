"""Analyses before code is emitted: uniformity, block-invariance, provenance, waits; forwarding of local variables."""
