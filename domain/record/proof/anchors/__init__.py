"""Anchors: heads of matches in a Merkle tree whose root is signed, as C2SP and RFC 6962 have it.

`tree` has the hashes and proofs, `tiles` the tree as static files, `leaves` what a leaf says;
`notes`, `checkpoints` and `policy` who signed what and who is believed; `findings` what follows for
a record; `encoding` how bytes and numbers are written in all of them.
"""
