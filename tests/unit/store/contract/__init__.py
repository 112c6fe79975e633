"""What every store does, whatever database it is in; `postgres` is what that one does besides."""
