def test_onprobe(attempt):
    """The agent does what the task asks."""
    attempt.require()
