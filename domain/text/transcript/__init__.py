"""Transcripts: a match as text, for people and for other programs, and back (TRANSCRIPTS.md).

`lines` knows the shape of a line, `tags` what stands before the first act, `write` tells what a
viewer may see of a record, `read` records it again. Sentences for people only are in
`domain.telling.narration`.
"""
