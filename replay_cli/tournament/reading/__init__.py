"""Files that people bring: players, pairings and results as CSV, an event as TOML."""
