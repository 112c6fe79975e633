"""The checks, by subject: each is a function from what was seen to problems."""
