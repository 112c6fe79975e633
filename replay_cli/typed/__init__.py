"""What people type or write into files: corrections, rolls, deck lists, policies."""
