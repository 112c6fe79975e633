"""`kifu event`: an event from its file to its standings, a command for each thing done there."""
