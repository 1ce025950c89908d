"""Pure mathematics: numbers in, numbers out; no clock, dice, I/O or state."""
