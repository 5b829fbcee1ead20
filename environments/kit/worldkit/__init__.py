"""Common parts of world programs: two listeners, control routes, request log, browser protection."""

PROTOCOL = 1
