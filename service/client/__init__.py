"""A client of the service for Python programs (`client`); the officials' desk is in `desk`."""
