"""Grade people's submissions: read archives, judge in sandboxes, assign points, write tables and HTML pages."""
