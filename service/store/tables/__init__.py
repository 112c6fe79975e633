"""The tables of a store other than entries, a module each.

The records of events are `tournaments`. Auto-passes of seats are in `auto_passes`, what the
service is bound to in `seeds`, photos of cards in `card_photos`, who has seen what is hidden in
`access`, what was taken out in `archived`. All that is listed by time is so in `lists`. What can be
derived from the entries is in `service.store.derived`.
"""
