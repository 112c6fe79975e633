"""Monsters of kinds that texts make: Traps that are Summoned as monsters, Gemini monsters."""
