"""The domain: pure Python, no I/O, no network, no clock of its own.

`words` are phrases for people and their tables in other languages, `record` is what is written and
how it is read, `engine` writes it, `effects` are card texts as data, `officials` is what officials
do, `games` has one folder a game and the `games.kit` they share, `text` is the record for people.
Each uses those before it only (tests/unit/test_layers.py); ARCHITECTURE.md follows one choice
through all of them.
"""
