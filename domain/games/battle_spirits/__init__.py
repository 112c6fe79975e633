"""Battle Spirits Standard."""
