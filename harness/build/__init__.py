"""Compile Mojo to device code, MAX graphs and host programs; cache the results, or write them to a folder."""
