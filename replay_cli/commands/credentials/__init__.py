"""Commands about who gets in: tokens, short codes and whom they are for, joining by one."""
