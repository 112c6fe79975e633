"""What a store in PostgreSQL does besides what all do: time-outs, outages, several servers."""
