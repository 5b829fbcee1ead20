"""The agents that come with the plugin."""
