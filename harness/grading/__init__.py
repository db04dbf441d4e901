"""Submissions of many people: read, judged in boxes, and reported."""
