"""OpenAI's models, with its SDK."""
