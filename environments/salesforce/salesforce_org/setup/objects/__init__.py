"""Object Manager: objects, their fields and picklists."""
