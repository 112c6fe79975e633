"""The line in which things are typed: its state, its single keys, what is asked, and its widget."""
