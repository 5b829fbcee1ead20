"""The subcommands of `cuabench`: one module each, with `HELP`, `add_arguments` and `run`."""
