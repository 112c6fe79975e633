"""The store: records in an SQLite file, and what is derived from them."""
