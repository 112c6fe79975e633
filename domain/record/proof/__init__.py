"""Proof that a record is the one that was written.

`chain` hashes entries one over the other, `openings` let each viewer prove his own copy, and
`bundle` is the file in which he hands it to a stranger. `anchors` keep the heads of matches where
nobody can change them any more, not even the owner of the file. `draws` says where chance comes
from.
"""
