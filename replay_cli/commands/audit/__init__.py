"""`kifu audit`: what of a record is proven, and proofs to keep."""
