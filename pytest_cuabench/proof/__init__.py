"""What shows that a task is right: claims, collateral writes, attacks on checks."""
