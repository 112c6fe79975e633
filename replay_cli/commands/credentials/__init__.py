"""Commands about who gets in: tokens."""
