"""Attacks on suites: agents that want to pass without solving, or to void their attempts.

ways.py    what they try
arena.py   where they play: a suite on its own world, through the engine, without a session of pytest
"""
