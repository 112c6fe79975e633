"""The field: its zones and places, the step that goes on, what changes around an attack."""
