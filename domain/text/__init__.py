"""The record for people: names, notation, transcripts, scenarios.

`names` is what cards and seats are called, `notation` how a choice is written (its parts in
`picks`), `autopass` an auto-pass, `transcript` a whole match as text and back,
`scenario` a situation with what is to follow from it.
"""
