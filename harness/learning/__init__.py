"""Support learners: recorded traces and their pages, figures of lessons, progress, hints, and the page of a watch."""
