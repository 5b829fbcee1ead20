"""Windows that serve their own state under a seal: the guest's client, and what is beside the program in the box."""
