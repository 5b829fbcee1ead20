def test_sample(attempt):
    """The agent does what the task asks."""
    attempt.require()
