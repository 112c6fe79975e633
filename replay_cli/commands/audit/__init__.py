"""`kifu audit`: what of a record is proven, and the proofs that are made and kept for it."""
