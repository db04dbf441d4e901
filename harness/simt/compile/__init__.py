"""From decoded IR to Python functions over lane arrays."""
