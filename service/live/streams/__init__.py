"""Streams: followers get the entries of a match from any number on, then live.

`streams` has them, of what they share (`channels`, which count those who follow) and read
(`catching`); `delivery` says how late they are.
"""
