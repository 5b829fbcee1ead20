"""The endpoint for programs that speak the Chrome DevTools Protocol."""
