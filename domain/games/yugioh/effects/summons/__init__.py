"""Summons: with what they are made, what forbids effects to make them, what is left of each."""
