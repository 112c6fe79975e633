"""Auditing: what a file proves of a match, claim by claim, without a server or network.

`evidence` reads what files hold, `trust` what an auditor brings, `claims` says what a claim is.
`chaining`, `anchoring`, `contents`, `acting`, `timing` and `resulting` (of events) judge claims;
`audit` lists them in order. `proofs` asks a server for the proofs of a match, `keeping` refuses to
overwrite evidence.
"""
