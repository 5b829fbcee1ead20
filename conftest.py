"""For this checkout's own tests only; suites must run the same without it."""

pytest_plugins = ["pytester"]
