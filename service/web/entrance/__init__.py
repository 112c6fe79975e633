"""Signing in by a code, and out."""
