"""The checks, by what they look at: each is a function from what was seen to what is wrong."""
