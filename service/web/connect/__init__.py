"""The API for programs: Connect, feeds, OpenAPI."""
