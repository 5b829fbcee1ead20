"""What is Claude's own: which tool a model takes, how its calls are read, and how a conversation is kept."""
