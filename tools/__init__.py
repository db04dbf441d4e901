"""Commands for whoever works on this repository; no part of the package that is installed."""
