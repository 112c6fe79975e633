"""How records look to people: boards, lines, names, sentences; drawn from the manifest alone."""
