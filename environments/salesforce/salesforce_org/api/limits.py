"""How much tools may ask for."""

CALLS_A_DAY = 100_000
