"""Cards on the table: drawing and hand limits, moves between zones, room, tokens.

The verbs beneath are the `Table`'s (`domain.engine`).
"""
