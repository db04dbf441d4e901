"""From IR to machine code of this host, and the cache of it."""
