"""Cards at work (chapters 2, 9 to 11): their numbers, their texts, what the rules do unasked."""
