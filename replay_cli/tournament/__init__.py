"""The files of an event: CSV, the event's own file, printed pages."""
