"""Immutable data at addresses of their own, and notification of the next entry."""
