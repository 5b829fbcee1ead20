"""The real OHIF Viewer over a DICOMweb store of studies that are made from a seed.

`viewer.py` finds the published build, `public.py` serves it and answers its DICOMweb requests from what `studies.py`
made; `microscopy.py` tells of whole slides in DICOM, and `slides.py` draws them. `sessions.py` holds what was looked
at: the tiles that were asked for, and what the viewer says of itself (`probe.js`).
"""

NAME = "imaging"
VERSION = "1"
