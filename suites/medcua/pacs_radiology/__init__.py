"""Reading radiology in the OHIF Viewer."""
