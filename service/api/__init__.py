"""The API: the servicers of proto/kifu/v1, and what stands around every call."""
