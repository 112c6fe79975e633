"""What forbids an act, each check with its narrowest rule: as a judge asks, in that order."""
