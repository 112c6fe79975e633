"""Shared by all pages: their frame (`page.html`), faults, styles and scripts."""
