"""Cards at work: their figures, their texts, what sets those off, what the rules do unasked."""
