"""What agents that are models share: calls, pictures, prompts, money."""
