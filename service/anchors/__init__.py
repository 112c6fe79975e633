"""Anchors: the log of the heads of all matches, its checkpoints, and who else signs them.

`keys` is the log's key, `ledger` the log in the file of matches, `growth` its tree in memory;
`anchoring` adds what was played, in the background, `witnessing` has checkpoints signed by others,
`publishing` writes the log as static files. What leaves and checkpoints are is in
`domain.record.proof.anchors`, what they prove in ANCHORS.md.
"""
