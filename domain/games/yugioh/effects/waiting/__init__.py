"""The timing of texts: occurrences, recent events, events that an effect may answer."""
