"""Cards at work: their numbers, their texts, damage, what the rules do unasked."""
