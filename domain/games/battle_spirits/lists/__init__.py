"""Cards and decks as data, what a list may be made of, and the formats that say so."""
