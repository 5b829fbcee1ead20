"""DICOM files: what the archive keeps as DICOM JSON, as the viewer sends it and asks for it whole."""

from __future__ import annotations

import io

from pydicom import Dataset, dcmread
from pydicom.dataset import FileMetaDataset
from pydicom.uid import ExplicitVRLittleEndian

from imaging.elements import Elements


def written(elements: Elements, pixels: bytes = b"") -> bytes:
    """Return an instance as a file; without pixels, it is one that has none."""
    held = Dataset.from_json(elements)
    if pixels:
        held.add_new("PixelData", "OW" if held.BitsAllocated > 8 else "OB", pixels)
    held.file_meta = FileMetaDataset()
    held.file_meta.MediaStorageSOPClassUID = held.SOPClassUID
    held.file_meta.MediaStorageSOPInstanceUID = held.SOPInstanceUID
    held.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    file = io.BytesIO()
    held.save_as(file, enforce_file_format=True)
    return file.getvalue()


def read(file: bytes) -> Dataset:
    """Return what a file holds.

    Raises:
        InvalidDicomError: It is not such a file.
    """
    return dcmread(io.BytesIO(file))
