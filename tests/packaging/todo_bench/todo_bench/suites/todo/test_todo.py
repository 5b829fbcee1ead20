def test_todo(attempt):
    """The thing is on the list, and nothing else."""
    attempt.require()
