"""Credentials: the tokens that the service has issued, and the short codes that give them.

`tokens` is their table in the store, `issuing` issues and revokes them. `codes` is the
table of codes, `exchange` issues, exchanges and revokes those, `holders` says whom one is for and
what he gets, `spelling` how one is written, `attempts` how often somebody may be wrong. `entrance`
has keys that let the organiser's browser in, and `sharing` what servers of one store agree on. What
a token says and how it is signed is in `service.identity`; CREDENTIALS.md has the rules.
"""
