"""The ledger of a run: attempts as JSON lines, plans, signatures, resuming, merging and regrading."""

KEY_VARIABLE = "CUABENCH_LEDGER_KEY"  # the environment variable whose value signs ledgers, see `signing.py`
