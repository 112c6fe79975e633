"""Commands for files of matches and of text: export and import, checks, scenarios, simulation."""
