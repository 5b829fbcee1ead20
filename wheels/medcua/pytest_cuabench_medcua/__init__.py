"""MedCUA-Bench as a pytest suite: clinical applications with their data, OpenEMR and GNU Health."""
