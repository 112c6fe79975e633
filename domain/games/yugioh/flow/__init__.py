"""The course of a duel: setup, phases and their windows, Summons, chains, battles."""
