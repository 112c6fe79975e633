"""Streams of matches: `streams` answers with entries, as they come."""
