"""Cards and decks as data, and what a list may be made of (chapter 5)."""
