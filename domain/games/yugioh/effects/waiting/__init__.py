"""What texts wait for: what occurs, what has just happened, what an effect may answer."""
