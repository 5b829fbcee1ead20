"""The real OHIF Viewer over a DICOMweb store of studies that are made from a seed.

`viewer.py` finds the published build, and `public.py` serves it and lets its DICOMweb requests through to the archive:
to `embedded.py`, or to `orthanc.py` in its place. `studies.py` is what all studies have in common: `pathology.py` makes
those of whole slides, which `microscopy.py` tells of in DICOM and `slides.py` draws; `radiology.py` makes those that
`phantoms.py` draws, with the outlines of `segmentations.py`; `elements.py` and `part10.py` write them as DICOM.
`reports.py` reads what the viewer stores. `sessions.py` holds what was looked at: the tiles that were asked for, and
what the viewer says of itself (`probe.js`).
"""

NAME = "imaging"
VERSION = "1"
