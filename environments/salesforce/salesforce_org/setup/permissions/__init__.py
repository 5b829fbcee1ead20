"""Permission sets, permission set groups and profiles: what users may do."""
