"""ScienceBoard, DocOS and OSWorld as pytest suites: Linux desktops, and a documentation web."""
