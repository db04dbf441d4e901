"""Package: its modules find and replace what older releases of Mojo spell differently; it defines nothing itself."""
