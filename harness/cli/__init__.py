"""The command line: modules with one to three commands each, their parsers, and what they share."""
