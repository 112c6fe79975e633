"""Auditing: what a file proves of a match, claim by claim, with no server and no network.

`evidence` reads what files hold, `trust` what an auditor brings, `claims` says what a claim is;
`chaining`, `anchoring`, `telling`, `replaying`, `chancing`, `acting` and `timing` judge them, and
`audit` has the table of all who do; `proofs` asks a server for what proves a match.
"""
