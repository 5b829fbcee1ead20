"""The pages of the org, as a browser sees them."""
