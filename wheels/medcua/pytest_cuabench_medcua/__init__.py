"""MedCUA-Bench as a pytest suite: clinical applications, their data, and the real OHIF Viewer, OpenEMR and GNU Health."""
