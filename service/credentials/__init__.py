"""Credentials: the tokens that the service has issued, and how they are revoked.

`tokens` is their table in the file of matches, `issuing` issues and revokes them. What a token says
and how it is signed is in `service.identity`; CREDENTIALS.md has the rules.
"""
