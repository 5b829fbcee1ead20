"""Gemini, with Google's SDK."""
