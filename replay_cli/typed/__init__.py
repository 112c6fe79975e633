"""Typed input and input files: corrections, rolls, deck lists, policies."""
