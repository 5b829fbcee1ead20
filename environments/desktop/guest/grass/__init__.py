"""GRASS GIS in a desktop: its locations, the wrapper of its window, and its state."""
