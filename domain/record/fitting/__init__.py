"""Whether an act fits an offer, and which picks complete one: `fit`, its `solver`, and `steps`."""
