def test_late(attempt):
    """Played by tests/drivers/test_late_writes.py and benchmarks/late_writes.py."""
    attempt.require()
