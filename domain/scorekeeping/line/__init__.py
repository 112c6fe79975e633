"""The input line: its state, its single keys, and its questions."""
