"""The ledger of a run: attempts as JSON lines, plans, signatures, resuming, merging and regrading."""
