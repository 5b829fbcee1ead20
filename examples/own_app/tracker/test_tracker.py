def test_tracker(attempt):
    """The agent does what the ticket's goal says, and changes nothing else."""
    attempt.require()
