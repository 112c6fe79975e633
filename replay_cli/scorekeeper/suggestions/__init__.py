"""What may be meant by what is typed: found (`suggest`, `guess`) and ranked (`fuzzy`, `habits`)."""
