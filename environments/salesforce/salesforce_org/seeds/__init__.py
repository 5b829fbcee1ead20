"""What an org is filled with at the start, part by part."""
