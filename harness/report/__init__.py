"""Reports: for people, as JSON, as JUnit."""
