"""MiniWoB++ as a pytest suite, judged by its pages' own rewards."""
