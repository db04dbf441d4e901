"""What is known of a kernel before its code is written: uniformity, block-invariance, provenance, waits."""
