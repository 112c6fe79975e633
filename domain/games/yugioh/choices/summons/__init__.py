"""Summons as acts: Normal, Tribute, Flip, Set, and the Special Summons that use no chain."""
