"""Looking at a deployment: each module asks one kind of thing, and judges nothing."""
