"""Tests of what matches add up to."""
