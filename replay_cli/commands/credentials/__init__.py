"""Commands about credentials: tokens, short codes, joining by one."""
