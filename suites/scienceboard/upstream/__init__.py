"""ScienceBoard's own task records, loaded unchanged: what they ask, how a world is prepared, and how it is judged.

Sun et al., ScienceBoard: Evaluating Multimodal Autonomous Agents in Realistic Scientific Workflows (2025).
"""
