"""What an event's people bring and take away as files: CSV, the event's own file, printed pages."""
