"""Live matches: what is being played, in memory, and who follows it."""
