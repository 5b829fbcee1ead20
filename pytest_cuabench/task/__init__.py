"""Tasks and their files, actions, observations, evidence, verdicts and answers."""
