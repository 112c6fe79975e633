"""What all pages share: their frame (`page.html`), what is told of faults, styles and scripts."""
