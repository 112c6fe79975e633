"""Whether an act fits an offer, and which picks complete one: `fit`, and its `solver`."""
