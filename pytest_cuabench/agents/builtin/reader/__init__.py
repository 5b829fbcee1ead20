"""The OCR agent's parts: text and frames found in pixels, and a plan parsed from the goal's sentences."""
