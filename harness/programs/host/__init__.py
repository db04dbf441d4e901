"""The interface of the host that Mojo's library calls, and what is checked of a program that calls it."""
