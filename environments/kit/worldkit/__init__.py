"""What every world program has in common: two listeners, the control routes, the request log, browser protection."""

PROTOCOL = 1
