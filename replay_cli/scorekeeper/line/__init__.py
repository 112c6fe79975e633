"""The input line: its state, its single keys, its questions, and its widget."""
