"""List views: what they hold, the page, its controls, filters and charts."""
