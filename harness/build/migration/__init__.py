"""What moved between releases of Mojo, and texts in which it is written as the newest release has it."""
