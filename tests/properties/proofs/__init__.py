"""What proofs prove: forgeries of all sorts are noticed, and nothing hidden is told."""
