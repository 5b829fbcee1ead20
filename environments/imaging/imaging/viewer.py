"""The published build of the OHIF Viewer, which `scripts/install-clinical` fetches and minifies; none is kept here."""

from __future__ import annotations

import json
import os
from pathlib import Path

OHIF = "3.13.2"
TOURS = ["basicViewerTour"]
# A page with these headers may use the shared memory that the viewer's workers need.
HEADERS = {
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
}


class MissingViewer(Exception):
    """Raised where the viewer is not installed; the text says what to type."""


def find_viewer() -> Path:
    """Return the folder of the build.

    Raises:
        MissingViewer: It was not fetched.
    """
    kept = (
        Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        / "cuabench"
        / "ohif"
        / f"{OHIF}-minified"
    )
    if not (kept / "index.html").is_file():
        raise MissingViewer(f"the OHIF Viewer {OHIF} is not in {kept}; type: scripts/install-clinical")
    return kept


def settings() -> str:
    """Return the viewer's `app-config.js`."""
    source = {
        "friendlyName": "Archive",
        "name": "archive",
        "qidoRoot": "/dicom-web",
        "wadoRoot": "/dicom-web",
        "wadoUriRoot": "/dicom-web",
        "imageRendering": "wadors",
        "thumbnailRendering": "wadors",
        "qidoSupportsIncludeField": False,
        "supportsWildcard": True,
        "omitQuotationForMultipartRequest": True,
        "enableStudyLazyLoad": True,
    }
    config = {
        "routerBasename": None,
        "modes": [],
        "showStudyList": True,
        "maxNumberOfWebWorkers": 2,
        "investigationalUseDialog": {"option": "never"},
        "defaultDataSourceName": "archive",
        "dataSources": [
            {
                "namespace": "@ohif/extension-default.dataSourcesModule.dicomweb",
                "sourceName": "archive",
                "configuration": source,
            }
        ],
    }
    return (
        f"localStorage.setItem('shownTours', {json.dumps(json.dumps(TOURS))});\n"
        f"window.config = {json.dumps(config)};\n"
    )
