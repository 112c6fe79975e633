"""The fold: `fold` applies an entry to a position, by the chapter that its event is in."""
