"""Cards at work: their cores and numbers, their texts, what the rules do unasked."""
