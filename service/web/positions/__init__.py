"""What never changes, at addresses of its own; and who follows is told of the next entry."""
