"""The release gate: judges a recorded run by requirements and a baseline as pass, fail or inconclusive.

    config.py        the gate's TOML schema; unknown keys are errors
    selection.py     marker expressions, evaluated on recorded instances instead of pytest items
    recorded.py      a run's planned, played and graded instances
    decision.py      findings and the judgement
    thresholds.py    bounds on rate, reward, milestones, cost and time of groups
    requirements.py  must_pass, zero_tolerance and coverage
    errors.py        bounds on the share of attempts in which the environment broke
    baseline.py      evidence of earlier runs: an append-only file in the user's repository
    compare.py       comparison with that evidence: the whole suite, and each instance
    integrity.py     checks of the run's record
    judge.py         all checks together
    summary.py       the judgement as JSON, Markdown and terminal lines
    exit_code.py     the judgement at the end of a session, and its exit code

The gate reads records only, so a run can be judged again by other requirements without playing it.
"""
