"""What is told of entries, as data: lines, marks, causes, decisions; and their templates."""
