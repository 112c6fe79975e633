"""Entries in words, as data: lines, marks, causes, decisions; and their templates."""
