"""The release gate: from a recorded run, a gate's demands and a baseline to pass, fail or inconclusive.

    config.py      what a gate may demand, read from TOML; an unknown key is an error
    where.py       marker expressions, on what was recorded instead of pytest's items
    recorded.py    what a run holds: planned, played, graded
    decision.py    findings, and the judgement that they add up to
    thresholds.py  bounds on rate, reward, milestones, cost and time of groups
    musts.py       what must pass, what must never happen, and how much has to be known
    baseline.py    evidence of earlier runs: an append-only file in the user's repository
    compare.py     the run against that evidence: as a whole, and task by task
    judge.py       all of them together
    words.py       the judgement as JSON, Markdown and lines for a terminal
    session.py     the judgement of a run that is being played, and the exit code that it makes

Playing records; deciding reads records. So a run can be judged again, by other demands, without being played.
"""
