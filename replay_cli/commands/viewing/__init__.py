"""Commands that show matches, live or over."""
