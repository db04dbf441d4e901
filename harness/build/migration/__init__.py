"""Rewrite Mojo texts of older releases for the newest one."""
