"""What all players that are models share: calls, pictures, prompts, money. Adapters are made of these parts."""
