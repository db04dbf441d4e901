"""Lane-wise operations: integers, floats, conversions, vectors, matrix products, elementary functions; taints."""
