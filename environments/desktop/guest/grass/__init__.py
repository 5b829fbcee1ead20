"""GRASS GIS in a desktop: the locations it works on, the wrapper that starts its window, and what it tells."""
