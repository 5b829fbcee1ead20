"""The servers inside an upstream machine: the applications' own on port 8000, and the guest's on port 5000."""
